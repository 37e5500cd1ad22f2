package work_test

import (
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"hew/server/work"
)

// The notes that a copied issue has beyond what fits into memory keep their texts, and are copied.
func TestCopyOfLargeNotes(t *testing.T) {
	t.Parallel()
	w := newWordy(t)
	far := w.away()
	i := w.write(t, "")
	require.NoError(t, w.Store.Exec(t.Context(), `
		insert into notes (project_id, issue_id, discussion_id, body, author_id)
		select @project, @issue, repeat('a', 39) || chr(97 + n), '#1 ' || repeat('x', 990000), @alice
		from generate_series(1, 18) n`,
		pgx.NamedArgs{"project": w.site.ID, "issue": i.ID, "alice": w.alice.ID}))
	clone, err := work.CloneIssue(t.Context(), w.Store, w.site, far, w.alice, i, true)
	require.NoError(t, err)
	begins := map[string]int{}
	for _, text := range w.told(t, clone.Target()) {
		first, _, _ := strings.Cut(text, " ")
		begins[first]++
	}
	require.Equal(t, map[string]int{"acme/site#1": 16, "#1": 2}, begins)
}
