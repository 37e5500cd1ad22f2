package api_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/db"
	"hew/server/group"
	"hew/server/project"
	"hew/server/protect"
	"hew/server/servertest"
	"hew/server/tree"
)

// A rule for all protected branches is shown with all of them, however many there are.
func TestRuleShowsAllBranches(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ctx := t.Context()
	owner := s.User(t, "ruler")
	g, err := group.InsertGroup(ctx, s.Store, tree.NewGroup("Rules", "rules", nil), owner.ID)
	require.NoError(t, err)
	p, err := project.InsertProject(ctx, s.Store, tree.NewProject("many", "many", g.ID), owner.ID)
	require.NoError(t, err)
	c := p.Container()
	const many = 1001
	require.NoError(t, s.Store.Tx(ctx, func(st *db.Store) error {
		for n := range many {
			branch := protect.ProtectedRef{Container: c, Kind: protect.Branch, Name: fmt.Sprint("release-", n)}
			if _, err := protect.ProtectedRefs(st, c, protect.Branch).Create(ctx, branch); err != nil {
				return err
			}
		}
		_, err := protect.ApprovalRules(st, c).Create(ctx, protect.ApprovalRule{
			Container: c, Name: "all", RuleType: "regular", AllProtected: true,
			UserIDs: []int64{}, GroupIDs: []int64{}, BranchIDs: []int64{},
		})
		return err
	}))
	var rules []struct {
		Branches []struct{ Name string } `json:"protected_branches"`
	}
	s.Do(t, owner.Token, "GET", fmt.Sprintf("/projects/%d/approval_rules", p.ID), nil).Into(t, &rules)
	require.Len(t, rules, 1)
	require.Len(t, rules[0].Branches, many)
}
