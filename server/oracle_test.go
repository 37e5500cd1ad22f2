package server_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"hew/server/rest"
	"hew/server/servertest"
)

type probe struct{ method, path, kind, body string }

// probes are requests of somebody whose own group and project are @group and @project. They name a
// group, project or runner of somebody else in the place of $, by the kind of thing. There is one
// for every route and parameter that names a thing in the body or query. @rule, @branch, @issue and
// @epic stand for an approval rule, a protected branch, an issue and an epic, which are created
// first.
var probes = slices.Concat(partyProbes(), epicProbes(), importProbes(), []probe{
	{"POST", "/groups", "group", `{"name":"x","path":"x","parent_id":$}`},
	{"POST", "/groups/@group/transfer", "group", `{"group_id":$}`},
	{"POST", "/groups/@group/share", "group", `{"group_id":$,"group_access":30}`},
	{"POST", "/projects/@project/share", "group", `{"group_id":$,"group_access":30}`},
	{"DELETE", "/groups/@group/share/$", "group", ``},
	{"DELETE", "/projects/@project/share/$", "group", ``},
	{"PUT", "/groups/@group", "project", `{"file_template_project_id":$}`},
	{"GET", "/namespaces/inner/exists?parent_id=$", "group", ``},
	{"GET", "/groups?search=@name&skip_groups=$", "group", ``},
	{"GET", "/todos?project_id=$", "project", ``},
	{"GET", "/todos?group_id=$", "group", ``},
	{"POST", "/todos/mark_as_done", "project", `{"project_id":$}`},
	{"POST", "/todos/mark_as_done", "group", `{"group_id":$}`},
	{"GET", "/groups/@group/subgroups?skip_groups=$", "group", ``},
	{"GET", "/groups/@group/descendant_groups?skip_groups=$", "group", ``},
	{"GET", "/groups/@group/groups/shared?skip_groups=$", "group", ``},
	{"GET", "/groups/@group/invited_groups?skip_groups=$", "group", ``},
	{"GET", "/projects/@project/groups?skip_groups=$", "group", ``},

	{"POST", "/projects", "group", `{"name":"x","namespace_id":$}`},
	{"PUT", "/projects/@project/transfer", "group", `{"namespace":$}`},
	{"PUT", "/projects/@project/transfer", "path", `{"namespace":"$"}`},
	{"POST", "/projects/@project/fork", "path", `{"namespace_path":"$"}`},
	{"POST", "/projects/@project/fork", "path", `{"namespace":"$"}`},
	{"POST", "/projects/@project/fork", "group", `{"namespace_id":$}`},

	{"POST", "/projects/@project/approval_rules", "group", `{"name":"r","approvals_required":1,"group_ids":[$]}`},
	{"POST", "/groups/@group/approval_rules", "group", `{"name":"r","approvals_required":1,"group_ids":[$]}`},
	{"PUT", "/projects/@project/approval_rules/@rule", "group", `{"group_ids":[$]}`},
	{"PUT", "/groups/@group/approval_rules/@rule", "group", `{"group_ids":[$]}`},
	{"POST", "/projects/@project/deploy_keys/$/enable", "key", ``},
	{"GET", "/projects/@project/repository/compare?from=a&to=b&from_project_id=$", "project", ``},
	{"POST", "/projects/@project/repository/commits", "project", `{"branch":"b","commit_message":"m","start_project":$,
		"start_branch":"main","actions":[{"action":"create","file_path":"f","content":"c"}]}`},
	{"POST", "/projects/@project/repository/commits", "path", `{"branch":"b","commit_message":"m","start_project":"$",
		"start_branch":"main","actions":[{"action":"create","file_path":"f","content":"c"}]}`},

	{"POST", "/projects/@project/issues/@issue/move", "project", `{"to_project_id":$}`},
	{"POST", "/projects/@project/issues/@issue/clone", "project", `{"to_project_id":$}`},
	{"POST", "/projects/@project/issues/@issue/links", "project", `{"target_project_id":$,"target_issue_iid":1}`},

	{"POST", "/projects/@project/merge_requests", "project",
		`{"source_branch":"b","target_branch":"main","title":"x","target_project_id":$}`},
	{"POST", "/projects/@project/merge_requests/@request/approval_rules", "group",
		`{"name":"x","approvals_required":1,"group_ids":[$]}`},
	{"PUT", "/projects/@project/merge_requests/@request/approval_rules/@rule", "group", `{"group_ids":[$]}`},

	{"POST", "/user/runners", "group", `{"runner_type":"group_type","group_id":$}`},
	{"POST", "/user/runners", "project", `{"runner_type":"project_type","project_id":$}`},
	{"POST", "/projects/@project/job_token_scope/allowlist", "project", `{"target_project_id":$}`},
	{"POST", "/projects/@project/job_token_scope/groups_allowlist", "group", `{"target_group_id":$}`},
	{"POST", "/projects/@project/runners", "runner", `{"runner_id":$}`},
	{"PUT", "/projects/@project/product_analytics/settings", "project", `{"dashboards_project_id":$}`},
	{"DELETE", "/projects/@project/runners/$", "runner", ``},

	{"POST", "/@path/alerts/notify.json", "path", `{}`},
	{"POST", "/@path/prometheus/alerts/notify.json", "path", `{}`},
	{"POST", "/@path/alerts/notify/x/0123456789abcdef.json", "path", `{}`},
})

