package provider

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/provider/client"
	"hew/reconcile/ledger"
)

// P10 with what is not among its eight kinds (those are planned in testacc): two
// hundred projects and nothing to change. Nothing is written, no project costs
// more than eight reads, and all that is there is adopted as it is.
func TestManyProjectsUnchanged(t *testing.T) {
	t.Parallel()
	const n = 200
	var projects []string
	for i := range n {
		projects = append(projects,
			fmt.Sprintf(`{"id":%[1]d,"path":"p%[1]d","path_with_namespace":"acme/p%[1]d","namespace":{"id":12,"full_path":"acme"},"description":"of the team"}`,
				i+100))
	}
	pages := says{do: func(w http.ResponseWriter, r *http.Request) {
		page := 0
		if p := r.URL.Query().Get("page"); p != "" {
			_, _ = fmt.Sscan(p, &page)
			page--
		}
		w.Header().Set("X-Total", fmt.Sprint(n))
		w.Header().Set("X-Total-Pages", "2")
		reply(w, 200, "["+strings.Join(projects[page*100:page*100+100], ",")+"]")
	}}
	h := serveTo(t, client.Config{ReadOnly: true}, script{
		"GET /user": {status: 200, body: root}, "GET /groups/acme": {status: 200, body: acmeHas},
		"GET /groups/12":          {status: 200, body: acmeHas},
		"GET /groups/12/projects": pages,
		"GET /projects/{id}": {do: func(w http.ResponseWriter, r *http.Request) {
			id := r.PathValue("id")
			reply(w, 200, fmt.Sprintf(`{"id":%[1]s,"path":"p%[1]s","path_with_namespace":"acme/p%[1]s",`+
				`"namespace":{"id":12,"full_path":"acme"},"shared_with_groups":[{"group_id":13,`+
				`"group_full_path":"guests","group_access_level":20,"expires_at":null}]}`, id))
		}},
		"GET /projects/{id}/hooks": list(`{"id":1,"url":"https://h.example/","push_events":true}`),
		"GET /projects/{id}/members": list(`{"id":5,"username":"alice","access_level":40}`,
			`{"id":9,"username":"project_7_bot_1f","access_level":30}`),
		"GET /projects/{id}/invitations": list(),
		"GET /projects/{id}/access_tokens": list(
			`{"id":3,"name":"ci","scopes":["api"],"access_level":40,"active":true}`,
		),
		"GET /projects/{id}/push_rule": {status: 200, body: `{"id":4,"max_file_size":5}`},
	})
	lines := h.run(t, ledger.Memory(), false, `locals {
  all = toset([for i in range(100, 300) : "p${i}"])
}
resource "project" "all" {
  for_each    = local.all
  path        = each.key
  namespace   = "acme"
  description = "of the team"
}
resource "project_hook" "all" {
  for_each = local.all
  project  = project.all[each.key].id
  url      = "https://h.example/"
}
resource "project_members" "all" {
  for_each  = local.all
  project   = project.all[each.key].id
  exclusive = true
  members   = { alice = { access_level = "maintainer" } }
}
resource "project_push_rule" "all" {
  for_each      = local.all
  project       = project.all[each.key].id
  max_file_size = 5
}
resource "project_share" "all" {
  for_each     = local.all
  project      = project.all[each.key].id
  share_group  = "guests"
  group_access = "reporter"
}
resource "project_access_token" "all" {
  for_each = local.all
  project  = project.all[each.key].id
  name     = "ci"
  scopes   = ["api"]
}
`)
	require.Len(t, lines, 6*n)
	for _, line := range lines {
		require.Regexp(t, `^= \S+$`, line, "adopted as it is")
	}
	require.Empty(t, h.wrote())
	of := map[string]int{}
	for _, line := range h.asked {
		if parts := strings.FieldsFunc(line, func(r rune) bool {
			return r == '/' ||
				r == '?'
		}); parts[1] == "projects" {
			of[parts[2]]++
		}
	}
	require.Len(t, of, n)
	for project, reads := range of {
		require.LessOrEqual(t, reads, 8, project)
	}
	require.LessOrEqual(t, len(h.asked), 6*n+20)
}
