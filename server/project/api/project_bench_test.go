package api_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server"
	"hew/server/group"
	"hew/server/project"
	"hew/server/rest"
	"hew/server/servertest"
	"hew/server/tree"
)

// BenchmarkProjects is what a page of 100 projects costs the server, in a group of 10,000, to an
// administrator and to a member: the first page and the last.
func BenchmarkProjects(b *testing.B) {
	s := servertest.Start(b)
	ctx := b.Context()
	g, err := group.InsertGroup(ctx, s.Store, tree.NewGroup("Bench", "bench", nil), 0)
	require.NoError(b, err)
	first, err := project.InsertProject(ctx, s.Store, tree.NewProject("first", "first", g.ID), 0)
	require.NoError(b, err)
	_, err = s.Store.DB().Exec(ctx, `
		insert into projects (namespace_id, name, path, full_path, settings, runners_token)
		select namespace_id, 'p' || i, 'p' || i, 'bench/p' || i, settings, null
		from projects, generate_series(2, 10000) i where id = $1`, first.ID)
	require.NoError(b, err)
	_, err = s.Store.DB().Exec(ctx, `analyze`)
	require.NoError(b, err)
	member := s.User(b, "benchmember")
	_, err = group.AddMember(ctx, s.Store, group.Member{UserID: member.ID, NamespaceID: &g.ID, AccessLevel: 30})
	require.NoError(b, err)

	handler := rest.New(rest.Config{Auth: s.Auth.Authenticate, Lend: server.Lend(s.Store), Begin: server.Begin},
		server.Sum(s.Parts).Routes)
	for _, as := range []struct{ name, token string }{{"admin", s.RootToken}, {"member", member.Token}} {
		for _, page := range []int{1, 100} {
			b.Run(fmt.Sprintf("%s/page=%d", as.name, page), func(b *testing.B) {
				for b.Loop() {
					path := fmt.Sprintf("/api/v4/groups/bench/projects?per_page=100&page=%d", page)
					r := httptest.NewRequestWithContext(ctx, http.MethodGet, path, nil)
					r.Header.Set("Private-Token", as.token)
					w := httptest.NewRecorder()
					handler.ServeHTTP(w, r)
					require.Equal(b, http.StatusOK, w.Code)
				}
			})
		}
	}
}
