package testacc

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
)

// attribute is one as `hew schema` prints it.
type attribute struct {
	Name, Type, Mode, Reference string
	Default, Usual              any
	Instead                     string
	Values                      []string
	Fixed, Once, Local, Named   bool
	Secret, Readable            bool
}

// kind is one as `hew schema` prints it.
type kind struct {
	Name, Element string
	Key           []string
	Holds         string // "one", "one or none", or nothing for many
	Attributes    []attribute
}

// pairs are two values of attributes whose type does not say what they take, by kind and name or by
// name alone, as they are written in configuration. A new kind needs a row here only where a guess
// would be refused.
var pairs = map[string][2]string{
	"approvals_required":           {`1`, `2`},
	"group_approval_rule.users":    {`["root"]`, `[]`}, // root created the group and is a member
	"group_approval_rule.groups":   {`[group.base.id]`, `[]`},
	"rule_type":                    {`"regular"`, `"any_approver"`},
	"project_approval_rule.users":  {`["root"]`, `[]`},
	"project_approval_rule.groups": {`[group.base.id]`, `[]`},

	"project_label.name":      {`"of the project"`, `"of this project"`}, // beside one of the group
	"project_milestone.title": {`"of the project"`, `"of this project"`},

	"access_level":       {`"developer"`, `"maintainer"`},
	"ldap_access":        {`"developer"`, `"maintainer"`},
	"repository_storage": {`"default"`, `"default"`},
	"organization_id":    {`1`, `1`},
	"color":              {`"red"`, `"#0f0"`},
	"start_date":         {`"2030-01-02"`, `"2030-02-03"`},
	"due_date":           {`"2031-01-02"`, `"2031-02-03"`},
	"username":           {`"life-one"`, `"life.two"`},
	"user.external":      {`false`, `false`}, // who is external makes no groups
	"user.email":         {`"life-one@example.com"`, `"life-two@example.com"`},
	"expires_at":         {`"2099-01-02"`, `"2099-02-03"`},
	// as visible as what it is in, and no guard's matter
	"visibility": {`"internal"`, `"private"`},
	"path":       {`"first-path"`, `"second.path"`},
	"url": {
		`"https://one.example.com/{part}"`, `"https://two.example.com/{part}"`,
	},
	"url_variables":                            {`{ part = "one" }`, `{ part = "two" }`},
	"custom_headers":                           {`{ X-One = "1", X-Both = "1" }`, `{ X-Two = "2", X-Both = "2" }`},
	"allowed_email_domains_list":               {`"one.example.com"`, `"two.example.com,one.example.com"`},
	"ip_restriction_ranges":                    {`"127.0.0.0/8"`, `"127.0.0.0/8,10.0.0.0/8"`},
	"group_members.members":                    {`{ alice = { access_level = "developer" }, bob = { access_level = 30 } }`, `{ alice = { access_level = "maintainer" }, carol = { access_level = "guest" } }`},
	"project_members.members":                  {`{ alice = { access_level = "developer" }, bob = { access_level = 30 } }`, `{ alice = { access_level = "maintainer" }, carol = { access_level = "guest" } }`},
	"group_access":                             {`"developer"`, `"reporter"`},
	"push_access_level":                        {`"developer"`, `"no_access"`},
	"merge_access_level":                       {`"no_access"`, `"developer"`},
	"unprotect_access_level":                   {`"developer"`, `"admin"`},
	"create_access_level":                      {`"developer"`, `60`},
	"scopes":                                   {`["api"]`, `["read_api", "read_repository"]`},
	"group_deploy_token.scopes":                {`["read_repository"]`, `["read_registry", "read_repository"]`},
	"project_deploy_token.scopes":              {`["read_repository"]`, `["read_registry", "read_repository"]`},
	"group_access_token.expires_at":            {soon(30), soon(60)},
	"project_access_token.expires_at":          {soon(30), soon(60)},
	"ci_delete_pipelines_in_seconds":           {`86400`, `172800`},
	"build_timeout":                            {`7200`, `1800`},
	"ci_id_token_sub_claim_components":         {`["project_path", "ref"]`, `["project_path", "ref_type"]`},
	"archive_builds_in_human_readable":         {`"30 days"`, `"2 years"`},
	"container_registry_import_created_before": {`"2030-01-02T03:04:05Z"`, `"2031-01-02T04:04:05+01:00"`},
	"key":                                  {`"FIRST"`, `"SECOND"`},
	"value":                                {`"0123456789"`, `"9876543210"`},
	"pipeline_schedule.ref":                {`"main"`, `"refs/tags/v1.0"`},
	"pipeline_schedule.cron":               {`"0 4 * * *"`, `"30 3 * * mon-fri"`},
	"pipeline_schedule.cron_timezone":      {`"Europe/Berlin"`, `"America/New_York"`},
	"pipeline_schedule.owner":              {`"root"`, `"root"`}, // hosts set it to nobody else
	"pipeline_schedule.variables":          {`{ ONE = "first", BOTH = "first" }`, `{ TWO = "second", BOTH = "second" }`},
	"pipeline_schedule.file_variables":     {`{ THREE = "third" }`, `{ FOUR = "fourth", ONE = "fifth" }`},
	"deploy_key.key":                       {`"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAILzzIIEZjIqcTrN+Og9DISiejcqKql/btK3SEuixEzFd"`, `"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBXedGupgbDhZ335b9IEa5Mx0FTUM6j01hOoQWlN057D"`},
	"group.default_branch":                 {`"main"`, `"trunk"`},
	"custom_webhook_template":              {`"{\"event\": \"{{event_name}}\"}"`, `"{\"kind\": \"{{object_kind}}\"}"`},
	"auto_devops_domain":                   {`"one.example.com"`, `"two.example.com"`},
	"default_branch_name":                  {`"trunk"`, `"development"`},
	"default_preferred_language":           {`"de"`, `"fr"`},
	"eks_account_id":                       {`"123456789012"`, `"210987654321"`},
	"elasticsearch_url":                    {`["https://one.example.com:9200"]`, `["https://two.example.com:9200"]`},
	"sentry_clientside_dsn":                {`"https://key@one.example.com/1"`, `"https://key@two.example.com/1"`},
	"sentry_dsn":                           {`"https://key@one.example.com/2"`, `"https://key@two.example.com/2"`},
	"snowplow_collector_hostname":          {`"one.example.com"`, `"two.example.com"`},
	"snowplow_cookie_domain":               {`"one.example.com"`, `"two.example.com"`},
	"snowplow_database_collector_hostname": {`"one.example.com"`, `"two.example.com"`},
	"spam_check_endpoint_url":              {`"grpc://one.example.com"`, `"tls://two.example.com"`},
	"default_artifacts_expire_in":          {`"7 days"`, `"2 weeks"`},
	"default_project_creation":             {`1`, `3`},
	"dsa_key_restriction":                  {`-1`, `2048`},
	"rsa_key_restriction":                  {`4096`, `2048`},
	"ecdsa_key_restriction":                {`384`, `521`},
	"ecdsa_sk_key_restriction":             {`-1`, `256`},
	"ed25519_key_restriction":              {`-1`, `256`},
	"ed25519_sk_key_restriction":           {`256`, `-1`},
	"first_day_of_week":                    {`1`, `6`},
	"after_sign_out_path":                  {`"https://one.example.com"`, `"https://two.example.com"`},
	"custom_http_clone_url_root":           {`"https://one.example.com"`, `"https://two.example.com"`},
	"commit_email_hostname":                {`"one.example.com"`, `"two.example.com"`},
	"hashed_storage_enabled":               {`true`, `true`},
	"import_sources":                       {`["github", "gitea"]`, `[]`},
	"kroki_formats":                        {`{ mermaid = true }`, `{ bpmn = true }`},
	"personal_access_token_prefix":         {`"one-"`, `"two-"`},
	"repository_storages_weighted":         {`{ default = 50 }`, `{ default = 70 }`},
	"restricted_visibility_levels":         {`["public"]`, `["internal", "public"]`},
	"instance_runner.access_level":         {`"ref_protected"`, `"not_protected"`},
	"group_runner.access_level":            {`"ref_protected"`, `"not_protected"`},
	"project_runner.access_level":          {`"ref_protected"`, `"not_protected"`},
	"maximum_timeout":                      {`600`, `3600`},
	"valid_runner_registrars":              {`["group"]`, `["project"]`},
	"integration.slug":                     {`"slack"`, `"mattermost"`},
	"integration.properties":               {`{ webhook = "https://hooks.example.com/1", channel = "#one", notify_only_broken_pipelines = true }`, `{ webhook = "https://hooks.example.com/2", channel = "#two", notify_only_broken_pipelines = false }`},
	"group_integration.slug":               {`"slack"`, `"mattermost"`},
	"group_integration.properties":         {`{ webhook = "https://hooks.example.com/1", channel = "#one", notify_only_broken_pipelines = true }`, `{ webhook = "https://hooks.example.com/2", channel = "#two", notify_only_broken_pipelines = false }`},
	"default_branch_protection_defaults": {
		`{ allowed_to_push = [{ access_level = 30 }], allowed_to_merge = [{ access_level = 40 }], allow_force_push = true, code_owner_approval_required = false, developer_can_initial_push = false }`,
		`{ allowed_to_push = [{ access_level = 40 }], allowed_to_merge = [{ access_level = 30 }], allow_force_push = false, code_owner_approval_required = false, developer_can_initial_push = true }`,
	},
	"container_expiration_policy_attributes": {
		`{ enabled = true, cadence = "7d", keep_n = 5, older_than = "30d", name_regex = "a.*", name_regex_keep = "b.*" }`,
		`{ enabled = false, cadence = "1month", keep_n = 10, older_than = "90d", name_regex = "c.*", name_regex_keep = "d.*" }`,
	},
}

