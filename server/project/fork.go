package project

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/tree"
)

// NewFork returns a fork of a project, to be created in a namespace: with its name, path and
// description, as far as its content is concerned with its settings, and as visible as the parent,
// the namespace, the user and the instance allow, and at most as wanted.
func NewFork(
	ctx context.Context, st *db.Store, parent tree.Project, space tree.Group, by tree.User, want db.Visibility,
) (tree.Project, error) {
	p := tree.NewProject(parent.Name, parent.Path, space.ID)
	p.Description, p.ForkedFromID = parent.Description, &parent.ID
	from, s := parent.Settings, &p.Settings
	s.RepositoryAccess, s.BuildsAccess, s.SharedRunnersEnabled = from.RepositoryAccess, from.BuildsAccess,
		from.SharedRunnersEnabled
	s.CIConfigPath, s.ExternalAuthorizationLabel = from.CIConfigPath, from.ExternalAuthorizationLabel
	s.RepositoryObjectFormat, s.LFSEnabled = from.RepositoryObjectFormat, from.LFSEnabled
	s.SuggestionCommitMessage = from.SuggestionCommitMessage
	s.MergeCommitTemplate, s.SquashCommitTemplate = from.MergeCommitTemplate, from.SquashCommitTemplate
	p.Visibility = min(parent.Visibility, want)
	if space.Kind == "group" {
		p.Visibility = min(p.Visibility, space.Visibility)
	}
	for _, lower := range []db.Visibility{db.Internal, db.Private} {
		err := tree.CheckVisibility(ctx, st, p.Visibility, by)
		if fault.CodeOf(err) != fault.CodeInvalid {
			return p, err
		}
		p.Visibility = min(p.Visibility, lower)
	}
	return p, nil
}

// CheckForkTarget returns a fault if the root group of a project keeps forks within it and the
// namespace is not there.
func CheckForkTarget(ctx context.Context, st *db.Store, parent tree.Project, space tree.Group) error {
	if parent.NamespaceKind != "group" {
		return nil
	}
	root, err := tree.FindGroup(ctx, st, parent.NamespaceIDs[0])
	if err == nil && root.Settings.PreventForkingOutsideGroup && space.TraversalIDs[0] != root.ID {
		err = fault.NotFound("Target Namespace")
	}
	return err
}

// CreateFork creates a project that NewFork returned, in the network of its parent. A name or path
// that is taken is a conflict.
func CreateFork(ctx context.Context, st *db.Store, p tree.Project, creator tree.User) (tree.Project, error) {
	err := st.Tx(ctx, func(st *db.Store) (err error) {
		if p.ForkNetworkID, err = networkOf(ctx, st, *p.ForkedFromID); err != nil {
			return err
		}
		if err := checkForkVisibility(ctx, st, p); err != nil {
			return err
		}
		p, err = CreateProject(ctx, st, p, creator, Seed{})
		return asConflict(err)
	})
	return p, err
}

// asConflict returns the error, as a conflict if a name or path is taken.
func asConflict(err error) error {
	var f *fault.Error
	if !errors.As(err, &f) || f.Code != fault.CodeInvalid {
		return err
	}
	for _, field := range []string{"name", "path"} {
		for _, text := range f.Fields[field] {
			if text == taken {
				f.Code = fault.CodeConflict
			}
		}
	}
	return err
}

// networkOf returns the network of a project, which begins one if it has none. The project stays in
// it until the commit, and can be changed otherwise: a fork of a large repository takes long.
func networkOf(ctx context.Context, st *db.Store, id int64) (*int64, error) {
	args := pgx.NamedArgs{"id": id}
	if err := st.Exec(ctx, `
		update projects set fork_network_id = id where id = @id and fork_network_id is null`, args); err != nil {
		return nil, err
	}
	network, err := db.One[struct {
		ID int64 `db:"id"`
	}](ctx, st, "Project", `
		select coalesce(fork_network_id, id) as id from projects where id = @id for key share`, args)
	return &network.ID, err
}

// holdNetwork waits for forks of a project that are being made, before it changes its network.
func holdNetwork(ctx context.Context, st *db.Store, id int64) error {
	return st.Exec(ctx, `select from projects where id = @id for update`, pgx.NamedArgs{"id": id})
}

// LinkFork makes a project a fork of another one, which it is not yet (gaps §4.2).
func LinkFork(ctx context.Context, st *db.Store, id int64, parent tree.Project) (tree.Project, error) {
	return editProject(ctx, st, id, func(st *db.Store, p *tree.Project) (err error) {
		if p.ForkedFromID != nil {
			return fault.Conflict("Project already forked")
		}
		if err := holdNetwork(ctx, st, p.ID); err != nil {
			return err
		}
		network, err := networkOf(ctx, st, parent.ID)
		if err != nil {
			return err
		}
		if p.ID == parent.ID || p.ForkNetworkID != nil && *p.ForkNetworkID == *network {
			return fault.Conflict("Both projects are in one fork network already")
		}
		p.ForkedFromID, p.ForkNetworkID = &parent.ID, network
		return moveForks(ctx, st, p.ID, *network)
	})
}

// moveForks moves the forks of a project, and theirs, into a network.
func moveForks(ctx context.Context, st *db.Store, id, network int64) error {
	return st.Exec(ctx, `
		with recursive below as (
			select id from projects where forked_from_id = @id
			union select p.id from projects p join below b on p.forked_from_id = b.id)
		update projects set fork_network_id = @network where id in (select id from below)`,
		pgx.NamedArgs{"id": id, "network": network})
}

// UnlinkFork takes a project out of its network, with its own forks. It returns not modified if the
// project is not a fork.
func UnlinkFork(ctx context.Context, st *db.Store, id int64) error {
	_, err := editProject(ctx, st, id, func(st *db.Store, p *tree.Project) error {
		if p.ForkedFromID == nil {
			return fault.NotModified()
		}
		if err := holdNetwork(ctx, st, p.ID); err != nil {
			return err
		}
		p.ForkedFromID, p.ForkNetworkID = nil, &p.ID
		return moveForks(ctx, st, p.ID, p.ID)
	})
	return err
}

// checkForkVisibility returns a fault if a fork is more visible than its parent. A parent that
// becomes less visible changes nothing.
func checkForkVisibility(ctx context.Context, st *db.Store, p tree.Project) error {
	if p.ForkedFromID == nil {
		return nil
	}
	parent, err := tree.FindProject(ctx, st, *p.ForkedFromID)
	if err == nil && p.Visibility > parent.Visibility {
		err = fault.Invalid("visibility_level", fmt.Sprintf(
			"%s is not allowed since the fork source project has lower visibility.", p.Visibility))
	}
	return fault.IgnoreNotFound(err)
}
