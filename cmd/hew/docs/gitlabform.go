package docs

import (
	_ "embed"
	"strings"
)

// counterpart describes what replaces a section of a gitlabform configuration.
type counterpart struct {
	name  string
	kinds []string // of hew
	note  string   // differences
}

// gitlabformSections holds all sections that gitlabform has in version 6.2.1, those of the instance
// first.
var gitlabformSections = []counterpart{
	{"application.settings", []string{"application_settings"},
		"An unknown setting is an error, before anything is sent."},
	{"group_settings", []string{"group"}, ""},
	{"group_members", []string{"group_members", "group_share"},
		"`users` are `members`, and `groups` are shares, each a block of its own. `enforce` is `exclusive = true`; " +
			"bots are always kept. " +
			"A level that is lower than the inherited one is an error."},
	{"group_ldap_links", []string{"group_ldap_link"}, ""},
	{"group_saml_links", []string{"group_saml_link"}, ""},
	{"group_variables", []string{"group_variable"},
		"`filter[environment_scope]` is not needed: key and environment scope together name a variable."},
	{"group_push_rules", []string{"group_push_rule"}, ""},
	{"group_hooks", []string{"group_hook"}, "As `hooks`."},
	{"group_labels", []string{"group_label"}, ""},
	{"group_protected_branches", []string{"group_protected_branch"}, "As `branches`."},
	{"project", []string{"project"},
		"`archive` is `archived`; for `transfer_from`, change `namespace`: the project in the ledger, or of a " +
			"`moved` block, moves."},
	{"project_settings", []string{"project"},
		"The arguments of `project` are those of the API. `topics` is the whole list; there is no `keep_existing`."},
	{"project_push_rules", []string{"project_push_rule"}, ""},
	{"members", []string{"project_members", "project_share"}, "As `group_members`."},
	{"variables", []string{"project_variable"},
		"As `group_variables`. Values are secrets: take them from variables, and they are compared by keyed digests " +
			"and never printed."},
	{"hooks", []string{"project_hook"},
		"The URL is `url`. A hook whose URL changes is updated in place. Tokens are sent only when they change."},
	{"integrations", []string{"integration", "group_integration"},
		"The key is `slug`, and the rest is in `properties`, which are checked by name and type before anything is " +
			"sent."},
	{"deploy_keys", []string{"deploy_key"}, ""},
	{"labels", []string{"project_label"}, ""},
	{"branches", []string{"protected_branch"},
		"For `protected: false`, remove the block. Users and groups are `push_users`, `push_groups` and so on, by " +
			"name, or blocks `allowed_to_push { … }`. " +
			"A branch is never unprotected on the way to other rules."},
	{"tags", []string{"protected_tag"}, ""},
	{"merge_requests_approvals", []string{"project_approval_settings"}, ""},
	{"merge_requests_approval_rules", []string{"project_approval_rule"},
		"The label of the YAML is the name of the block. A user who cannot approve is an error."},
	{"remote_mirrors", []string{"push_mirror"},
		"Credentials are compared by keyed digest: no `force_update`. A mirror whose credentials change is replaced " +
			"if the host cannot change them."},
	{"badges, group_badges", nil, ""},
	{"files", nil, "Change files with commits that somebody reviews."},
	{"schedules", []string{"pipeline_schedule"},
		"The key is `description`, and the variables are `variables`, or `file_variables` for those of type `file`."},
	{"resource_groups", nil, ""},
	{"job_token_scope", []string{"project_job_token_scope"},
		"`limit_access_to_this_project` is `enabled`. `projects` and `groups` are always the whole lists."},
	{"protected_environments", nil, ""},
	{"project_security_settings", nil, ""},
	{"group_settings.avatar, project_settings.avatar", nil, ""},
}

// gitlabformDifferences holds what replaces the rest of gitlabform.
var gitlabformDifferences = []fact{
	{"config_version, gitlab",
		"HEW_URL and HEW_TOKEN, or GITLAB_BASE_URL and GITLAB_TOKEN. `hew { required_version = … }` requires a " +
			"version of hew."},
	{"\"*\", group/*, group/project",
		"Use `for_each` over a data source: data.projects with `recursive = true` has all projects below a group, " +
			"including those that the plan creates. " +
			"Put common settings into a module, or into a local value for `merge`."},
	{"inherit, skip", "Not needed: nothing is inherited unless an expression refers to it."},
	{"enforce", "An `exclusive` block, which deletes undeclared objects after the plan has shown them."},
	{"delete: true", "Remove the block to delete an object that hew created. An adopted object needs a `removed` " +
		"block with `destroy = true`."},
	{"skip_groups, skip_projects",
		"An `if` in the `for_each`: `{ for path, id in data.projects.all.by_path : path => id if path != " +
			"\"acme/old\" }`."},
	{"raw parameters", "None: all arguments have a name and type, and a typo is an error with a suggestion."},
	{"gitlabform TARGET", "`hew apply`, with `-target=ADDRESS` for a part. A run lists whole collections, a hundred " +
		"objects per request, and writes only differences."},
	{"--noop", "`hew plan`, for every kind, including deletions. `-out` saves the plan, and `hew apply PLAN` " +
		"applies the reviewed plan or nothing."},
	{"a run every night", "`hew drift` shows only what others changed, and exits 2 if there is any."},
}

// gitlabformYAML and gitlabformHCL are equivalent.
var (
	//go:embed gitlabform/config.yml
	gitlabformYAML string
	//go:embed gitlabform/main.hcl
	gitlabformHCL string
	//go:embed gitlabform/read.hcl
	gitlabformRead string
)

// gitlabform returns the page for users of gitlabform.
func (r Reference) gitlabform() *Page {
	p := r.page(gitlabformPage)
	p.heading(1, "Coming from gitlabform")
	p.line("gitlabform sends the settings of its YAML to every project, one after the other. hew compares first: a " +
		"plan shows what differs, what " +
		"others have changed and what would be deleted, and hew writes only the differences.\n")
	p.line("The quickest start: `hew pull group/acme -out=acme` writes configuration for existing objects, and its " +
		"plan is empty. " +
		"Then replace what repeats for many projects by `for_each`.")
	p.heading(2, "Example")
	p.line("This `config.yml`:\n")
	p.code("yaml", gitlabformYAML)
	p.line("\nis equivalent to:\n")
	p.code("hcl", gitlabformHCL)
	p.line("\nhew can also read the YAML:\n")
	p.code("hcl", gitlabformRead)
	p.heading(2, "Sections")
	p.line("| gitlabform | hew | differences |\n|---|---|---|")
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
		p.line("| %s | %s | %s |", codes(s.name), strings.Join(kinds, ", "), s.note)
	}
	p.heading(2, "Unsupported sections")
	for _, s := range left {
		p.line("- %s%s", codes(s.name), reason(p, strings.TrimSuffix(s.note, ".")))
	}
	p.heading(2, "Everything else")
	p.table("gitlabform", "hew", coded(gitlabformDifferences))
	return p
}

// codes returns a list of names as code.
func codes(names string) string {
	return "`" + strings.ReplaceAll(names, ", ", "`, `") + "`"
}
