package project

import (
	"context"
	"slices"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/event"
	"hew/server/fault"
	"hew/server/group"
	"hew/server/jobs"
	"hew/server/tree"
)

// CreateProject creates a project in its namespace, with the user as its creator. An invalid
// project is one fault about all fields.
func CreateProject(
	ctx context.Context, st *db.Store, p tree.Project, creator tree.User, seed Seed,
) (tree.Project, error) {
	err := st.Tx(ctx, func(st *db.Store) error {
		space, err := tree.Place(ctx, st, p.NamespaceID)
		if err != nil {
			return err
		}
		nameProject(&p)
		if err := tree.CheckVisibility(ctx, st, p.Visibility, creator); err != nil {
			return err
		}
		if err := checkProject(ctx, st, p, space); err != nil {
			return err
		}
		if p, err = InsertProject(ctx, st, p, creator.ID); err != nil {
			return err
		}
		if seed.ImportURL != "" && !(p.Settings.Mirror && isReachedBySSH(seed.ImportURL)) {
			if p, err = beginImport(ctx, st, p, seed.ImportURL); err != nil {
				return err
			}
		}
		if p.Settings.Mirror {
			if p, err = followURL(ctx, st, p, seed.ImportURL); err != nil {
				return err
			}
		}
		if err := event.Emit(ctx, st, Created{p, creator, seed}); err != nil {
			return err
		}
		p.Empty = !seed.hasCommit()
		m, err := group.FindMember(ctx, st, tree.InProject(p), creator.ID)
		if err != nil || m.ProjectID == nil { // the namespace makes a maintainer of the creator
			return fault.IgnoreNotFound(err)
		}
		return event.Emit(ctx, st, group.MembersChanged{What: group.MemberAdded, Members: []group.Member{m}})
	})
	return p, err
}

// ChangeProject locks a project, applies change, and stores the outcome. A new path leaves a
// redirect from the old one.
func ChangeProject(
	ctx context.Context, st *db.Store, id int64, change func(*tree.Project) error,
) (tree.Project, error) {
	return editProject(ctx, st, id, func(st *db.Store, p *tree.Project) error {
		was := *p
		if err := change(p); err != nil {
			return err
		}
		if b := p.DefaultBranch; b != nil && *b != was.Head {
			if err := checkBranch(ctx, st, p.ID, *b); err != nil {
				return err
			}
		}
		if p.Visibility > was.Visibility {
			if err := checkForkVisibility(ctx, st, *p); err != nil {
				return err
			}
		}
		space, err := tree.Place(ctx, st, p.NamespaceID)
		if err != nil {
			return err
		}
		return checkProject(ctx, st, *p, space)
	})
}

// editProject locks a project, applies change, stores the outcome, and emits Changed.
func editProject(
	ctx context.Context, st *db.Store, id int64, change func(*db.Store, *tree.Project) error,
) (p tree.Project, err error) {
	err = st.Tx(ctx, func(st *db.Store) error {
		var was tree.Project
		p, err = projects.Edit(ctx, st, id, func(st *db.Store, p *tree.Project) error {
			was = *p
			return change(st, p)
		})
		if err != nil {
			return err
		}
		return event.Emit(ctx, st, Changed{was, p})
	})
	return p, err
}

// TransferProject moves a project into another namespace, with a redirect from its old path. In a
// less visible group it becomes as visible as the group.
func TransferProject(ctx context.Context, st *db.Store, id int64, to tree.Group) (p tree.Project, err error) {
	err = st.Tx(ctx, func(st *db.Store) error {
		if p, err = moveProject(ctx, st, id, to); err != nil {
			return err
		}
		return event.Emit(ctx, st, group.AccessLost{Source: tree.InProject(p)})
	})
	return p, err
}

func moveProject(ctx context.Context, st *db.Store, id int64, to tree.Group) (tree.Project, error) {
	return editProject(ctx, st, id, func(st *db.Store, p *tree.Project) error {
		if p.NamespaceID == to.ID {
			return transferFailed("Project is already in this namespace.")
		}
		to, err := tree.Place(ctx, st, to.ID)
		if err != nil {
			return err
		}
		name, path, err := tree.NamesTaken(ctx, st, *p, to)
		switch {
		case err != nil:
			return err
		case name || path:
			return transferFailed("Project with same name or path in target namespace already exists")
		}
		p.NamespaceID = to.ID
		if to.Kind == "group" {
			p.Visibility = min(p.Visibility, to.Visibility)
		}
		return nil
	})
}

// transferFailed returns a fault in the format of the public service, a printed Ruby hash (gaps
// §4.2).
func transferFailed(why string) error {
	return fault.BadRequest(`Failed to transfer project {:new_namespace=>["` + why + `"]}`).In(fault.Text)
}

// DeleteProject marks a project for deletion: see group.Kind.MarkForDeletion.
func DeleteProject(ctx context.Context, st *db.Store, id int64, by tree.User) error {
	return projects.MarkForDeletion(ctx, st, id, by)
}

// RemoveProject removes a project that is marked for deletion now. The caller repeats its full
// path.
func RemoveProject(ctx context.Context, st *db.Store, id int64, fullPath string) error {
	return projects.RemoveNow(ctx, st, id,
		func(p tree.Project) error { return projects.CheckRemovable(p, p.FullPath, fullPath) })
}

// RestoreProject removes the mark for deletion from a project.
func RestoreProject(ctx context.Context, st *db.Store, id int64) (tree.Project, error) {
	return projects.Restore(ctx, st, id)
}

// InsertProject stores a project in its NamespaceID and returns the stored row. In a group the
// creator (0: nobody) becomes an owner of it unless the group grants maintainer access already.
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
				"user": creatorID, "project": p.ID, "namespace": p.NamespaceID, "owner": db.Owner,
				"maintainer": db.Maintainer,
			}); err != nil {
			return err
		}
		p, err = tree.FindProject(ctx, s, p.ID)
		return err
	})
	return p, err
}

// UpdateProject stores the row and returns it as stored. A new path or namespace leaves a redirect
// from the old path.
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

var projects = group.Kind[tree.Project]{
	Name: "Project", Noun: "project", Hold: tree.HoldProject, Save: UpdateProject,
	Deletion: func(p *tree.Project) *tree.Deletion { return &p.Deletion },
	Job:      func(id int64) jobs.Args { return removalJob{ID: id} },
}