// Who is named beside a role has to belong to the project: its owner does, and the group that it is
// in.
func init() {
	for kind, acts := range map[string][]string{
		"protected_branch": {"push", "merge", "unprotect"}, "group_protected_branch": {"push", "merge", "unprotect"},
		"protected_tag": {"create"},
	} {
		for _, act := range acts {
			pairs[kind+"."+act+"_users"] = [2]string{`["root"]`, `[]`}
			pairs[kind+"."+act+"_groups"] = [2]string{`[group.base.id]`, `[]`}
		}
	}
}

// lifts are the guards that the life of a kind trips by what it is about.
var lifts = map[string]string{
	"group_approval_rule": "approvals-lowered", "project_approval_rule": "approvals-lowered",
	"project_approval_settings": "approvals-lowered",
}

// needed are attributes without which an object cannot be stated, although others of its kind can.
var needed = []string{"integration.properties", "group_integration.properties",
	"package_protection_rule.minimum_access_level_for_push"}

// endings are two values of text attributes that are called alike.
var endings = map[string][2]string{
	"_url":   {`"https://one.example.com"`, `"https://two.example.com"`},
	"_email": {`"one@example.com"`, `"two@example.com"`},
	"_ips":   {`"127.0.0.0/8"`, `"0.0.0.0/0"`},
}

