package server_test

import (
	"cmp"
	"crypto/rand"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"hew/server/servertest"
)

// duplicate is a request that only one of several at once can fulfil. n is another number in each
// of them, for fields that must differ.
type duplicate struct {
	constraint string // that decides between them
	method     string
	path       string // {g} and {p} stand for the group and the project
	body       func(c contest, n int) map[string]any
}

// duplicates has a request of root for every unique constraint of what requests create.
var duplicates = []duplicate{
	{"users_username_key", "POST", "/users", func(c contest, n int) map[string]any {
		return map[string]any{"username": c.name, "name": "x", "email": fmt.Sprintf("%s-%d@example.com", c.name, n),
			"force_random_password": true}
	}},
	{"users_email_key", "POST", "/users", func(c contest, n int) map[string]any {
		return map[string]any{"username": fmt.Sprintf("%s-%d", c.name, n), "name": "x",
			"email": c.name + "@example.com", "force_random_password": true}
	}},
	{"routes_pkey", "POST", "/groups", func(c contest, n int) map[string]any {
		return map[string]any{"name": fmt.Sprintf("%s-%d", c.name, n), "path": c.name, "parent_id": c.group.ID}
	}},
	{"namespaces_name_key", "POST", "/groups", func(c contest, n int) map[string]any {
		return map[string]any{"name": c.name, "path": fmt.Sprintf("%s-%d", c.name, n), "parent_id": c.group.ID}
	}},
	{"projects_name_key", "POST", "/projects", func(c contest, n int) map[string]any {
		return map[string]any{"name": c.name, "path": fmt.Sprintf("%s-%d", c.name, n), "namespace_id": c.group.ID}
	}},
	{"topics_name_key", "POST", "/topics", func(c contest, _ int) map[string]any {
		return map[string]any{"name": c.name, "title": c.name}
	}},
	{"members_namespace_id_key", "POST", "/groups/{g}/members", asMember},
	{"members_project_id_key", "POST", "/projects/{p}/members", asMember},
	{"shares_namespace_id_key", "POST", "/groups/{g}/share", asShare},
	{"shares_project_id_key", "POST", "/projects/{p}/share", asShare},
	{"invitations_namespace_id_key", "POST", "/groups/{g}/invitations", asInvitation},
	{"invitations_project_id_key", "POST", "/projects/{p}/invitations", asInvitation},
	{"labels_namespace_id_key", "POST", "/groups/{g}/labels", with("color", "red")},
	{"labels_project_id_key", "POST", "/projects/{p}/labels", with("color", "red")},
	{"milestones_namespace_id_title_key", "POST", "/groups/{g}/milestones", with("title", "1.0")},
	{"milestones_project_id_title_key", "POST", "/projects/{p}/milestones", with("title", "1.0")},
	{"issues_project_id_iid_key", "POST", "/projects/{p}/issues", with("title", "Bug", "iid", 77)},
	{"variables_namespace_id_key", "POST", "/groups/{g}/variables", with("key", "K", "value", "v")},
	{"variables_project_id_key", "POST", "/projects/{p}/variables", with("key", "K", "value", "v")},
	{"variables_instance_key", "POST", "/admin/ci/variables", func(c contest, _ int) map[string]any {
		return map[string]any{"key": strings.ReplaceAll(c.name, "-", "_"), "value": "v"}
	}},
	{"push_rules_namespace_id_key", "POST", "/groups/{g}/push_rule", with("deny_delete_tag", true)},
	{"push_rules_project_id_key", "POST", "/projects/{p}/push_rule", with("deny_delete_tag", true)},
	{"protected_refs_namespace_id_key", "POST", "/groups/{g}/protected_branches", with("name", "main")},
	{"protected_refs_project_id_key", "POST", "/projects/{p}/protected_branches", with("name", "main")},
	{"approval_rules_name_in_group", "POST", "/groups/{g}/approval_rules", with("approvals_required", 1)},
	{"approval_rules_name_in_project", "POST", "/projects/{p}/approval_rules", with("approvals_required", 1)},
	{"approval_rules_any_of_group", "POST", "/groups/{g}/approval_rules", asAnyApprover},
	{"approval_rules_any_of_project", "POST", "/projects/{p}/approval_rules", asAnyApprover},
	{"deploy_keys_fingerprint_sha256_key", "POST", "/projects/{p}/deploy_keys",
		func(c contest, _ int) map[string]any { return map[string]any{"title": "x", "key": c.ssh} }},
	{"ssh_keys_fingerprint_sha256_key", "POST", "/user/keys",
		func(c contest, _ int) map[string]any { return map[string]any{"title": "x", "key": c.ssh} }},
	{"saml_group_links_name_key", "POST", "/groups/{g}/saml_group_links",
		with("saml_group_name", "x", "access_level", 30)},
	{"ldap_group_links_cn_key", "POST", "/groups/{g}/ldap_group_links",
		with("cn", "x", "group_access", 30, "provider", "ldapmain")},
	{"ldap_group_links_filter_key", "POST", "/groups/{g}/ldap_group_links",
		with("filter", "(a=b)", "group_access", 30, "provider", "ldapmain")},
	{"gpg_keys_fingerprint_key", "POST", "/user/gpg_keys",
		func(c contest, _ int) map[string]any { return map[string]any{"key": c.gpg} }},
	{"stars_pkey", "POST", "/projects/{p}/star", with()},
	{"package_protection_rules_project_id_type_name_pattern_key", "POST", "/projects/{p}/packages/protection/rules",
		with("package_name_pattern", "x", "package_type", "npm", "minimum_access_level_for_push", "owner")},
}

