package store

import (
	"context"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"hew/server/fault"
)

// Project is a project together with what everybody wants to know about its namespace.
type Project struct {
	ID               int64             `db:"id,auto"`
	NamespaceID      int64             `db:"namespace_id"`
	Name             string            `db:"name"`
	Path             string            `db:"path"`
	FullPath         string            `db:"full_path"` // "acme/web/site"
	Visibility       Visibility        `db:"visibility"`
	Description      *string           `db:"description"`
	DefaultBranch    *string           `db:"default_branch"` // nil: nobody chose one; see Head
	Topics           []string          `db:"topics"`
	Avatar           *string           `db:"avatar"`
	Archived         bool              `db:"archived"`
	Settings         ProjectSettings   `db:"settings"`
	CustomAttributes map[string]string `db:"custom_attributes"`
	CreatorID        *int64            `db:"creator_id"`
	StarCount        int               `db:"star_count,auto"`
	ForksCount       int               `db:"forks_count,auto"`
	OpenIssuesCount  int               `db:"open_issues_count,auto"`
	RepositorySize   int64             `db:"repository_size,auto"` // this and the following in bytes
	WikiSize         int64             `db:"wiki_size,auto"`
	PackagesSize     int64             `db:"packages_size,auto"`
	JobArtifactsSize int64             `db:"job_artifacts_size,auto"`
	CommitCount      int64             `db:"commit_count,auto"`
	CreatedAt        time.Time         `db:"created_at,auto"`
	UpdatedAt        time.Time         `db:"updated_at,auto"`
	LastActivityAt   time.Time         `db:"last_activity_at,auto"`
	Deletion
	Registration
	Head string `db:"head,auto"` // DefaultBranch, or what its group or the instance calls the first branch

	NamespaceKind     string  `db:"namespace_kind,auto"` // group, user
	NamespaceName     string  `db:"namespace_name,auto"`
	NamespacePath     string  `db:"namespace_path,auto"`
	NamespaceFullName string  `db:"namespace_full_name,auto"`
	NamespaceFullPath string  `db:"namespace_full_path,auto"`
	NamespaceParentID *int64  `db:"namespace_parent_id,auto"`
	NamespaceOwnerID  *int64  `db:"namespace_owner_id,auto"`
	NamespaceAvatar   *string `db:"namespace_avatar,auto"`
	Owner             *Person `db:"owner,auto"`         // of a personal namespace
	NamespaceIDs      []int64 `db:"namespace_ids,auto"` // the namespace and its ancestors, root first
}

// projectColumns are the columns of Project; the project is called p, its namespace n.
var projectColumns = `p.*, n.kind as namespace_kind, n.name as namespace_name, n.path as namespace_path,
	n.full_name as namespace_full_name, n.full_path as namespace_full_path, n.parent_id as namespace_parent_id,
	n.owner_id as namespace_owner_id, n.avatar as namespace_avatar, n.traversal_ids as namespace_ids,
	` + person("n.owner_id") + ` as owner,
	coalesce(p.default_branch, n.settings ->> 'default_branch',
	         (select nullif(settings ->> 'default_branch_name', '') from application_settings), 'main') as head`

const projectTables = ` from projects p join namespaces n on n.id = p.namespace_id`

var selectProjects = `select ` + projectColumns + projectTables

// NewProject is a private project with default settings.
func NewProject(name, path string, namespaceID int64) Project {
	return Project{
		Name: name, Path: path, NamespaceID: namespaceID, Topics: []string{},
		Settings: NewProjectSettings(), CustomAttributes: map[string]string{},
	}
}

// FoundProject is a project as one caller meets it.
type FoundProject struct {
	Project
	Level      int  `db:"level"`       // the caller's highest level here, inherited ones included; 0: none
	GroupLevel int  `db:"group_level"` // the part of it that comes from groups
	Pending    bool `db:"pending"`     // it, or something above it, is marked for deletion
	Former     bool `db:"-"`           // it was asked for by a path that it no longer has: FullPath is the new one
}

// ProjectFor finds a project by id or full path, current or former, together with what the user may do there: one
// query. The user 0 is nobody. What the user may not see is found all the same: that is for the guard to judge.
func (s *Store) ProjectFor(ctx context.Context, ref string, userID int64) (FoundProject, error) {
	condition, args := byRef(ref, "p", "project_id")
	args["user"] = userID
	p, err := one[FoundProject](ctx, s, "Project", `
		select `+projectColumns+`, `+levelInProject+` as level, `+levelInSpace+` as group_level,
		       p.marked_for_deletion_on is not null or `+pendingSpace+` as pending`+projectTables+`
		where `+condition, args)
	p.Former = isFormer(ref, p.FullPath)
	return p, err
}