// soon is a day that is near enough for a token.
func soon(days int) string { return quoted(time.Now().AddDate(0, 0, days).Format(time.DateOnly)) }

// left are attributes that the life cycle does not state, by the reason.
var left = map[string]string{
	"says the same as another attribute": `
		group.emails_disabled project.emails_disabled project.issues_enabled project.merge_requests_enabled project.wiki_enabled
		group_member.email project_member.email project.jobs_enabled project.snippets_enabled project.container_registry_enabled project.restrict_user_defined_variables
		application_settings.allow_local_requests_from_hooks_and_services application_settings.asset_proxy_whitelist
		application_settings.autocomplete_users_limit application_settings.autocomplete_users_unauthenticated_limit
		application_settings.outbound_local_requests_allowlist_raw application_settings.prevent_merge_requests_author_approval
		application_settings.prevent_merge_requests_committers_approval application_settings.throttle_unauthenticated_enabled
		application_settings.throttle_unauthenticated_period_in_seconds application_settings.throttle_unauthenticated_requests_per_period`,
	"needs a repository, which the server does not have yet": `
		project.default_branch project.import_url project.initialize_with_readme project.template_name project.template_project_id
		project.use_custom_template project.group_with_project_templates_id project.repository_object_format project.mirror
		project.mirror_trigger_builds project.mirror_user_id project.mirror_branch_regex project.mirror_overwrites_diverged_branches
		project.only_mirror_protected_branches`,
	"another service has it; told in integrations.txtar": `
		integration.comment_on_event_enabled integration.commit_events integration.job_events integration.project_events integration.subgroup_events
		group_integration.comment_on_event_enabled group_integration.commit_events group_integration.job_events group_integration.project_events
		group_integration.subgroup_events integration.use_inherited_settings group_integration.use_inherited_settings`,
	"leads to a branch of the project":                                           `project_approval_rule.protected_branches`,
	"leads to a deploy key of the project; told in push_keys.txtar":              `protected_branch.push_deploy_keys protected_tag.create_deploy_keys`,
	"excludes locked; told in runner.txtar":                                      `project_runner.projects`,
	"leads to a group":                                                           `application_settings.performance_bar_allowed_group_path application_settings.performance_bar_allowed_group_id`,
	"goes with masked alone; told in variables.txtar":                            `group_variable.hidden project_variable.hidden`,
	"excludes another attribute; told in links.txtar":                            `group_ldap_link.filter push_mirror.only_protected_branches`,
	"is of custom roles, which the server does not have":                         `group_ldap_link.member_role_id group_saml_link.member_role_id`,
	"would remove the owner that the server insists on; told in exclusive.txtar": `group_members.exclusive project_members.exclusive`,
	"keeps everything else from being changed; told in states.txtar":             `project.archived`,
}

