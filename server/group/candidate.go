package group

import (
	"context"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/tree"
)

// candidate is a user whom a request names, with the memberships that matter to a source.
type candidate struct {
	Asked     string `db:"asked"`    // the id or username in the request
	UserID    int64  `db:"user_id"`  // 0: there is no such user
	Username  string `db:"username"` // empty: there is no such user
	Bot       bool   `db:"bot"`
	Member    bool   `db:"member"`    // directly
	Inherited int    `db:"inherited"` // the highest level from above; 0: none
	From      string `db:"source"`    // the name of the group with that level, the nearest of several
}

// findCandidates returns a candidate for each id and username. Usernames match in any case.
func findCandidates(
	ctx context.Context, s *db.Store, src tree.Source, ids []int64, usernames []string,
) ([]candidate, error) {
	return db.Many[candidate](ctx, s, `
		select coalesce(asked.id::text, asked.name) as asked, coalesce(u.id, 0) as user_id,
			coalesce(u.username, '') as username,
		       coalesce(u.bot, false) as bot, exists (select from members m
		               where m.user_id = u.id and (m.namespace_id = @namespace or m.project_id = @project)
		                 and `+unexpired+`) as member,
		       coalesce(above.access_level::int, 0) as inherited, coalesce(above.name, '') as source
		from (select id, null as name from unnest(@ids::bigint[]) id
		      union select null, name from unnest(@names::text[]) name) asked
		left join users u on u.id = asked.id or lower(u.username) = lower(asked.name)
		left join lateral (
		    select m.access_level, n.name from members m join namespaces n on n.id = m.namespace_id
		    where m.user_id = u.id and m.namespace_id = any(@above::bigint[]) and `+tree.Live+`
		    order by m.access_level desc, cardinality(n.traversal_ids) desc limit 1) above on true
		order by u.id`,
		pgx.NamedArgs{
			"namespace": src.Direct(), "project": src.Project, "above": src.Above(), "ids": ids, "names": usernames,
		})
}

// isMembershipLocked reports whether a group around a project has membership_lock on.
func isMembershipLocked(ctx context.Context, s *db.Store, src tree.Source) (bool, error) {
	if src.Project == nil {
		return false, nil
	}
	return db.Value[bool](ctx, s, `
		select exists (select from namespaces n where n.id = any(@namespaces) and `+locksMembership+`)`,
		pgx.NamedArgs{"namespaces": src.Namespaces})
}

// locksMembership is the condition that a group n forbids direct members of its projects.
const locksMembership = `n.settings ->> 'membership_lock' = 'true'`
