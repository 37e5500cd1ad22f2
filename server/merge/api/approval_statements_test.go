package api_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/merge"
)

// The states of many merge requests of a project cost as many queries as that of one, also where
// committers may not approve and code owners must.
func TestStatusStatements(t *testing.T) {
	t.Parallel()
	d := newDesk(t, nil)
	d.commit("main", "", "CODEOWNERS", "* @"+d.alice.Username)
	for path, body := range map[string]any{
		"approvals":      map[string]any{"merge_requests_disable_committers_approval": true},
		"approval_rules": map[string]any{"name": "Any", "rule_type": "any_approver", "approvals_required": 1},
	} {
		require.Equal(t, 201, d.api("POST", path, body).Status, path)
	}
	require.Equal(t, 200, d.api("PATCH", "protected_branches/main",
		map[string]any{"code_owner_approval_required": true}).Status)
	var ids []int64
	for n := range 5 {
		branch := fmt.Sprint("topic-", n)
		d.commit(branch, "main", branch, "1")
		ids = append(ids, int64(d.open(branch).ID))
	}
	d.s.Drain(t)
	counted := d.s.Counted(t)
	cost := func(ids ...int64) (n int) {
		byID, err := merge.RequestsByID(t.Context(), counted.Store, ids)
		require.NoError(t, err)
		var list []merge.Request
		for _, id := range ids {
			list = append(list, byID[id])
		}
		statuses := func() {
			found, err := merge.Statuses(t.Context(), counted.Store, list)
			require.NoError(t, err)
			for _, r := range list {
				require.Equal(t, merge.NotApproved, found[r.ID])
			}
		}
		statuses() // what is kept in memory is read once
		for _, executions := range counted.During(t, statuses) {
			n += executions
		}
		return n
	}
	one := cost(ids[0])
	require.Positive(t, one)
	require.Equal(t, one, cost(ids...))
}