// leaves tells whether the life cycle leaves an attribute out.
func leaves(name string) bool {
	for _, names := range left {
		if slices.Contains(strings.Fields(names), name) {
			return true
		}
	}
	return false
}

// literal is a value of an attribute as it is written in configuration; round is 0 or 1, and the
// values differ.
func literal(k kind, a attribute, round int) (string, error) {
	for _, name := range []string{k.Name + "." + a.Name, a.Name} {
		if pair, ok := pairs[name]; ok {
			return pair[round], nil
		}
	}
	for ending, pair := range endings {
		if strings.HasSuffix(a.Name, ending) && a.Type == "string" {
			return pair[round], nil
		}
	}
	if len(a.Values) > 0 {
		others := slices.DeleteFunc(slices.Clone(a.Values), func(v string) bool { return v == a.Default })
		return quoted(append(others, a.Values...)[round]), nil
	}
	switch a.Type {
	case "bool":
		usual, _ := a.Default.(bool)
		return fmt.Sprint((round == 0) != usual), nil
	case "number":
		usual, _ := a.Default.(float64)
		return fmt.Sprint(int(usual) + 1 + round), nil
	case "string":
		return quoted([]string{"the first ", "the second "}[round] + a.Name), nil
	case "set(string)", "list(string)":
		return []string{`["one"]`, `["one", "two"]`}[round], nil
	case "set(number)":
		return []string{`[1]`, `[]`}[round], nil
	case "map(string)":
		return []string{`{ one = "1" }`, `{ two = "2" }`}[round], nil
	}
	return "", fmt.Errorf("%s.%s is of type %s: give two values of it in pairs", k.Name, a.Name, a.Type)
}

// quoted is a text in configuration; JSON's strings are such, but for templates.
func quoted(text string) string {
	data, _ := json.Marshal(text) // a string never fails
	return strings.NewReplacer("${", "$${", "%{", "%%{").Replace(string(data))
}
