package merge

import (
	"context"
	"slices"

	"github.com/jackc/pgx/v5"

	"hew/server/code"
	"hew/server/db"
	"hew/server/git/object"
	"hew/server/policy"
	"hew/server/protect"
	"hew/server/tree"
)

// ruleUser is an active user whom a rule names, as itself or as a member of a group, and what the
// user is to the project.
type ruleUser struct {
	Rule    int         `db:"rule"` // the index of the rule; -1: of none
	Person  tree.Person `db:"person"`
	Named   bool        `db:"named"`  // by the rule itself
	Groups  []int64     `db:"groups"` // of the rule, whose direct member the user is
	Role    bool        `db:"role"`   // has a role that the rule names
	Level   int         `db:"level"`
	Invited bool        `db:"invited"` // a direct member of a group of the rule that was invited
}

// may reports whether the user may approve by the rule.
func (u ruleUser) may(r Rule) bool {
	return u.Level >= least || r.Branches && u.Invited && u.Level >= int(policy.Reporter)
}

// ruleUsersOf returns whom rules name, by rule and id, and the other users. It costs one query for
// all of them.
func ruleUsersOf(
	ctx context.Context, st *db.Store, src tree.Source, rules []Rule, others []int64,
) ([]ruleUser, error) {
	type names struct {
		N      int     `json:"n"`
		Users  []int64 `json:"users"`
		Groups []int64 `json:"groups"`
		Roles  []int   `json:"roles"`
	}
	named := make([]names, len(rules))
	for n, r := range rules {
		named[n] = names{n, r.UserIDs, r.GroupIDs, r.RoleLevels}
	}
	args := src.Access()
	args["rules"], args["others"], args["direct"] = named, others, src.Direct()
	return db.Many[ruleUser](ctx, st, `
		with rules as (
			select * from jsonb_to_recordset(@rules::jsonb) as r (n int, users bigint[], groups bigint[], roles int[]))
		select c.n as rule, `+tree.PersonColumn("u.id")+` as person, bool_or(c.named) as named,
			bool_or(c.role) as role, l.level, bool_or(c.invited) as invited,
			coalesce(array_agg(c.group_id) filter (where c.group_id is not null), '{}') as groups
		from (
			select r.n, unnest(r.users) as user_id, true as named, false as role, null::bigint as group_id,
				false as invited
			from rules r
			union all
			select r.n, m.user_id, false, false, m.namespace_id, exists (
				select from shares s where s.group_id = m.namespace_id and `+tree.LastingShare+`
					and (s.project_id = @project or s.namespace_id = any(@namespaces)))
			from rules r join members m on m.namespace_id = any(r.groups)
			where m.access_level >= 10 and `+tree.Live+`
			union all
			select r.n, m.user_id, false, true, null, false from rules r join members m on m.access_level = any(r.roles)
			where (m.project_id = @project or m.namespace_id = @direct) and `+tree.Live+`
			union all
			select -1, unnest(@others::bigint[]), false, false, null, false) c
		join users u on u.id = c.user_id and u.state = 'active',
		lateral (select greatest(
			coalesce((select max(m.access_level)::int from `+tree.SpaceGrants+` m
				where m.user_id = u.id and m.namespace_id = any(@namespaces)), 0),
			coalesce((select max(m.access_level)::int from `+tree.ProjectGrants+` m
				where m.user_id = u.id and m.project_id = @project), 0)) as level) l
		group by c.n, u.id, l.level order by c.n, u.id`, args)
}

// barred are the users who may not approve a merge request whatever its rules say.
type barred struct {
	always map[int64]bool
	owners map[int64]bool // by rules of code owners that are required: those who committed
}

// from reports whether a user may not approve by a rule.
func (b barred) from(r Rule, userID int64) bool {
	return b.always[userID] || r.isOwned() && b.owners[userID]
}

// barredFrom returns the users who may not approve a merge request whatever the rules say: its
// author and those who committed to it, unless the settings allow it. Code owners who committed may
// not approve their own files in any case (more §6.3).
func barredFrom(
	ctx context.Context, st *db.Store, p tree.Project, r Request,
	settings protect.ApprovalSwitches[protect.ApprovalSetting], rules []Rule,
) (b barred, err error) {
	b = barred{map[int64]bool{}, map[int64]bool{}}
	if !settings.AuthorApproval.Value && r.AuthorID != nil {
		b.always[*r.AuthorID] = true
	}
	if settings.CommitterApproval.Value && !slices.ContainsFunc(rules, Rule.isOwned) || r.Head.IsZero() {
		return b, nil
	}
	ids, err := committers(ctx, st, p, r)
	for _, id := range ids {
		b.owners[id] = true
		b.always[id] = b.always[id] || !settings.CommitterApproval.Value
	}
	return b, err
}

// maxCommits limits the commits whose committers are looked for.
const maxCommits = 100_000

// committers returns the users who are committers of commits of a merge request, merges included.
func committers(ctx context.Context, st *db.Store, p tree.Project, r Request) ([]int64, error) {
	g, err := code.Open(ctx, st, p)
	if err != nil {
		return nil, err
	}
	commits, err := g.Log(ctx, code.LogFilter{
		From: []object.ID{r.Head}, Not: []object.ID{r.Start}, Limit: maxCommits,
	})
	if err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	var addresses []string
	for _, c := range commits {
		if !seen[c.CommitterEmail] {
			seen[c.CommitterEmail] = true
			addresses = append(addresses, c.CommitterEmail)
		}
	}
	return db.Values[int64](ctx, st, `
		select u.id from users u join (select lower(e) as address from unnest(@addresses::text[]) e) c
			on lower(u.email) = c.address or lower(u.commit_email) = c.address`,
		pgx.NamedArgs{"addresses": addresses})
}
