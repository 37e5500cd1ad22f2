package api_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/servertest"
	"hew/server/store"
)

// A rule for all protected branches is shown with all of them, however many there are.
func TestRuleShowsAllBranches(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ctx := t.Context()
	owner := s.User(t, "ruler")
	group, err := s.Store.CreateGroup(ctx, store.NewGroup("Rules", "rules", nil), owner.ID)
	require.NoError(t, err)
	project, err := s.Store.CreateProject(ctx, store.NewProject("many", "many", group.ID), owner.ID)
	require.NoError(t, err)
	c := project.Container()
	const many = 1001
	require.NoError(t, s.Store.Tx(ctx, func(st *store.Store) error {
		for n := range many {
			branch := store.ProtectedRef{Container: c, Kind: store.Branch, Name: fmt.Sprint("release-", n)}
			if _, err := st.ProtectedRefs(c, store.Branch).Create(ctx, branch); err != nil {
				return err
			}
		}
		_, err := st.ApprovalRules(c).Create(ctx, store.ApprovalRule{
			Container: c, Name: "all", RuleType: "regular", AllProtected: true,
			UserIDs: []int64{}, GroupIDs: []int64{}, BranchIDs: []int64{},
		})
		return err
	}))
	var rules []struct {
		Branches []struct{ Name string } `json:"protected_branches"`
	}
	s.Do(t, owner.Token, "GET", fmt.Sprintf("/projects/%d/approval_rules", project.ID), nil).Into(t, &rules)
	require.Len(t, rules, 1)
	require.Len(t, rules[0].Branches, many)
}