// Project is the project with that id.
func (s *Store) Project(ctx context.Context, id int64) (Project, error) {
	return one[Project](ctx, s, "Project", selectProjects+` where p.id = @id`, pgx.NamedArgs{"id": id})
}

// HoldProject reads a project that is about to be changed, and lets nobody else change it, or move what it is in, before
// the commit.
func (s *Store) HoldProject(ctx context.Context, id int64) (Project, error) {
	return under[Project](ctx, s, settle, "Project", selectProjects+` where p.id = @id for no key update of p`, id)
}

// NamesTaken tells which of name and path another project of the namespace, or a group in it, has already.
func (s *Store) NamesTaken(ctx context.Context, p Project, space Group) (name, path bool, err error) {
	taken, err := one[struct {
		Name bool `db:"name"`
		Path bool `db:"path"`
	}](ctx, s, "", `
		select exists (select from projects where namespace_id = @namespace and lower(name) = lower(@name) and id <> @id) as name,
		       exists (select from routes where key = lower(@path) and not former and project_id is distinct from @id) as path`,
		pgx.NamedArgs{"namespace": space.ID, "name": p.Name, "path": space.FullPath + "/" + p.Path, "id": p.ID})
	return taken.Name, taken.Path, err
}

// CreateProject stores a project in its NamespaceID and returns the stored row. In a group its creator becomes a member
// only if the group does not make him a maintainer already; a personal namespace owns its projects by itself.
func (s *Store) CreateProject(ctx context.Context, p Project, creatorID int64) (Project, error) {
	err := s.Tx(ctx, func(s *Store) error {
		space, err := s.parent(ctx, &p.NamespaceID)
		if err != nil {
			return err
		}
		p.FullPath = space.FullPath + "/" + p.Path
		if creatorID != 0 {
			p.CreatorID = &creatorID
		}
		if p.Topics, err = s.nameTopics(ctx, p.Topics); err != nil {
			return err
		}
		if p.ID, err = s.nextID(ctx, "projects"); err != nil {
			return err
		}
		_, p.Registration = s.newRegistration(projectRunnersToken, p.ID)
		if _, err := s.insert(ctx, "projects", p); err != nil {
			return err
		}
		if err := s.claim(ctx, p.FullPath, projectRoute(p.ID)); err != nil {
			return err
		}
		if err := s.exec(ctx, `
			insert into members (user_id, project_id, access_level, created_by_id)
			select @user::bigint, @project::bigint, @owner, @user::bigint from namespaces n
			where n.id = @namespace and n.kind = 'group' and @user::bigint > 0 and `+levelInSpace+` < @maintainer`,
			pgx.NamedArgs{
				"user": creatorID, "project": p.ID, "namespace": p.NamespaceID, "owner": owner, "maintainer": maintainer,
			}); err != nil {
			return err
		}
		p, err = s.Project(ctx, p.ID)
		return err
	})
	return p, err
}

// UpdateProject stores what the row says, returns it as stored, and leaves a redirect from the old path if its path or
// namespace differ from what is stored.
func (s *Store) UpdateProject(ctx context.Context, p Project) (Project, error) {
	err := s.Tx(ctx, func(s *Store) error {
		space, err := s.parent(ctx, &p.NamespaceID)
		if err != nil {
			return err
		}
		was, err := s.HoldProject(ctx, p.ID)
		if err != nil {
			return err
		}
		if !slices.Equal(p.Topics, was.Topics) {
			if p.Topics, err = s.nameTopics(ctx, p.Topics); err != nil {
				return err
			}
		}
		p.FullPath = space.FullPath + "/" + p.Path
		if err := s.update(ctx, "projects", p); err != nil {
			return err
		}
		if p.FullPath != was.FullPath {
			if err := s.reroute(ctx, projectRoute(p.ID)); err != nil {
				return err
			}
		}
		p, err = s.Project(ctx, p.ID)
		return err
	})
	return p, err
}

// RemoveProject removes a project with all that is in it, for good.
func (s *Store) RemoveProject(ctx context.Context, id int64) error {
	n, err := s.affected(ctx, `delete from projects where id = @id`, pgx.NamedArgs{"id": id})
	if err == nil && n == 0 {
		return fault.NotFound("Project")
	}
	return err
}
