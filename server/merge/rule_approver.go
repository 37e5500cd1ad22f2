package merge

import (
	"context"
	"slices"

	"github.com/jackc/pgx/v5"

	"hew/server/code"
	"hew/server/db"
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
	return u.Level >= approverLevel || r.Branches && u.Invited && u.Level >= int(policy.Reporter)
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

// requestRules is a merge request with the rules that hold for it.
type requestRules struct {
	Request
	rules []Rule
}

// barredFrom returns the users who may not approve merge requests of a project whatever the rules
// say, by the id of the merge request: its author and those who committed to it, unless the
// settings allow it. Code owners who committed may not approve their own files in any case (more
// §6.3). The number of queries does not depend on that of merge requests.
func barredFrom(
	ctx context.Context, st *db.Store, p tree.Project,
	settings protect.ApprovalSwitches[protect.ApprovalSetting], list ...requestRules,
) (map[int64]barred, error) {
	all := make(map[int64]barred, len(list))
	var committed []Request
	for _, r := range list {
		all[r.ID] = barred{map[int64]bool{}, map[int64]bool{}}
		if !settings.AuthorApproval.Value && r.AuthorID != nil {
			all[r.ID].always[*r.AuthorID] = true
		}
		if !r.Head.IsZero() && (!settings.CommitterApproval.Value || slices.ContainsFunc(r.rules, Rule.isOwned)) {
			committed = append(committed, r.Request)
		}
	}
	users, err := committersOf(ctx, st, p, committed)
	for _, u := range users {
		b := all[u.RequestID]
		b.owners[u.UserID] = true
		b.always[u.UserID] = b.always[u.UserID] || !settings.CommitterApproval.Value
	}
	return all, err
}

// maxCommits limits the commits whose committers are looked for: of one merge request, and at once.
const maxCommits = 100_000

// committer is a user who is the committer of a commit of a merge request.
type committer struct {
	RequestID int64 `db:"request_id"`
	UserID    int64 `db:"user_id"`
}

// committersOf returns the committers of the commits of merge requests of a project, merges
// included.
func committersOf(ctx context.Context, st *db.Store, p tree.Project, list []Request) (all []committer, err error) {
	if len(list) == 0 {
		return nil, nil
	}
	g, err := code.Open(ctx, st, p)
	if err != nil {
		return nil, err
	}
	var requests []int64
	var commits [][]byte
	for n, r := range list {
		ids, err := g.IDsBetween(ctx, r.Start, r.Head, maxCommits)
		if err != nil {
			return nil, err
		}
		for _, id := range ids {
			requests, commits = append(requests, r.ID), append(commits, id[:])
		}
		if len(commits) < maxCommits && n < len(list)-1 {
			continue
		}
		found, err := db.Many[committer](ctx, st, `
			select distinct c.request as request_id, u.id as user_id
			from (
				select distinct k.request, lower(c.committer_email) as address
				from unnest(@requests::bigint[], @commits::bytea[]) k (request, oid)
					join repositories r on r.project_id = @project and r.kind = 'project'
					join commits c on c.repository_id = r.id and c.oid = k.oid) c
			join users u on lower(u.email) = c.address or lower(u.commit_email) = c.address`,
			pgx.NamedArgs{"requests": requests, "commits": commits, "project": p.ID})
		if err != nil {
			return nil, err
		}
		all, requests, commits = append(all, found...), nil, nil
	}
	return all, nil
}
