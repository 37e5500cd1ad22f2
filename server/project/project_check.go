package project

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"hew/schema/catalogue"
	"hew/server/check"
	"hew/server/db"
	"hew/server/fault"
	"hew/server/tree"
)

// nameProject fills in the name or path of a project from the other one. The path is the name in
// lower case, with dashes for characters that paths do not have.
func nameProject(p *tree.Project) {
	switch {
	case p.Name == "":
		p.Name = p.Path
	case p.Path == "":
		p.Path = pathOf(p.Name)
	}
}

func pathOf(name string) string {
	var path strings.Builder
	for _, r := range strings.ToLower(name) {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9', r == '_', r == '.':
			path.WriteRune(r)
		case !strings.HasSuffix(path.String(), "-"):
			path.WriteByte('-')
		}
	}
	return strings.Trim(path.String(), "-.")
}

// checkProject returns a fault about all invalid fields of a project in a namespace: values that
// types and enumerations allow, a name or path that is taken there, and a visibility above the
// group's.
func checkProject(ctx context.Context, st *db.Store, p tree.Project, space tree.Group) error {
	var wrong check.Problems
	wrong.On("name", check.Name(p.Name)...)
	wrong.On("path", check.Path(p.Path, catalogue.ReservedBelow)...)
	if space.Kind == "group" && p.Visibility > space.Visibility {
		wrong.On("visibility_level", fmt.Sprintf("%s is not allowed in a %s group.", p.Visibility, space.Visibility))
	}
	checkProjectSettings(p, wrong.On)
	wrong.On("base", check.SettingsSize(p.Settings, p.Topics)...)
	if wrong.Err() != nil {
		return wrong.Err()
	}
	name, path, err := tree.NamesTaken(ctx, st, p, space)
	if err != nil {
		return err
	}
	if name {
		wrong.On("name", taken)
		wrong.On("project_namespace.name", taken)
	}
	if path {
		wrong.On("path", taken)
	}
	return wrong.Err()
}

const taken = "has already been taken"

func checkProjectSettings(p tree.Project, wrong func(field string, texts ...string)) {
	s := p.Settings
	if p.Description != nil && len([]rune(*p.Description)) > 2000 {
		wrong("description", "is too long (maximum is 2000 characters)")
	}
	if slices.ContainsFunc(p.Topics, func(topic string) bool { return len([]rune(topic)) > 255 }) {
		wrong("topics", check.TooLong)
	}
	if p.DefaultBranch != nil && !catalogue.IsBranchName(*p.DefaultBranch) {
		wrong("default_branch", "is invalid")
	}
	if s.RepositoryStorage != "default" {
		wrong("repository_storage", "is not included in the list")
	}
	if s.BuildTimeout < 600 || s.BuildTimeout > 2678400 {
		wrong("build_timeout", "needs to be between 10 minutes and 1 month")
	}
	if s.CIDefaultGitDepth != nil && (*s.CIDefaultGitDepth < 0 || *s.CIDefaultGitDepth > 1000) {
		wrong("ci_cd_settings.default_git_depth", "must be between 0 and 1000")
	}
	if strings.HasPrefix(s.CIConfigPath, "/") || slices.Contains(strings.Split(s.CIConfigPath, "/"), "..") {
		wrong("ci_config_path", "can't include leading slash or directory traversal.")
	}
	if len([]rune(s.CIConfigPath)) > 255 {
		wrong("ci_config_path", check.TooLong)
	}
	if len(s.CIIDTokenSubClaimComponents) == 0 || s.CIIDTokenSubClaimComponents[0] != "project_path" {
		wrong("ci_id_token_sub_claim_components", "must begin with project_path")
	}
	for _, c := range []struct {
		field string
		text  *string
		most  int
	}{
		{"merge_commit_template", s.MergeCommitTemplate, 500},
		{"squash_commit_template", s.SquashCommitTemplate, 500},
		{"suggestion_commit_message", s.SuggestionCommitMessage, 255},
		{"issue_branch_template", s.IssueBranchTemplate, 255},
	} {
		if c.text != nil && len([]rune(*c.text)) > c.most {
			wrong(c.field, fmt.Sprintf("is too long (maximum is %d characters)", c.most))
		}
	}
	for _, c := range []struct {
		field   string
		pattern *string
	}{
		{"merge_request_title_regex", s.MergeRequestTitleRegex},
		{"mirror_branch_regex", s.MirrorBranchRegex},
		{"container_expiration_policy.name_regex", s.ContainerExpirationPolicy.NameRegex},
		{"container_expiration_policy.name_regex_keep", s.ContainerExpirationPolicy.NameRegexKeep},
	} {
		if c.pattern == nil {
			continue
		}
		if _, err := regexp.Compile(*c.pattern); err != nil {
			wrong(c.field, "not valid RE2 syntax: "+strings.TrimPrefix(err.Error(), "error parsing regexp: "))
		}
	}
}

// checkBranch returns a fault if a project has branches, and not the one that is to be its default.
func checkBranch(ctx context.Context, st *db.Store, id int64, branch string) error {
	missing, err := db.Value[bool](ctx, st, `
		select exists (`+branchesOf+`) and not exists (`+branchesOf+` and t.name = 'refs/heads/' || @branch)`,
		pgx.NamedArgs{"project": id, "branch": branch})
	if err == nil && missing {
		err = fault.Invalid("default_branch", "does not exist; create the branch first")
	}
	return err
}

// branchesOf selects the branches of a project, which are rows of package code.
const branchesOf = `
	select from refs t join repositories r on r.id = t.repository_id
	where r.project_id = @project and r.kind = 'project' and t.name like 'refs/heads/%'`

// CheckSettings returns a fault about the description, topics and settings of a project that are
// not valid. Its name, path and visibility are not looked at.
func CheckSettings(p tree.Project) error {
	var wrong check.Problems
	checkProjectSettings(p, wrong.On)
	wrong.On("base", check.SettingsSize(p.Settings, p.Topics)...)
	return wrong.Err()
}