// epicProbes are those of epics, under both spellings of their path.
func epicProbes() (list []probe) {
	for _, path := range []string{"/groups/@group/epics", "/groups/@group/-/epics"} {
		list = append(list,
			probe{"POST", path, "epic", `{"title":"x","parent_id":$}`},
			probe{"PUT", path + "/@epic", "epic", `{"parent_id":$}`},
			probe{"POST", path + "/@epic/epics/$", "epic", ``},
			probe{"POST", path + "/@epic/related_epics", "group", `{"target_group_id":$,"target_epic_iid":1}`})
	}
	return list
}

// importProbes are those of where an import goes, and of whose import is canceled. The archives are
// where nobody listens.
func importProbes() (list []probe) {
	bucket := `"access_key_id":"a","secret_access_key":"s","bucket_name":"b","file_key":"k","region":"eu-west-1"`
	for path, archive := range map[string]string{
		"/projects/remote-import":             `"url":"http://127.0.0.1:1/a.tar.gz"`,
		"/projects/remote-import-objectstore": bucket,
		"/projects/remote-import-s3":          bucket,
	} {
		for _, place := range []struct{ kind, body string }{
			{"group", `"namespace":"$"`}, {"path", `"namespace":"$"`}, {"group", `"namespace_id":$`},
			{"path", `"namespace_path":"$"`},
		} {
			list = append(list, probe{"POST", path, place.kind, `{"path":"x",` + archive + `,` + place.body + `}`})
		}
	}
	for _, host := range []string{"forge", "github"} {
		list = append(list, probe{"POST", "/import/" + host + "/cancel", "project", `{"project_id":$}`})
	}
	return list
}

// partyProbes are those of who may act on protected branches and tags.
func partyProbes() (list []probe) {
	branches := []string{"allowed_to_push", "allowed_to_merge", "allowed_to_unprotect"}
	for _, of := range []struct {
		method, path string
		parties      []string
	}{
		{"POST", "/projects/@project/protected_branches", branches},
		{"POST", "/groups/@group/protected_branches", branches},
		{"PATCH", "/projects/@project/protected_branches/@branch", branches},
		{"PATCH", "/groups/@group/protected_branches/@branch", branches},
		{"POST", "/projects/@project/protected_tags", []string{"allowed_to_create"}},
	} {
		for _, parties := range of.parties {
			list = append(list,
				probe{of.method, of.path, "group", `{"name":"x","` + parties + `":[{"group_id":$}]}`},
				probe{of.method, of.path, "key", `{"name":"x","` + parties + `":[{"deploy_key_id":$}]}`})
		}
	}
	return list
}

