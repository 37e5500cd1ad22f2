package tree

import (
	"context"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/policy"
)

// Standing is what a user is to a group or project.
type Standing struct {
	UserID   int64 `db:"user_id"`
	Level    int   `db:"level"` // the highest, inherited ones included; 0 for none
	Admin    bool  `db:"admin"`
	External bool  `db:"external"`
	Open     bool  `db:"open"` // it is visible to everybody like them
	Sees     bool  `db:"sees"` // as a member, as an administrator, or because it is open
}

// Who returns the user as who asks for something there.
func (s Standing) Who() policy.Who {
	return policy.Who{ID: s.UserID, Level: policy.Level(s.Level), Admin: s.Admin, External: s.External}
}

// standings is the query of the standings of @users in a namespace n, with the visibility and the
// further grants of what is asked about.
const standings = `
	select u.id as user_id, l.level, u.admin, u.external, l.open, u.admin or l.level >= 10 or l.open as sees
	from users u, target t, lateral (select t.visibility >= 20 or t.visibility >= 10 and not u.external as open, greatest(
		coalesce((select max(m.access_level)::int from ` + SpaceGrants + ` m
			where m.user_id = u.id and m.namespace_id = any(t.traversal_ids)), 0),
		coalesce((select max(m.access_level)::int from ` + ProjectGrants + ` m
			where m.user_id = u.id and m.project_id = t.project_id), 0)) as level) l
	where u.id = any(@users) and u.state = 'active'`

// Standings returns what each of the users is to a group or project, by user. Those who do not
// exist, or are blocked, are not in it.
func Standings(ctx context.Context, s *db.Store, c db.Container, users []int64) (map[int64]Standing, error) {
	if len(users) == 0 {
		return nil, nil
	}
	target := `with target as (
		select n.visibility, n.traversal_ids, null::bigint as project_id from namespaces n where n.id = @id)`
	if c.ProjectID != nil {
		target = `with target as (select p.visibility, n.traversal_ids, p.id as project_id` + ProjectTables + `
			where p.id = @id)`
	}
	list, err := db.Many[Standing](ctx, s, target+standings, pgx.NamedArgs{"users": users, "id": c.ID()})
	byID := make(map[int64]Standing, len(list))
	for _, st := range list {
		byID[st.UserID] = st
	}
	return byID, err
}
