package docs

import (
	_ "embed"
	"strings"
)

// counterpart is what becomes of a section of a gitlabform configuration.
type counterpart struct {
	name  string
	kinds []string // what it is here
	is    string   // what is different
}

// gitlabformSections are all sections that gitlabform documents, those of the
// instance first.
var gitlabformSections = []counterpart{
	{"application.settings", []string{"application_settings"}, "One that is not known is an error with its place, before anything is sent."},
	{"group_settings", []string{"group"}, ""},
	{"group_members", []string{"group_members", "group_share"}, "`users` are `members`, and `groups` are shares, each a block of its own. `enforce` is `exclusive = true`; bots are always kept. " +
		"A level that is lower than the inherited one is an error."},
	{"group_ldap_links", []string{"group_ldap_link"}, ""},
	{"group_saml_links", []string{"group_saml_link"}, ""},
	{"group_variables", []string{"group_variable"}, "`filter[environment_scope]` is not needed: key and environment scope together name a variable."},
	{"group_push_rules", []string{"group_push_rule"}, ""},
	{"group_hooks", []string{"group_hook"}, "As `hooks`."},
	{"group_labels", []string{"group_label"}, ""},
	{"group_branches", []string{"group_protected_branch"}, "As `branches`."},
	{"group_merge_requests_approval_rules", []string{"group_approval_rule"}, "As `merge_requests_approval_rules`."},
	{"project", []string{"project"}, "`archive` is `archived`; `transfer_from` is a changed `namespace`: the project that the ledger knows, or that a `moved` block names, moves."},
	{"project_settings", []string{"project"}, "The arguments of `project` are those of the API. `topics` is the whole list; there is no `keep_existing`."},
	{"project_push_rules", []string{"project_push_rule"}, ""},
	{"members", []string{"project_members", "project_share"}, "As `group_members`."},
	{"variables", []string{"project_variable"}, "As `group_variables`. Values are secrets: take them from variables, and they are compared by keyed digests and never printed."},
	{"hooks", []string{"project_hook"}, "The URL is `url`. Of a hook whose URL changes the ledger knows the id, and it is changed in place. Tokens are sent when they change, and not at every run."},
	{"integrations, services", []string{"integration", "group_integration"}, "The key is `slug`, and the rest is in `properties`, which are checked by name and type before anything is sent."},
	{"deploy_keys", []string{"deploy_key"}, ""},
	{"labels", []string{"project_label"}, ""},
	{"branches", []string{"protected_branch"}, "`protected: false` is a block that is not there. Users and groups are `push_users`, `push_groups` and so on, by name, or blocks `allowed_to_push { … }`. " +
		"A branch is never unprotected on the way to other rules."},
	{"tags", []string{"protected_tag"}, ""},
	{"merge_requests_approvals", []string{"project_approval_settings"}, ""},
	{"merge_requests_approval_rules", []string{"project_approval_rule"}, "The label of the YAML is the name of the block. Somebody who cannot approve is an error of the plan, and not left out in silence."},
	{"remote_mirrors", []string{"push_mirror"}, "Credentials are compared by keyed digest: no `force_update`. A mirror whose credentials change is made anew where the host cannot change them."},
	{"badges, group_badges", nil, ""},
	{"files", nil, "Files of a repository are better changed by commits that somebody reviews."},
	{"schedules", nil, ""},
	{"resource_groups", nil, ""},
	{"job_token_scope", nil, ""},
	{"protected_environments", nil, ""},
	{"project_security_settings", nil, ""},
	{"pull_mirror", nil, ""},
	{"group_merge_requests_approval_settings", nil, ""},
	{"avatar", nil, ""},
}

// gitlabformWays are what the rest of gitlabform is here.
var gitlabformWays = []fact{
	{"config_version, gitlab", "HEW_URL and HEW_TOKEN, or GITLAB_BASE_URL and GITLAB_TOKEN. `hew { required_version = … }` holds a configuration to a version."},
	{"\"*\", group/*, group/project", "A level is a `for_each` over a data source: data.projects with `recursive = true` has everything below a group, and what this configuration is about to make. " +
		"What is common to several is a module, or a local value that `merge` goes on from."},
	{"inherit, skip", "Nothing is inherited unless an expression says so, so there is nothing to break or to skip."},
	{"enforce", "An `exclusive` block, for every kind that a project or group has many of: what nobody declares goes, and the plan shows it first."},
	{"delete: true", "A block that goes deletes what hew has made. What was there before takes a `removed` block with `destroy = true`."},
	{"skip_groups, skip_projects", "An `if` in the `for_each`: `{ for path, id in data.projects.all.by_path : path => id if path != \"acme/old\" }`."},
	{"raw parameters", "There are none: arguments are known by name and type, and a typo is an error with what was probably meant."},
	{"gitlabform TARGET", "`hew apply`, all of it or `-target=ADDRESS`. A run reads whole collections, a hundred at a time, and writes what differs."},
	{"--noop", "`hew plan`: every kind, deletions too, and a client that cannot write. `-out` saves it, and `hew apply PLAN` does what was reviewed or nothing."},
	{"a run every night", "`hew drift` tells what others changed from what you changed, and ends with 2 where there is any."},
}

// gitlabformYAML and gitlabformHCL say the same.
var (
	//go:embed gitlabform/config.yml
	gitlabformYAML string
	//go:embed gitlabform/main.hcl
	gitlabformHCL string
	//go:embed gitlabform/read.hcl
	gitlabformRead string
)

// gitlabform is for those who come from there.
func (r Reference) gitlabform() *Page {
	p := r.page(gitlabformPage)
	p.heading(1, "Coming from gitlabform")
	p.line("gitlabform sends what its YAML says to every project, one after the other. hew compares first: a plan shows what differs, what of it " +
		"somebody else has changed, and what would go, and nothing is sent to what is as it should be.\n")
	p.line("The shortest way: `hew pull group/acme -out=acme` writes what is there as configuration, and its plan is empty. " +
		"What the YAML repeats for many projects then becomes a `for_each`.")
	p.heading(2, "The same in both")
	p.line("This `config.yml`\n")
	p.code("yaml", gitlabformYAML)
	p.line("\nis this:\n")
	p.code("hcl", gitlabformHCL)
	p.line("\nWhere the YAML is to stay for a while, it can be read as it is:\n")
	p.code("hcl", gitlabformRead)
	p.heading(2, "Sections")
	p.line("| gitlabform | hew | besides |\n|---|---|---|")
	var left []counterpart
	for _, s := range gitlabformSections {
		if s.kinds == nil {
			left = append(left, s)
			continue
		}
		var kinds []string
		for _, k := range s.kinds {
			kinds = append(kinds, p.link(code(k), resourcePage(k)))
		}
		p.line("| %s | %s | %s |", codes(s.name), strings.Join(kinds, ", "), s.is)
	}
	p.heading(2, "What is not managed")
	for _, s := range left {
		p.line("- %s%s", codes(s.name), reason(p, strings.TrimSuffix(s.is, ".")))
	}
	p.heading(2, "Everything else")
	p.table("gitlabform", "hew", coded(gitlabformWays))
	return p
}

// codes sets each of several names as code.
func codes(names string) string {
	return "`" + strings.ReplaceAll(names, ", ", "`, `") + "`"
}
