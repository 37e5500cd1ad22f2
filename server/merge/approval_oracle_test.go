package merge_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"hew/server/code"
	"hew/server/git/object"
	"hew/server/group"
	"hew/server/merge"
	"hew/server/policy"
	"hew/server/protect"
	"hew/server/servertest"
	"hew/server/tree"
)

// oracle is a random case of rules, members, approvals and settings, and says what a reader of more
// §6.3 says about it.
type oracle struct {
	users    []int64
	level    map[int64]int           // in the project
	members  map[int64]map[int64]int // levels by group
	invited  int64                   // the group that the project is shared with
	direct   map[int64]int           // as a direct member of the project
	author   int64
	byAuthor bool // the author may approve

	committers  []int64
	byCommitter bool // they may approve
	given       []int64
}

// barred reports whether a user may not approve at all.
func (o oracle) barred(u int64) bool {
	return u == o.author && !o.byAuthor || slices.Contains(o.committers, u) && !o.byCommitter
}

// named is whom a rule names.
type named struct {
	users, groups []int64
	roles         []int // of direct members
	branches      bool  // the rule is for named branches
	owners        bool  // of code
}

// eligible returns who may approve by a rule.
func (o oracle) eligible(rule named) (list []int64) {
	for _, u := range o.users {
		named, throughInvited := slices.Contains(rule.users, u) || slices.Contains(rule.roles, o.direct[u]), false
		for _, g := range rule.groups {
			if _, ok := o.members[g][u]; ok {
				named = true
				throughInvited = throughInvited || g == o.invited
			}
		}
		reporter := rule.branches && throughInvited && o.level[u] == 20
		own := rule.owners && slices.Contains(o.committers, u)
		if named && (o.level[u] >= 30 || reporter) && !own && !o.barred(u) {
			list = append(list, u)
		}
	}
	return list
}

// judge returns how many approvals of a rule are missing and whether it is satisfied.
func (o oracle) judge(ruleType string, required int, eligible []int64) (left int, ok bool) {
	n := 0
	for _, u := range o.given {
		anybody := ruleType == merge.AnyApprover && !o.barred(u)
		if anybody || slices.Contains(eligible, u) {
			n++
		}
	}
	left = max(0, required-n)
	return left, left == 0 || ruleType != merge.AnyApprover && len(eligible) < required && n == len(eligible)
}

