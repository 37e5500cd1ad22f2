package load

import (
	"encoding/json"
	"reflect"
	"strconv"
	"strings"

	"hew/server/db"
	"hew/server/transfer/archive"
	"hew/server/tree"
)

// attributes are attributes of a project, by the names of the API.
type attributes map[string]json.RawMessage

// kept are the settings that an archive does not bring: those of mirrors act as somebody, and
// storage is the server's.
var kept = map[string]bool{
	"repository_storage": true, "repository_object_format": true, "mirror": true, "mirror_user_id": true,
	"mirror_trigger_builds": true, "mirror_branch_regex": true, "mirror_overwrites_diverged_branches": true,
	"only_mirror_protected_branches": true, "container_expiration_policy": true,
	"ci_push_repository_for_job_token_allowed": true, "ci_inbound_job_token_scope_enabled": true,
}

// into sets the settings that the attributes name. Values that do not fit are returned by their
// names.
func (a attributes) into(s *tree.ProjectSettings) (wrong []string) {
	v := reflect.ValueOf(s).Elem()
	for i := range v.NumField() {
		name := v.Type().Field(i).Tag.Get("json")
		value, ok := a[name]
		if !ok || kept[name] {
			continue
		}
		field := reflect.New(v.Field(i).Type())
		if string(value) == "null" && field.Elem().Kind() != reflect.Pointer {
			continue
		}
		if err := json.Unmarshal(value, field.Interface()); err != nil {
			if json.Unmarshal(unquote(value), field.Interface()) != nil {
				wrong = append(wrong, name)
				continue
			}
		}
		if !isSetting(name, field.Elem().Interface()) {
			wrong = append(wrong, name)
			continue
		}
		v.Field(i).Set(field.Elem())
	}
	return wrong
}

// unquote returns a number or bool that was given as a text, as forms do.
func unquote(value json.RawMessage) json.RawMessage {
	var text string
	if json.Unmarshal(value, &text) != nil {
		return value
	}
	switch text {
	case "1", "t", "on":
		return json.RawMessage("true")
	case "0", "f", "off":
		return json.RawMessage("false")
	}
	return json.RawMessage(text)
}

// renamed are attributes of archives that the API calls otherwise.
var renamed = map[string]string{
	"public_builds": "public_jobs", "description_template": "issues_template",
	"default_git_depth": "ci_default_git_depth", "forward_deployment_enabled": "ci_forward_deployment_enabled",
}

// fromArchive returns the attributes of the document of a project by the names of the API.
func fromArchive(p archive.Project) attributes {
	a := attributes{}
	for name, value := range p.Attributes {
		if api, ok := renamed[name]; ok {
			name = api
		}
		if level, ok := levelWord(name, value); ok {
			value = level
		}
		a[name] = value
	}
	set := func(name string) bool { return string(p.Attributes[name]) == "true" }
	_, ff := p.Attributes["merge_requests_ff_only_enabled"]
	_, rebase := p.Attributes["merge_requests_rebase_enabled"]
	switch {
	case set("merge_requests_ff_only_enabled"):
		a["merge_method"] = json.RawMessage(`"ff"`)
	case set("merge_requests_rebase_enabled"):
		a["merge_method"] = json.RawMessage(`"rebase_merge"`)
	case ff || rebase:
		a["merge_method"] = json.RawMessage(`"merge"`)
	}
	if value, ok := p.Attributes["build_allow_git_fetch"]; ok {
		a["build_git_strategy"] = json.RawMessage(`"clone"`)
		if string(value) == "true" {
			a["build_git_strategy"] = json.RawMessage(`"fetch"`)
		}
	}
	switches(a)
	return a
}

// features are older switches of features, by the feature.
var features = map[string]string{
	"issues_enabled": "issues", "merge_requests_enabled": "merge_requests", "wiki_enabled": "wiki",
	"jobs_enabled": "builds", "builds_enabled": "builds", "snippets_enabled": "snippets",
	"container_registry_enabled": "container_registry",
}

// switches makes levels of the switches whose level is not given.
func switches(a attributes) {
	for name, feature := range features {
		value, ok := a[name]
		if _, given := a[feature+"_access_level"]; !ok || given {
			continue
		}
		switch string(unquote(value)) {
		case "true":
			a[feature+"_access_level"] = json.RawMessage(`"enabled"`)
		case "false":
			a[feature+"_access_level"] = json.RawMessage(`"disabled"`)
		}
	}
}

// levelWord returns the word for the level of a feature.
func levelWord(name string, value json.RawMessage) (json.RawMessage, bool) {
	if !strings.HasSuffix(name, "_access_level") {
		return nil, false
	}
	level, err := strconv.Atoi(string(value))
	words := map[int]string{
		archive.FeatureDisabled: "disabled", archive.FeaturePrivate: "private", archive.FeatureEnabled: "enabled",
		archive.FeaturePublic: "public",
	}
	word, ok := words[level]
	return json.RawMessage(strconv.Quote(word)), err == nil && ok
}

// listOf returns the words of a JSON list or of a text with commas.
func listOf(value json.RawMessage) (list []string) {
	if json.Unmarshal(value, &list) == nil {
		return list
	}
	var text string
	if json.Unmarshal(value, &text) == nil {
		list = strings.Split(text, ",")
	}
	var tidy []string
	for _, w := range list {
		if w = strings.TrimSpace(w); w != "" {
			tidy = append(tidy, w)
		}
	}
	return tidy
}

// visibilityOf returns the visibility of a document.
func visibilityOf(level int) db.Visibility {
	switch {
	case level >= archive.Public:
		return db.Public
	case level >= archive.Internal:
		return db.Internal
	}
	return db.Private
}