// prepared are the bodies that create what a placeholder stands for, in the collection before it,
// and what paths name that by; "" for its id.
var prepared = map[string]struct{ body, name string }{
	"@rule":    {`{"name":"r","approvals_required":1}`, ""},
	"@branch":  {`{"name":"b"}`, "b"},
	"@issue":   {`{"title":"i"}`, "1"},
	"@epic":    {`{"title":"e"}`, "1"},
	"@request": {`{"source_branch":"b","target_branch":"main","title":"r"}`, "1"},
}

// twoBranches are the commits of a project whose merge requests are probed.
var twoBranches = []string{
	`{"branch":"main","commit_message":"m","actions":[{"action":"create","file_path":"a","content":"1"}]}`,
	`{"branch":"b","start_branch":"main","commit_message":"m",
		"actions":[{"action":"create","file_path":"b","content":"1"}]}`,
}

// varying is what two answers to the same request differ in. A time that is a whole second has no
// fraction.
var varying = regexp.MustCompile(`"runners_token":"[^"]*"|[0-9]+(\.[0-9]+)?`)

// TestPrivateThingsDoNotExist: who cannot see a thing gets the same status and message as for one
// that does not exist.
func TestPrivateThingsDoNotExist(t *testing.T) {
	t.Parallel()
	s := servertest.Fresh(t)
	s.Do(t, s.RootToken, "PUT", "/application/settings", map[string]any{"project_import_limit": 0})
	owner, outsider := s.User(t, "owner"), s.User(t, "outsider")
	create := func(by, path string, body any) int64 {
		var made servertest.Made
		s.Do(t, by, "POST", path, body).Into(t, &made)
		return made.ID
	}
	named := func(name string) map[string]any { return map[string]any{"name": name, "path": name} }
	in := func(name string, group int64) map[string]any {
		return map[string]any{"name": name, "namespace_id": group}
	}
	hidden := create(owner.Token, "/groups", named("hidden"))
	secret := create(owner.Token, "/projects", in("secret", hidden))
	create(owner.Token, "/groups", map[string]any{"name": "inner", "path": "inner", "parent_id": hidden})
	create(owner.Token, fmt.Sprintf("/projects/%d/alert_integrations", secret), map[string]any{"name": "Checks"})
	private := map[string]string{
		"group": fmt.Sprint(hidden), "project": fmt.Sprint(secret), "path": "hidden/secret",
		"runner": fmt.Sprint(create(owner.Token, "/user/runners", map[string]any{
			"runner_type": "project_type", "project_id": secret, "locked": false})),
		"key": fmt.Sprint(create(owner.Token, fmt.Sprintf("/projects/%d/deploy_keys", secret), map[string]any{
			"title": "k", "key": "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIO1hsWgSXLXdmgYRAfVYTJ0V4q4g0LhBVcVhDuNYl4Cd"})),
		"epic": fmt.Sprint(create(owner.Token, fmt.Sprintf("/groups/%d/epics", hidden), map[string]any{"title": "e"})),
	}
	missing := map[string]string{
		"group": "9999", "project": "9999", "path": "hidden/nothing", "runner": "9999", "key": "9999", "epic": "9999",
	}
	for i, p := range probes {
		t.Run(fmt.Sprint(p.method, " ", p.path, " ", p.body), func(t *testing.T) {
			t.Parallel()
			// Each request gets a group and project of its own, in case that it changes something.
			answer := func(name string, things map[string]string) string {
				group := create(outsider.Token, "/groups", named(name))
				project := create(outsider.Token, "/projects", in(name, group))
				thing := things[p.kind]
				path := strings.NewReplacer("@group", fmt.Sprint(group), "@name", name, "@project", fmt.Sprint(project),
					"@path", thing, "$", thing).Replace(p.path)
				if strings.HasPrefix(p.path, "/@path") {
					path = strings.TrimSuffix(s.URL, "/api/v4") + path
				}
				if strings.Contains(path, "/merge_requests") {
					for _, body := range twoBranches {
						commits := fmt.Sprintf("/projects/%d/repository/commits", project)
						require.Equal(t, 201, s.Do(t, outsider.Token, "POST", commits, json.RawMessage(body)).Status)
					}
				}
				for {
					collection, rest, found := strings.Cut(path, "/@")
					if !found {
						break
					}
					placeholder, rest, more := strings.Cut(rest, "/")
					thing := prepared["@"+placeholder]
					id := create(outsider.Token, collection, json.RawMessage(thing.body))
					path = collection + "/" + cmp.Or(thing.name, fmt.Sprint(id))
					if more {
						path += "/" + rest
					}
				}
				var body any
				if p.body != "" {
					body = json.RawMessage(strings.ReplaceAll(p.body, "$", thing))
				}
				r := s.Do(t, outsider.Token, p.method, path, body)
				require.False(t, servertest.Failed(r.Status), "%d %s", r.Status, r.Body)
				text := strings.NewReplacer(name, "NAME", thing, "THING").Replace(string(r.Body))
				return fmt.Sprint(r.Status, " ", varying.ReplaceAllString(text, "…"))
			}
			n := strconv.Itoa(i)
			require.Equal(t, answer("missing"+n, missing), answer("private"+n, private))
		})
	}
}