// ownDuplicates are requests of the user of the contest.
var ownDuplicates = []duplicate{
	{"access_requests_namespace_id_key", "POST", "/groups/{g}/access_requests", with()},
	{"access_requests_project_id_key", "POST", "/projects/{p}/access_requests", with()},
}

// ruleAnswers are the answers of rules that look first, by the constraint that decides between
// requests at once. All others answer as the refusal of the constraint says.
var ruleAnswers = map[string]string{
	"routes_pkey":                     "has already been taken",
	"push_rules_namespace_id_key":     "Group push rule exists, try updating",
	"push_rules_project_id_key":       "Project push rule exists",
	"protected_refs_namespace_id_key": "Protected branch 'main' already exists",
	"protected_refs_project_id_key":   "Protected branch 'main' already exists",
	"stars_pkey":                      "304",
}

// undisputed are unique constraints that no two equal creations violate, and why.
var undisputed = map[string]string{
	"integration_deliveries_key_key":    "the insert has an on conflict clause",
	"alert_integrations_project_id_key": "endpoints are random", "alerts_fingerprint_key": "counted as one",
	"alerts_iid_key": "counted", "approval_settings_namespace_id_key": "put", "approval_settings_project_id_key": "put",
	"avatars_namespace_id_key": "put", "avatars_project_id_key": "put",
	"avatars_topic_id_key": "put", "avatars_user_id_key": "put",
	"uploads_namespace_id_secret_name_key": "random", "uploads_project_id_secret_name_key": "random",
	"commits_repository_id_oid_key": "equal commits are one", "lfs_locks_path": "answered with the lock that there is",
	"pull_mirrors_project_id_key": "the insert has an on conflict clause",
	"blobs_key_key":               "random", "blobs_sha256_key": "equal content is one blob",
	"deploy_keys_projects_deploy_key_id_key": "enabled once", "error_tracking_project_id_key": "put",
	"errors_project_id_fingerprint_key": "counted as one", "error_events_error_id_event_id_key": "one event sent twice",
	"deploy_tokens_digest_key": "random", "error_tracking_keys_public_key_key": "random",
	"iids_key": "counted", "integrations_namespace_id_key": "put",
	"integrations_project_id_key": "put", "milestones_namespace_id_iid_key": "counted",
	"milestones_project_id_iid_key": "counted", "namespaces_owner_id_key": "made with the user",
	"namespaces_runners_token_digest_key": "random", "personal_access_tokens_digest_key": "random",
	"projects_runners_token_digest_key": "random", "protected_ref_levels_access_level_key": "of one request",
	"protected_ref_levels_deploy_key_id_key": "of one request", "protected_ref_levels_group_id_key": "of one request",
	"protected_ref_levels_user_id_key": "of one request", "repositories_project_id_kind_key": "made once",
	"release_links_release_id_filepath_key": "under the lock of the release",
	"release_links_release_id_name_key":     "under the lock of the release",
	"release_links_release_id_url_key":      "under the lock of the release",
	"releases_project_id_tag_key":           "under a lock: package release tests it",
	"repositories_namespace_id_kind_key":    "made once", "repositories_snippet_id_key": "made once",
	"snippets_user_id_source_key": "a user has one import at a time",
	"routes_namespace_id_key":     "one of each group",
	"routes_project_id_key":       "one of each project", "runner_managers_runner_id_key": "put",
	"runner_projects_runner_id_key": "assigned under a lock", "runners_digest_key": "random",
	"terraform_state_versions_serial_key": "under the lock of the state", "terraform_states_project_id_key": "put",
	"todos_pending_key": "package todo tests it",
	"packages_project_id_type_name_key_version_key_key": "the insert has an on conflict clause: package packages tests it",
	"package_settings_namespace_id_key":                 "put",
	"merge_requests_project_id_iid_key":                 "counted", "merge_requests_branches_key": "package merge tests it",
	"merge_request_blocks_key":     "no route makes one yet",
	"merge_request_rules_any_key":  "under the lock of the merge request",
	"merge_request_rules_name_key": "under the lock of the merge request",
	"merge_request_approvals_key":  "package merge tests it", "suggestions_note_id_position_key": "of one request",
	"subscriptions_merge_request_id_key": "put", "award_emoji_merge_request_id_key": "package note tests it",
	"internal_users_user_id_key": "made once", "incident_settings_project_id_key": "put",
	"iterations_namespace_id_iid_key": "counted", "epics_namespace_id_iid_key": "counted",
	"issue_links_key": "package work tests it", "epic_links_key": "package work tests it",
	"subscriptions_issue_id_key": "put", "subscriptions_epic_id_key": "put", "mentions_key": "counted as one",
	"award_emoji_issue_id_key": "package note tests it", "award_emoji_epic_id_key": "package note tests it",
	"award_emoji_note_id_key": "package note tests it", "award_emoji_snippet_id_key": "a transcript of notes on snippets tests it",
	"wiki_pages_namespace_id_key": "put", "wiki_pages_project_id_key": "put",
	"pipelines_upstream_job_id_key": "a task that is tried again finds the pipeline",
	"pipelines_project_id_iid_key":  "counted", "pipeline_variables_pipeline_id_key": "put",
	"job_definitions_project_id_key": "equal definitions are one", "job_variables_job_id_key": "put",
	"jobs_token_digest_key": "random", "pipeline_triggers_digest_key": "random",
	"deployments_project_id_iid_key":              "counted",
	"pipeline_schedule_variables_schedule_id_key": "no route makes one yet",
	"resource_groups_project_id_key":              "no route makes one yet",
	"environments_project_id_name_key":            "no route makes one yet",
	"environments_project_id_slug_key":            "no route makes one yet",
	"job_artifacts_job_id_key":                    "no route makes one yet",
	"job_token_scopes_project_id_key":             "no route makes one yet",
}