func TestRandomRules(t *testing.T) {
	t.Parallel()
	w := servertest.Fresh(t).World(t)
	ctx := t.Context()
	owner := w.User("owner")
	var users []int64
	accounts := map[int64]tree.User{}
	for n := range 8 {
		u := w.User(fmt.Sprint("user", n))
		users, accounts[u.ID] = append(users, u.ID), u
	}
	seed := rand.Uint64()
	random := rand.New(rand.NewPCG(seed, 0))
	some := func(of []int64) []int64 {
		list := []int64{}
		for _, id := range of {
			if random.IntN(3) == 0 {
				list = append(list, id)
			}
		}
		return list
	}
	for n := range 60 {
		top := w.Group(fmt.Sprint("top", n), nil, owner.ID)
		p := w.Project(fmt.Sprint("p", n), top.ID, owner.ID)
		invited, other := w.Group(fmt.Sprint("in", n), nil, 0), w.Group(fmt.Sprint("out", n), nil, 0)
		o := oracle{
			users: users, level: map[int64]int{}, invited: invited.ID, author: users[random.IntN(8)],
			members: map[int64]map[int64]int{invited.ID: {}, other.ID: {}}, direct: map[int64]int{},
			byCommitter: true, given: some(users),
		}
		member := func(g *int64, u int64, level int) {
			m := group.Member{UserID: u, AccessLevel: level}
			if m.NamespaceID = g; g == nil {
				m.ProjectID = &p.ID
			}
			w.Member(m)
		}
		levels := []int{10, 20, 30, 40}
		for _, u := range users {
			for _, g := range []int64{invited.ID, other.ID} {
				if random.IntN(2) == 0 {
					o.members[g][u] = levels[random.IntN(4)]
					member(&g, u, o.members[g][u])
				}
			}
			o.level[u] = min(o.members[invited.ID][u], 30)
			if random.IntN(2) == 0 {
				level := levels[random.IntN(4)]
				o.level[u], o.direct[u] = max(o.level[u], level), level
				member(nil, u, level)
			}
		}
		require.NoError(t, w.Exec(ctx, `insert into shares (project_id, group_id, group_access) values (@p, @g, 30)`,
			pgx.NamedArgs{"p": p.ID, "g": invited.ID}))
		r := merge.Request{
			ProjectID: p.ID, SourceProjectID: &p.ID, IID: 1, AuthorID: &o.author, Title: "T", State: merge.Opened,
			SourceBranch: "topic", TargetBranch: []string{"main", "free"}[random.IntN(2)], MergeStatus: merge.Unchecked,
			RulesOverridden: random.IntN(3) == 0,
		}
		if random.IntN(2) == 0 {
			o.committers = some(users)
			commits := scene{World: w.In(t), t: t, project: p}
			commits.by = code.Author{
				Pusher: protect.Pusher{Who: policy.Who{ID: owner.ID, Level: policy.Owner}}, Web: true,
			}
			write := func(by tree.User, branch, start string) object.ID {
				commits.by.User = by
				return commits.write(branch, start, map[string]string{fmt.Sprint(by.Username, branch): "1\n"})
			}
			r.Start, r.Head = write(owner, "main", ""), write(owner, "topic", "main")
			for _, u := range o.committers {
				r.Head = write(accounts[u], "topic", "")
			}
			r.Base = r.Start
		}
		demanded := random.IntN(2) == 0 && r.TargetBranch == "main" // approvals of code owners
		main, err := protect.ProtectedRefs(w.Store, p.Container(), protect.Branch).Create(ctx,
			protect.ProtectedRef{
				Container: p.Container(), Kind: protect.Branch, Name: "ma*", CodeOwnerApprovalRequired: demanded,
			})
		require.NoError(t, err)
		free, err := protect.ProtectedRefs(w.Store, p.Container(), protect.Branch).Create(ctx,
			protect.ProtectedRef{Container: p.Container(), Kind: protect.Branch, Name: "release"})
		require.NoError(t, err)
		o.byAuthor, o.byCommitter = true, true
		overrides := true
		for _, src := range []tree.Source{tree.InProject(p), tree.InGroup(top)} { // what one forbids is forbidden
			author, committer, override := random.IntN(3) > 0, random.IntN(3) > 0, random.IntN(3) > 0
			o.byAuthor, o.byCommitter = o.byAuthor && author, o.byCommitter && committer
			overrides = overrides && override
			_, err = protect.ChangeApprovalSettings(ctx, w.Store, src, func(s *protect.ApprovalSettings) error {
				s.AuthorApproval, s.CommitterApproval, s.Overrides = author, committer, override
				return nil
			})
			require.NoError(t, err)
		}
		r.ID, err = w.Insert(ctx, "merge_requests", r)
		require.NoError(t, err)
		type judged struct {
			id       int64
			left     int
			ok       bool
			eligible []int64
		}
		want := []judged{}
		judge := func(id int64, kind string, required int, who named) {
			j := judged{id: id}
			if kind != merge.AnyApprover {
				j.eligible = o.eligible(who)
			}
			j.left, j.ok = o.judge(kind, required, j.eligible)
			want = append(want, j)
		}
		for k := range 1 + random.IntN(4) {
			rule := protect.ApprovalRule{
				Container: p.Container(), Name: fmt.Sprint("rule", k), RuleType: merge.Regular,
				ApprovalsRequired: random.IntN(4), UserIDs: some(users), GroupIDs: some([]int64{invited.ID, other.ID}),
				BranchIDs: some([]int64{main.ID, free.ID}), AllProtected: random.IntN(5) == 0,
			}
			if k == 0 && random.IntN(2) == 0 {
				rule.RuleType, rule.UserIDs, rule.GroupIDs = merge.AnyApprover, []int64{}, []int64{}
			}
			if k > 0 && random.IntN(3) == 0 { // of the group, for all its projects
				rule.Container, rule.BranchIDs = top.Container(), []int64{}
			}
			rule, err = protect.ApprovalRules(w.Store, rule.Container).Create(ctx, rule)
			require.NoError(t, err)
			matches := len(rule.BranchIDs) == 0 || r.TargetBranch == "main" && slices.Contains(rule.BranchIDs, main.ID)
			if rule.AllProtected {
				matches = r.TargetBranch == "main"
			}
			if matches && (!overrides || !r.RulesOverridden) {
				judge(rule.ID, rule.RuleType, rule.ApprovalsRequired, named{
					users: rule.UserIDs, groups: rule.GroupIDs, branches: len(rule.BranchIDs) > 0 && !rule.AllProtected,
				})
			}
		}
		if r.RulesOverridden {
			rule := merge.Rule{
				RequestID: r.ID, Name: "own", RuleType: merge.Regular, ApprovalsRequired: random.IntN(3),
				UserIDs: some(users), GroupIDs: some([]int64{invited.ID, other.ID}),
			}
			rule.ID, err = w.Insert(ctx, "merge_request_rules", rule)
			require.NoError(t, err)
			if overrides {
				judge(rule.ID, rule.RuleType, rule.ApprovalsRequired, named{users: rule.UserIDs, groups: rule.GroupIDs})
			}
		}
		for k := range random.IntN(3) {
			rule := merge.Rule{
				RequestID: r.ID, Name: fmt.Sprint("docs/", k), RuleType: merge.CodeOwner,
				Section: new(fmt.Sprint("Section ", random.IntN(2))), ApprovalsRequired: random.IntN(3),
				UserIDs: some(users), GroupIDs: some([]int64{invited.ID}),
				RoleLevels: [][]int{{}, {30}, {40}}[random.IntN(3)],
			}
			rule.ID, err = w.Insert(ctx, "merge_request_rules", rule)
			require.NoError(t, err)
			if !demanded {
				rule.ApprovalsRequired = 0
			}
			judge(rule.ID, rule.RuleType, rule.ApprovalsRequired, named{
				users: rule.UserIDs, groups: rule.GroupIDs, roles: rule.RoleLevels,
				owners: rule.ApprovalsRequired > 0,
			})
		}
		for _, u := range o.given {
			_, err := w.Insert(ctx, "merge_request_approvals", merge.Approval{RequestID: r.ID, UserID: u})
			require.NoError(t, err)
		}

		caller := users[random.IntN(8)]
		a, err := merge.ReadApprovals(ctx, w.Store, p, r, caller)
		require.NoError(t, err)
		got, may := []judged{}, o.level[caller] >= 30
		for _, s := range a.Rules {
			j := judged{id: s.ID, left: s.Left(), ok: s.Approved()}
			for _, u := range s.Eligible {
				j.eligible = append(j.eligible, u.ID)
			}
			got = append(got, j)
			may = may || slices.Contains(j.eligible, caller)
		}
		require.Equal(t, want, got, "seed %d, case %d: %+v", seed, n, o)
		missing := slices.DeleteFunc(slices.Clone(want), func(j judged) bool { return j.ok })
		require.Equal(t, len(missing) == 0, a.Approved(), "seed %d, case %d", seed, n)
		left := 0
		for _, j := range missing {
			left += j.left
		}
		require.Equal(t, left, a.Left(), "seed %d, case %d", seed, n)
		may = may && !slices.Contains(o.given, caller) && !o.barred(caller)
		require.Equal(t, may, a.CanApprove(caller), "seed %d, case %d: %d of %+v", seed, n, caller, o)
	}
}
