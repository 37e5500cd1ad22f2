package group

import (
	"context"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/policy"
	"hew/server/tree"
)

// holdRights returns a user who acts on a group or project with the rights of now, not of when a
// guard looked. Until the commit nobody can change the memberships that give them, or make an
// administrator of somebody else of the user.
func holdRights(ctx context.Context, s *db.Store, c db.Container, who policy.Who) (policy.Who, error) {
	user, err := db.One[struct {
		Admin bool `db:"admin"`
	}](ctx, s, "", `select admin from users where id = @user and state = 'active' for share`,
		pgx.NamedArgs{"user": who.ID})
	if fault.CodeOf(err) == fault.CodeNotFound {
		err = fault.Forbidden("")
	}
	if err != nil {
		return who, err
	}
	err = s.Exec(ctx, `
		select from members m
		where m.user_id = @user and (m.project_id = @project or m.namespace_id = any(
		    select unnest(n.traversal_ids) from namespaces n
		    where n.id = coalesce(@group, (select p.namespace_id from projects p where p.id = @project))))
		order by m.id for share`,
		pgx.NamedArgs{"user": who.ID, "project": c.ProjectID, "group": c.NamespaceID})
	if err != nil {
		return who, err
	}
	level, err := tree.LevelIn(ctx, s, c, who.ID)
	who.Level, who.Admin = policy.Level(level), who.Admin && user.Admin
	return who, err
}

// hold returns the roster with the rights that its user has now: see holdRights.
func (r Roster) hold(ctx context.Context, s *db.Store) (Roster, error) {
	var err error
	r.By, err = holdRights(ctx, s, r.Source.Container(), r.By)
	return r, err
}

// holdManager returns a fault if the roster's user cannot manage its members now: see holdRights.
func (r Roster) holdManager(ctx context.Context, s *db.Store) error {
	r, err := r.hold(ctx, s)
	if err == nil && !policy.Can(r.By, r.Need, policy.On{}) {
		err = fault.Forbidden("")
	}
	return err
}

// hold returns the holder with the rights that its user has now: see holdRights.
func (h Holder) hold(ctx context.Context, s *db.Store) (Holder, error) {
	var err error
	h.By, err = holdRights(ctx, s, h.Container, h.By)
	return h, err
}