// namesThings are the parameters that name a group, project or private object besides that of the
// path.
var namesThings = regexp.MustCompile(
	`^(\w+_)?(group|project|runner|namespace|parent|deploy_key)_(id|ids|path)$|^namespace$|^skip_groups$|^start_project$`)

// exemptThings are those that name nothing on this server, or that only administrators may use.
var exemptThings = map[string]string{
	"template_project_id":                     "needs repositories: 501",
	"group_with_project_templates_id":         "needs repositories: 501",
	"artifact_registry_project_id":            "a project of another service",
	"workload_identity_federation_project_id": "a project of another service",
}

// TestProbesAreComplete: there is a probe, or a reason for none, for every route and parameter that
// names a thing.
func TestProbesAreComplete(t *testing.T) {
	t.Parallel()
	exempt := map[string]bool{}
	for _, r := range sum().Routes {
		for _, name := range r.Parameters() {
			leaf := name[strings.LastIndex(name, ".")+1:]
			if exemptThings[leaf] != "" {
				exempt[leaf] = true
				continue
			}
			if r.Need == "admin" || strings.Contains(r.Path, "{"+name+"}") || !namesThings.MatchString(leaf) {
				continue
			}
			assert.True(t, slices.ContainsFunc(probes, func(p probe) bool { return p.tries(r, name) }),
				"%s %s takes %s, which no probe names", r.Method, r.Path, name)
		}
	}
	for name := range exemptThings {
		assert.True(t, exempt[name], "no route takes %s", name)
	}
}

var routeWildcard = regexp.MustCompile(`\\\{[^}]+\\\}`)

// tries reports whether the probe is a request for a route that gives a parameter.
func (p probe) tries(r rest.Route, parameter string) bool {
	path, query, _ := strings.Cut(p.path, "?")
	pattern := "^" + routeWildcard.ReplaceAllString(regexp.QuoteMeta(r.Path), "[^/]+") + "$"
	return p.method == r.Method && regexp.MustCompile(pattern).MatchString(path) &&
		(strings.Contains(p.body, `"`+strings.ReplaceAll(parameter, ".", `":[{"`)+`":`) ||
			strings.Contains("&"+query, "&"+parameter+"="))
}