// with returns a body of these fields and a name.
func with(fields ...any) func(contest, int) map[string]any {
	return func(contest, int) map[string]any {
		body := map[string]any{"name": "x"}
		for i := 0; i < len(fields); i += 2 {
			body[fields[i].(string)] = fields[i+1]
		}
		return body
	}
}

func asMember(c contest, _ int) map[string]any {
	return map[string]any{"user_id": c.user.ID, "access_level": 30}
}

func asShare(c contest, _ int) map[string]any {
	return map[string]any{"group_id": c.guests.ID, "group_access": 30, "group_access_level": 30}
}

func asInvitation(c contest, _ int) map[string]any {
	return map[string]any{"email": c.name + "@example.com", "access_level": 30}
}

func asAnyApprover(_ contest, n int) map[string]any {
	return map[string]any{"name": fmt.Sprint("x", n), "rule_type": "any_approver", "approvals_required": 1}
}

// A creation that loses a race against an equal one gets the answer of one that comes later, and
// that is the one of the constraint.
func TestDuplicatesAtOnce(t *testing.T) {
	t.Parallel()
	const rounds, contenders = 3, 3
	s := servertest.Start(t)
	w, refusals := s.World(t), sum().Refusals
	for i, d := range slices.Concat(duplicates, ownDuplicates) {
		for round := range rounds {
			c := newContest(t, w, fmt.Sprintf("dup-%d-%s-%s", round, strings.ReplaceAll(d.constraint, "_", "-"),
				strings.ToLower(rand.Text()[:6])))
			path := strings.NewReplacer("{g}", fmt.Sprint(c.group.ID), "{p}", fmt.Sprint(c.project.ID)).Replace(d.path)
			token := s.RootToken
			if i >= len(duplicates) {
				token = s.Token(t, c.user.ID)
			}
			ask := func(n int) string {
				r := s.Do(t, token, d.method, path, d.body(c, n))
				require.False(t, servertest.Failed(r.Status), "%s: %d %s", d.constraint, r.Status, r.Body)
				return fmt.Sprintf("%d %s", r.Status, r.Body)
			}
			answers := make([]string, contenders)
			var all sync.WaitGroup
			for n := range contenders {
				all.Go(func() { answers[n] = ask(n) })
			}
			all.Wait()
			later := ask(contenders)
			firsts := slices.DeleteFunc(answers, func(a string) bool { return a == later })
			if len(firsts) == 0 && strings.HasPrefix(later, "20") {
				continue // all are told the same, however often they ask
			}
			require.Len(t, firsts, 1, "%s: later %q", d.constraint, later)
			require.True(t, strings.HasPrefix(firsts[0], "20"), "%s: %s", d.constraint, firsts)
			refusal := refusals[d.constraint]
			answer := cmp.Or(ruleAnswers[d.constraint], refusal.Text, refusal.Conflict)
			require.NotEmpty(t, answer, d.constraint)
			assert.Contains(t, later, answer, d.constraint)
		}
	}
}

// A unique constraint has a race above, or a reason to have none.
func TestEveryUniqueConstraintIsContested(t *testing.T) {
	t.Parallel()
	rows, err := servertest.Store(t).DB().Query(t.Context(), `
		select i.relname::text as name, x.indisprimary as primary from pg_index x join pg_class i on i.oid = x.indexrelid
			join pg_class r on r.oid = x.indrelid
		where x.indisunique and r.relnamespace = 'public'::regnamespace and r.relname not like 'river%'`)
	require.NoError(t, err)
	constraints, err := pgx.CollectRows(rows, pgx.RowToStructByName[struct {
		Name    string
		Primary bool
	}])
	require.NoError(t, err)
	all := slices.Concat(duplicates, ownDuplicates)
	var names []string
	for _, c := range constraints {
		names = append(names, c.Name)
		contested := slices.ContainsFunc(all, func(d duplicate) bool { return d.constraint == c.Name })
		if !c.Primary {
			assert.NotEqual(t, contested, undisputed[c.Name] != "", c.Name)
		}
	}
	for _, d := range all {
		assert.Contains(t, names, d.constraint)
	}
	for name := range undisputed {
		assert.Contains(t, names, name, "there is no such constraint")
	}
}
