package project

import (
	"context"
	"slices"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/tree"
)

// InsertProject stores a project in its NamespaceID and returns the stored row. In a group its creator becomes a member
// only if the group does not make him a maintainer already; a personal namespace owns its projects by itself.
func InsertProject(ctx context.Context, s *db.Store, p tree.Project, creatorID int64) (tree.Project, error) {
	err := s.Tx(ctx, func(s *db.Store) error {
		space, err := tree.Parent(ctx, s, &p.NamespaceID)
		if err != nil {
			return err
		}
		p.FullPath = space.FullPath + "/" + p.Path
		if creatorID != 0 {
			p.CreatorID = &creatorID
		}
		if p.Topics, err = nameTopics(ctx, s, p.Topics); err != nil {
			return err
		}
		if p.ID, err = s.NextID(ctx, "projects"); err != nil {
			return err
		}
		_, p.Registration = tree.NewRegistration(s, tree.ProjectRunnersToken, p.ID)
		if _, err := s.Insert(ctx, "projects", p); err != nil {
			return err
		}
		if err := tree.Claim(ctx, s, p.FullPath, tree.ProjectRoute(p.ID)); err != nil {
			return err
		}
		if err := s.Exec(ctx, `
			insert into members (user_id, project_id, access_level, created_by_id)
			select @user::bigint, @project::bigint, @owner, @user::bigint from namespaces n
			where n.id = @namespace and n.kind = 'group' and @user::bigint > 0 and `+tree.LevelInSpace+` < @maintainer`,
			pgx.NamedArgs{
				"user": creatorID, "project": p.ID, "namespace": p.NamespaceID, "owner": db.Owner, "maintainer": db.Maintainer,
			}); err != nil {
			return err
		}
		p, err = tree.FindProject(ctx, s, p.ID)
		return err
	})
	return p, err
}

// UpdateProject stores what the row says, returns it as stored, and leaves a redirect from the old path if its path or
// namespace differ from what is stored.
func UpdateProject(ctx context.Context, s *db.Store, p tree.Project) (tree.Project, error) {
	err := s.Tx(ctx, func(s *db.Store) error {
		space, err := tree.Parent(ctx, s, &p.NamespaceID)
		if err != nil {
			return err
		}
		was, err := tree.HoldProject(ctx, s, p.ID)
		if err != nil {
			return err
		}
		if !slices.Equal(p.Topics, was.Topics) {
			if p.Topics, err = nameTopics(ctx, s, p.Topics); err != nil {
				return err
			}
		}
		p.FullPath = space.FullPath + "/" + p.Path
		if err := s.Update(ctx, "projects", p); err != nil {
			return err
		}
		if p.FullPath != was.FullPath {
			if err := tree.Reroute(ctx, s, tree.ProjectRoute(p.ID)); err != nil {
				return err
			}
		}
		p, err = tree.FindProject(ctx, s, p.ID)
		return err
	})
	return p, err
}
