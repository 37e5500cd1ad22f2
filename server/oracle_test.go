package server_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/servertest"
)

type probe struct{ method, path, kind, body string }

// probes are requests of somebody whose own group and project are @group and @project. They name a
// group, project or runner of somebody else in the place of $, by the kind of thing. Each stands
// for all routes that take the parameter in the body or query.
var probes = []probe{
	{"POST", "/groups", "group", `{"name":"x","path":"x","parent_id":$}`},
	{"POST", "/groups/@group/transfer", "group", `{"group_id":$}`},
	{"POST", "/groups/@group/share", "group", `{"group_id":$,"group_access":30}`},
	{"POST", "/projects/@project/share", "group", `{"group_id":$,"group_access":30}`},
	{"DELETE", "/groups/@group/share/$", "group", ``},
	{"DELETE", "/projects/@project/share/$", "group", ``},
	{"PUT", "/groups/@group", "project", `{"file_template_project_id":$}`},
	{"GET", "/namespaces/inner/exists?parent_id=$", "group", ``},
	{"GET", "/groups?search=@name&skip_groups=$", "group", ``},

	{"POST", "/projects", "group", `{"name":"x","namespace_id":$}`},
	{"PUT", "/projects/@project/transfer", "group", `{"namespace":$}`},
	{"PUT", "/projects/@project/transfer", "path", `{"namespace":"$"}`},
	{"POST", "/projects/@project/fork", "path", `{"namespace_path":"$"}`},

	{"POST", "/projects/@project/approval_rules", "group", `{"name":"r","approvals_required":1,"group_ids":[$]}`},
	{"POST", "/groups/@group/approval_rules", "group", `{"name":"r","approvals_required":1,"group_ids":[$]}`},
	{"POST", "/projects/@project/protected_branches", "group", `{"name":"b","allowed_to_push":[{"group_id":$}]}`},
	{"POST", "/projects/@project/protected_branches", "group", `{"name":"b","allowed_to_merge":[{"group_id":$}]}`},
	{"POST", "/projects/@project/protected_branches", "group", `{"name":"b","allowed_to_unprotect":[{"group_id":$}]}`},
	{"POST", "/projects/@project/protected_branches", "key", `{"name":"b","allowed_to_push":[{"deploy_key_id":$}]}`},
	{"POST", "/groups/@group/protected_branches", "group", `{"name":"b","allowed_to_push":[{"group_id":$}]}`},
	{"POST", "/projects/@project/protected_tags", "group", `{"name":"t","allowed_to_create":[{"group_id":$}]}`},
	{"POST", "/projects/@project/deploy_keys/$/enable", "key", ``},

	{"POST", "/user/runners", "group", `{"runner_type":"group_type","group_id":$}`},
	{"POST", "/user/runners", "project", `{"runner_type":"project_type","project_id":$}`},
	{"POST", "/projects/@project/runners", "runner", `{"runner_id":$}`},
	{"DELETE", "/projects/@project/runners/$", "runner", ``},

	{"POST", "/@path/alerts/notify.json", "path", `{}`},
	{"POST", "/@path/prometheus/alerts/notify.json", "path", `{}`},
	{"POST", "/@path/alerts/notify/x/0123456789abcdef.json", "path", `{}`},
}

// varying is what two answers to the same request differ in.
var varying = regexp.MustCompile(`"runners_token":"[^"]*"|[0-9]+`)

// TestPrivateThingsDoNotExist: who cannot see a thing gets the same status and message as for one
// that does not exist.
func TestPrivateThingsDoNotExist(t *testing.T) {
	t.Parallel()
	s := servertest.Fresh(t)
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
	}
	missing := map[string]string{
		"group": "9999", "project": "9999", "path": "hidden/nothing", "runner": "9999", "key": "9999",
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
				var body any
				if p.body != "" {
					body = json.RawMessage(strings.ReplaceAll(p.body, "$", thing))
				}
				r := s.Do(t, outsider.Token, p.method, path, body)
				require.Less(t, r.Status, 502, "%s", r.Body)
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
	`^(\w+_)?(group|project|runner|namespace|parent|deploy_key)_(id|ids|path)$|^namespace$|^skip_groups$`)

// exemptThings are those that name nothing on this server, or that only administrators may use.
var exemptThings = map[string]string{
	"template_project_id":                     "needs repositories: 501",
	"group_with_project_templates_id":         "needs repositories: 501",
	"artifact_registry_project_id":            "a project of another service",
	"workload_identity_federation_project_id": "a project of another service",
}

// TestProbesAreComplete: there is a probe, or a reason for none, for every parameter that names a
// thing.
func TestProbesAreComplete(t *testing.T) {
	t.Parallel()
	for _, r := range sum().Routes {
		for _, name := range r.Parameters() {
			leaf := name[strings.LastIndex(name, ".")+1:]
			if r.Need == "admin" || strings.Contains(r.Path, "{"+name+"}") || !namesThings.MatchString(leaf) ||
				exemptThings[leaf] != "" {
				continue
			}
			require.True(t, slices.ContainsFunc(probes, func(p probe) bool {
				return strings.Contains(p.body, `"`+leaf+`"`) || regexp.MustCompile(`[?&]`+leaf+`=`).MatchString(p.path)
			}), "%s %s takes %s, which no probe names", r.Method, r.Path, name)
		}
	}
}
