package activity

import (
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/code"
	"hew/server/git/object"
)

// Changes of the same kind are one push, with the number of refs.
func TestBulk(t *testing.T) {
	t.Parallel()
	id := object.ID{1}
	got := bulkOf([]code.Change{
		{Ref: "refs/heads/a", After: id}, {Ref: "refs/heads/b", After: id}, {Ref: "refs/tags/v1", After: id},
		{Ref: "refs/heads/c", Before: id}, {Ref: "refs/heads/d", Before: id, After: id},
	})
	type row struct {
		action, kind string
		refs         int
	}
	var rows []row
	for _, p := range got {
		require.Nil(t, p.Ref)
		rows = append(rows, row{p.Action, p.RefType, *p.RefCount})
	}
	require.Equal(t, []row{
		{"created", "branch", 2}, {"created", "tag", 1}, {"removed", "branch", 1}, {"pushed", "branch", 1},
	}, rows)
}
