package api

import (
	"regexp"
	"slices"
	"strings"

	"hew/server/ci"
	"hew/server/db"
	"hew/server/fault"
	"hew/server/rest"
)

// runnerList are the parameters that all lists of runners take (spec 3 §4.4). There are three
// generations of words for states.
type runnerList struct {
	rest.Paging
	Scope         string   `param:"scope"`
	Type          string   `param:"type" oneof:"instance_type group_type project_type"`
	Status        string   `param:"status" oneof:"online offline stale never_contacted active paused"`
	Paused        *bool    `param:"paused"`
	TagList       []string `param:"tag_list,comma"`
	VersionPrefix string   `param:"version_prefix"`
}

// runnerScopes are the words of the parameter scope that every list knows.
var runnerScopes = []string{"active", "paused", "online", "offline"}

var versionPrefix = regexp.MustCompile(`^\d+(\.\d+)*\.?$`)

// filter returns what the parameters select. A list may know more words of scope.
func (in runnerList) filter(scopes ...string) (f ci.RunnerFilter, err error) {
	if in.Scope != "" && !slices.Contains(append(scopes, runnerScopes...), in.Scope) {
		return f, fault.BadRequest("Scope contains invalid value").In(fault.Text)
	}
	if in.VersionPrefix != "" && !versionPrefix.MatchString(in.VersionPrefix) {
		return f, fault.Param("version_prefix is invalid")
	}
	f.Tags, f.Version = in.TagList, strings.TrimSuffix(in.VersionPrefix, ".")
	for _, word := range []string{in.Scope, in.Type, in.Status} {
		if word != "" {
			f.States = append(f.States, word)
		}
	}
	if in.Paused != nil {
		f.States = append(f.States, map[bool]string{true: "paused", false: "active"}[*in.Paused])
	}
	return f, nil
}

// runnerTexts has the field names of ci.Runner.
type runnerTexts struct {
	rest.Into[ci.Runner]
	Description     rest.Opt[string]   `param:"description"`
	Paused          rest.Opt[bool]     `param:"paused"`
	Tags            rest.Opt[[]string] `param:"tag_list,comma"`
	RunUntagged     rest.Opt[bool]     `param:"run_untagged"`
	Locked          rest.Opt[bool]     `param:"locked"`
	AccessLevel     rest.Opt[string]   `param:"access_level" oneof:"not_protected ref_protected"`
	MaximumTimeout  rest.Opt[int]      `param:"maximum_timeout" max:"2147483647"`
	MaintenanceNote rest.Opt[string]   `param:"maintenance_note"`
}

// runnerFields are the parameters that both creation and change take.
type runnerFields struct {
	runnerTexts
	Active rest.Opt[bool] `param:"active"` // the older word for not paused
	_      struct{}       `exclusive:"active paused"`
}

func (in runnerFields) into(r *ci.Runner) error {
	rest.Merge(r, in.runnerTexts, ci.NewRunner(db.Container{}))
	if active, ok := in.Active.Value(); ok {
		r.Paused = !active
	}
	r.Tags = tagsOf(r.Tags)
	return nil
}

// tagsOf trims tags and removes empty and repeated ones.
func tagsOf(given []string) []string {
	tags := []string{}
	for _, t := range given {
		if t = strings.TrimSpace(t); t != "" && !slices.Contains(tags, t) {
			tags = append(tags, t)
		}
	}
	return tags
}
