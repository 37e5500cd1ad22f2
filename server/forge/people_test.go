package forge_test

import (
	"net/http"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"hew/server/db"
	"hew/server/forge"
	"hew/server/forge/forgetest"
	"hew/server/forge/github"
)

// Users of the public host are those here who have an identity there, and else those with the
// address that it shows. Nobody is known by an identity at a host of somebody's own.
func TestPeople(t *testing.T) {
	t.Parallel()
	for base, want := range map[string][]string{
		github.PublicBase: {"linked"}, "": {"carol"},
	} {
		at := forge.Source{Base: base}
		if base != "" {
			at.CloneURL = "https://github.com/acme/site.git"
		}
		tr := newTrialOf(t, forge.Options{}, at)
		if base != "" {
			tr.do.Out = forgetest.Public(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.Host == "api.github.com" {
					r.URL.Path = "/api/v3" + r.URL.Path
				}
				tr.h.ServeHTTP(w, r)
			}), "api.github.com", "github.com")
		}
		tr.s.User(t, "ann") // has the address that the host shows
		linked := tr.s.User(t, "linked")
		require.NoError(t, tr.s.Store.Exec(t.Context(), `
			update users set identities = '[{"provider":"github","extern_uid":"1"}]' where id = @id`,
			pgx.NamedArgs{"id": linked.ID}))
		tr.finish(1)
		tr.checkWhole()
		authors, err := db.Values[string](t.Context(), tr.s.Store, `
			select distinct u.username from notes o join users u on u.id = o.author_id
			where o.project_id = @project and o.body like '%comment 1'`, pgx.NamedArgs{"project": tr.p.ID})
		require.NoError(t, err)
		require.Equal(t, want, authors)
	}
}
