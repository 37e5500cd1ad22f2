package transfer

import (
	"encoding/json"
	"reflect"
	"strings"

	"hew/server/db"
	"hew/server/transfer/archive"
	"hew/server/tree"
)

// projectDocument returns the document of a project. Its settings have the names of the API, and
// those that archives of the public service have instead stand beside them.
func projectDocument(p tree.Project, description *string) (archive.Project, error) {
	if description == nil {
		description = p.Description
	}
	d := archive.Project{
		Description: description, VisibilityLevel: int(p.Visibility), Archived: p.Archived,
		DefaultBranch: db.NilIfZero(p.Head), Attributes: map[string]json.RawMessage{},
	}
	s := p.Settings
	named := map[string]any{
		"topics": p.Topics, "public_builds": s.PublicJobs, "build_allow_git_fetch": s.BuildGitStrategy == "fetch",
		"merge_requests_ff_only_enabled": s.MergeMethod == "ff",
		"merge_requests_rebase_enabled":  s.MergeMethod == "rebase_merge",
	}
	fields := reflect.ValueOf(s)
	for i := range fields.NumField() {
		if name := fields.Type().Field(i).Tag.Get("json"); isProjectAttribute(name) {
			named[name] = fields.Field(i).Interface()
		}
	}
	for name, value := range named {
		text, err := json.Marshal(value)
		if err != nil {
			return d, err
		}
		d.Attributes[name] = text
	}
	return d, nil
}

// isProjectAttribute reports whether a setting is in the document of the project: it is not in one
// of its own, not about mirrors, and not about where the repository is.
func isProjectAttribute(name string) bool {
	switch {
	case strings.HasSuffix(name, "_access_level"), strings.Contains(name, "mirror"),
		name == "container_expiration_policy", name == "repository_storage", name == "repository_object_format":
		return false
	}
	return true
}

// featureLevels are the levels of features by the words of the API.
var featureLevels = map[string]int{
	"disabled": archive.FeatureDisabled, "private": archive.FeaturePrivate, "enabled": archive.FeatureEnabled,
	"public": archive.FeaturePublic,
}

// featureDocument returns who may use the features of a project.
func featureDocument(s tree.ProjectSettings) archive.ProjectFeature {
	f := archive.ProjectFeature{Levels: map[string]int{}}
	fields := reflect.ValueOf(s)
	for i := range fields.NumField() {
		if name := fields.Type().Field(i).Tag.Get("json"); strings.HasSuffix(name, "_access_level") {
			f.Levels[name] = featureLevels[fields.Field(i).String()]
		}
	}
	return f
}

// settingDocuments returns the documents of the other relations that have one, made of settings.
func settingDocuments(s tree.ProjectSettings) map[string]any {
	policy := s.ContainerExpirationPolicy
	return map[string]any{
		"project_feature": featureDocument(s),
		"ci_cd_settings": archive.CICDSettings{
			GroupRunnersEnabled: &s.GroupRunnersEnabled, MergePipelines: &s.MergePipelinesEnabled,
			MergeTrains: &s.MergeTrainsEnabled,
		},
		"auto_devops": archive.AutoDevops{
			Enabled: &s.AutoDevopsEnabled, DeployStrategy: archive.Word(s.AutoDevopsDeployStrategy),
		},
		"container_expiration_policy": archive.ContainerExpirationPolicy{
			Enabled: policy.Enabled, Cadence: policy.Cadence, OlderThan: policy.OlderThan, KeepN: policy.KeepN,
			NameRegex: policy.NameRegex, NameRegexKeep: policy.NameRegexKeep,
		},
	}
}
