package api_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"hew/server/servertest"
)

// A package or file that has changed since a time is not deleted (gaps §11): a package changes with
// each of its files, and a file by itself.
func TestUnmodifiedSince(t *testing.T) {
	t.Parallel()
	p := newShop(t, servertest.Start(t))
	owner := basic("x", p.owner.Token)
	since := func(ago time.Duration) sign {
		return header("If-Unmodified-Since", time.Now().Add(-ago).UTC().Format(http.TimeFormat))
	}
	remove := func(want int, path string, since sign) {
		t.Helper()
		r := p.ask("DELETE", p.at(path), nil, owner, since)
		require.Equal(t, want, r.Status, "%s", r.Body)
	}
	p.push("Acme.Core", "1.0.0")
	require.NoError(t, p.s.Store.Exec(t.Context(), `
		update package_files set updated_at = now() - interval '2 hours' where project_id = @id`,
		pgx.NamedArgs{"id": p.project.ID}))
	p.push("Acme.Core", "1.0.0")
	one := p.packages("")[0].ID
	files := p.files(one)
	older, newer := fmt.Sprintf("/%d/package_files/%d", one, files[0].ID),
		fmt.Sprintf("/%d/package_files/%d", one, files[1].ID)
	remove(412, newer, since(time.Hour))
	remove(412, older, since(3*time.Hour))
	remove(204, older, since(time.Hour))
	remove(404, older, since(time.Hour))
	remove(204, newer, since(-time.Hour))
	remove(412, fmt.Sprint("/", one), since(time.Hour))
	remove(412, "/pkgfeed/acme.core/1.0.0", since(time.Hour))
	remove(412, "/pkgfeed/v2/acme.core/1.0.0", since(time.Hour))
	require.Len(t, p.packages(""), 1, "a package without a file is listed")
	remove(204, "/pkgfeed/acme.core/1.0.0", since(-time.Hour))
	p.push("Acme.Core", "1.0.0")
	remove(204, fmt.Sprint("/", p.packages("")[0].ID), since(-time.Hour))
	require.Empty(t, p.packages(""))
}
