package merge_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"hew/server/code"
	"hew/server/db"
	"hew/server/merge"
)

// The rules that a CODEOWNERS file makes for a merge request that changes docs/a and src/a (more
// §6.3). A rule is written as section, pattern, required approvals and eligible users.
func TestOwnerRules(t *testing.T) {
	t.Parallel()
	p := propose(t)
	demand := func(on bool) {
		p.do(p.alice, "PATCH", "/protected_branches/main", map[string]any{"code_owner_approval_required": on}, 200)
	}
	ctx := t.Context()
	var club struct{ ID int64 }
	path := fmt.Sprint("club", p.alice.ID)
	p.Do(t, p.alice.Token, "POST", "/groups", map[string]any{"name": path, "path": path}).Into(t, &club)
	names := strings.NewReplacer(
		"@@", "@@", "@eve", "@"+p.eve.Username, "@mia", "@"+p.mia.Username, "@dev", "@"+p.dev.Username,
		"@club", "@"+path,
		"mia.email", p.mia.Username+"@example.com",
	)
	require.Equal(t, 201, p.Do(t, p.alice.Token, "POST", fmt.Sprintf("/groups/%d/members", club.ID),
		map[string]any{"user_id": p.mia.ID, "access_level": 10}).Status)
	people := map[int64]string{p.alice.ID: "alice", p.dev.ID: "dev", p.eve.ID: "eve", p.mia.ID: "mia"}
	rules := func(file string, required bool) (list []string) {
		demand(false) // or a push that changes an owned file would be refused
		p.commit(p.alice, "main", "main", map[string]string{"CODEOWNERS": names.Replace(file)}, "update")
		demand(required)
		require.NoError(t, p.Store.Tx(ctx, func(st *db.Store) error {
			g, err := code.Open(ctx, st, p.project)
			if err != nil {
				return err
			}
			return merge.UpdateOwnerRules(ctx, st, g, p.project, p.row())
		}))
		for _, r := range p.state().Rules {
			var who []string
			for _, u := range r.Eligible {
				who = append(who, people[u.ID])
			}
			slices.Sort(who)
			list = append(list, fmt.Sprintf(
				"%s %s %d %s", *r.Section, r.Name, r.ApprovalsRequired, strings.Join(who, ","),
			))
		}
		slices.Sort(list)
		return list
	}
	for _, c := range []struct {
		file string
		want []string
	}{
		{"* @eve", []string{"codeowners * 1 eve"}},
		{"* @eve\ndocs/ @mia", []string{"codeowners * 1 eve", "codeowners docs/ 1 mia"}},
		{"[A][2]\n* @eve mia.email\n^[B]\n* @mia", []string{"A * 2 eve,mia", "B * 0 mia"}},
		{"[A] @mia\ndocs/\n[a]\nsrc/ @eve", []string{"A docs/ 1 mia", "A src/ 1 eve"}},
		{"* @dev @nobody", []string{"codeowners * 1 "}}, // the author, and nobody
		{"* @@developers", []string{"codeowners * 1 eve,mia"}},
		{"* @@maintainer", []string{"codeowners * 1 "}}, // exactly this role
		{"* @club", []string{"codeowners * 1 "}},        // not invited
		{"*", nil},
		{"other/ @eve", nil},
	} {
		require.Equal(t, c.want, rules(c.file, true), "%s", c.file)
	}
	require.NoError(t, p.Store.Exec(ctx, `
		insert into shares (project_id, group_id, group_access) values (@project, @group, 30)`,
		pgx.NamedArgs{"project": p.project.ID, "group": club.ID}))
	require.Equal(t, []string{"codeowners * 1 alice,mia"}, rules("* @club", true))
	require.Equal(t, []string{"A * 0 eve"}, rules("[A][2]\n* @eve", false))
}

// An invalid rule counts as satisfied once all who may approve have; that of a policy does not.
func TestInvalidRule(t *testing.T) {
	t.Parallel()
	coverage, policy := "code_coverage", "license_scanning"
	for name, c := range map[string]struct {
		report *string
		rule   string
		want   bool
	}{
		"regular":  {nil, merge.Regular, true},
		"coverage": {&coverage, merge.ReportApprover, true},
		"policy":   {&policy, merge.ReportApprover, false},
		"any":      {nil, merge.AnyApprover, false},
	} {
		require.Equal(t, c.want, merge.RuleState{Rule: merge.Rule{
			RuleType: c.rule, ReportType: c.report, ApprovalsRequired: 1,
		}}.Approved(), name)
	}
}

// Settings that forbid rules of their own take them from open merge requests, for good.
func TestRestoredRules(t *testing.T) {
	t.Parallel()
	p := propose(t)
	p.do(p.alice, "POST", "/approval_rules", map[string]any{"name": "all", "approvals_required": 1}, 201)
	p.do(p.dev, "POST", p.path+"/approvals", map[string]any{"approvals_required": 0}, 201)
	overridden := func() bool {
		a := p.state()
		own := slices.DeleteFunc(a.Rules, func(r merge.RuleState) bool { return r.RuleType == merge.CodeOwner })
		require.Len(t, own, 1)
		return a.Overridden
	}
	require.True(t, overridden())
	const setting = "allow_overrides_to_approver_list_per_merge_request"
	p.settings(map[string]any{setting: false})
	require.False(t, overridden())
	p.do(p.dev, "POST", p.path+"/approval_rules", map[string]any{"name": "own", "approvals_required": 0}, 403)
	p.settings(map[string]any{setting: true})
	require.False(t, overridden())
	p.do(p.eve, "POST", p.path+"/approval_rules", map[string]any{"name": "own", "approvals_required": 0}, 403)
	var rule struct{ ID int64 }
	p.do(p.dev, "POST", p.path+"/approval_rules", map[string]any{"name": "own", "approvals_required": 0}, 201).
		Into(t, &rule)
	require.True(t, overridden())
	p.do(p.dev, "DELETE", fmt.Sprint(p.path, "/approval_rules/", rule.ID), nil, 204)
	require.False(t, overridden())
}
