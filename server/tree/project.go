package tree

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/fault"
)

// Project is a project with the columns of its namespace that nearly every request needs.
type Project struct {
	ID               int64             `db:"id,auto"`
	NamespaceID      int64             `db:"namespace_id"`
	Name             string            `db:"name"`
	Path             string            `db:"path"`
	FullPath         string            `db:"full_path"` // "acme/web/site"
	Visibility       db.Visibility     `db:"visibility"`
	Description      *string           `db:"description"`
	DefaultBranch    *string           `db:"default_branch"` // nil: nobody chose one; see Head
	Topics           []string          `db:"topics"`
	Avatar           *string           `db:"avatar"`
	Archived         bool              `db:"archived"`
	Settings         ProjectSettings   `db:"settings"`
	CustomAttributes map[string]string `db:"custom_attributes"`
	CreatorID        *int64            `db:"creator_id"`
	ForkedFromID     *int64            `db:"forked_from_id"`
	ForkNetworkID    *int64            `db:"fork_network_id"` // the project that its network began with
	StarCount        int               `db:"star_count,auto"`
	ForksCount       int               `db:"forks_count,auto"`
	OpenIssuesCount  int               `db:"open_issues_count,auto"`
	SecretIssues     int               `db:"secret_issues,auto"`   // those of OpenIssuesCount that are confidential
	RepositorySize   int64             `db:"repository_size,auto"` // this and the following in bytes
	WikiSize         int64             `db:"wiki_size,auto"`
	PackagesSize     int64             `db:"packages_size,auto"`
	JobArtifactsSize int64             `db:"job_artifacts_size,auto"`
	UploadsSize      int64             `db:"uploads_size,auto"`
	SnippetsSize     int64             `db:"snippets_size,auto"`
	CommitCount      int64             `db:"commit_count,auto"`
	ImportURL        *string           `db:"import_url,auto"`    // of a repository to be imported, with masks
	ImportType       *string           `db:"import_type,auto"`   // git, gitlab_project; nil: it was not imported
	ImportStatus     string            `db:"import_status,auto"` // none, scheduled, started, finished, failed, canceled
	ImportError      *string           `db:"import_error,auto"`  // why it failed
	CreatedAt        time.Time         `db:"created_at,auto"`
	UpdatedAt        time.Time         `db:"updated_at,auto"`
	LastActivityAt   time.Time         `db:"last_activity_at,auto"`
	Deletion
	Registration
	Head  string `db:"head,auto"`     // DefaultBranch, or what its group or the instance calls the first branch
	Empty bool   `db:"is_empty,auto"` // its repository has no branch

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

// ProjectColumns are the columns of Project; the tables are called p for the project and n for its
// namespace.
var ProjectColumns = `p.*, n.kind as namespace_kind, n.name as namespace_name, n.path as namespace_path,
	n.full_name as namespace_full_name, n.full_path as namespace_full_path, n.parent_id as namespace_parent_id,
	n.owner_id as namespace_owner_id, n.avatar as namespace_avatar, n.traversal_ids as namespace_ids,
	` + PersonColumn("n.owner_id") + ` as owner,
	(select coalesce(sum(c.open), 0)::int from open_issue_counts c where c.project_id = p.id) as open_issues_count,
	(select coalesce(sum(c.confidential), 0)::int from open_issue_counts c where c.project_id = p.id) as secret_issues,
	coalesce(p.default_branch, n.settings ->> 'default_branch',
	         (select nullif(settings ->> 'default_branch_name', '') from application_settings), 'main') as head,
	not exists (select from repositories r join refs t on t.repository_id = r.id
		where r.project_id = p.id and r.kind = 'project' and t.name >= 'refs/heads/' and t.name < 'refs/heads0') as is_empty`

const ProjectTables = ` from projects p join namespaces n on n.id = p.namespace_id`

var SelectProjects = `select ` + ProjectColumns + ProjectTables

// NewProject returns a private project with default settings.
func NewProject(name, path string, namespaceID int64) Project {
	return Project{
		Name: name, Path: path, NamespaceID: namespaceID, Topics: []string{},
		Settings: NewProjectSettings(), CustomAttributes: map[string]string{},
	}
}

// FoundProject is a project with the level of one caller in it.
type FoundProject struct {
	Project
	Level      int  `db:"level"`       // the caller's highest level here, inherited ones included; 0: none
	GroupLevel int  `db:"group_level"` // the part of it that comes from groups
	OwnLevel   int  `db:"own_level"`   // the part of it that the project itself grants
	Host       bool `db:"host"`        // groups are invited into it
	Pending    bool `db:"pending"`     // it, or something above it, is marked for deletion
	Former     bool `db:"-"`           // it was asked for by a path that it no longer has: FullPath is the new one
}

// ProjectFor finds a project by id or full path, current or former, with the level of the user in
// it, in one query. The user 0 is nobody. Projects that the user may not see are found too: the
// guard refuses them.
func ProjectFor(ctx context.Context, s *db.Store, ref string, userID int64) (FoundProject, error) {
	condition, args := byRef(ref, "p", "project_id")
	args["user"] = userID
	p, err := db.One[FoundProject](ctx, s, "Project", selectFoundProjects+condition, args)
	p.Former = isFormer(ref, p.FullPath)
	return p, err
}

// ProjectsFor returns the projects with these ids, by id, with the level of the user in each.
func ProjectsFor(ctx context.Context, s *db.Store, ids []int64, userID int64) (map[int64]FoundProject, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	list, err := db.Many[FoundProject](ctx, s, selectFoundProjects+`p.id = any(@ids)`,
		pgx.NamedArgs{"ids": ids, "user": userID})
	byID := make(map[int64]FoundProject, len(list))
	for _, p := range list {
		byID[p.ID] = p
	}
	return byID, err
}

var selectFoundProjects = `
	select ` + ProjectColumns + `, greatest(l.group_level, l.own_level) as level, l.group_level, l.own_level,
	       p.marked_for_deletion_on is not null or ` + PendingSpace + ` as pending,
	       exists (select from shares s where s.project_id = p.id and ` + LastingShare + `) as host` + ProjectTables + `
	       cross join lateral (
	           select ` + LevelInSpace + ` as group_level, ` + LevelOfProject + ` as own_level offset 0) l
	where `

// FindProject returns the project with that id, or a not-found fault.
func FindProject(ctx context.Context, s *db.Store, id int64) (Project, error) {
	return db.One[Project](ctx, s, "Project", SelectProjects+` where p.id = @id`, pgx.NamedArgs{"id": id})
}

// HoldProject returns the project with that id and locks it and its place in the tree until the
// commit.
func HoldProject(ctx context.Context, s *db.Store, id int64) (Project, error) {
	return under[Project](ctx, s, settle, "Project", SelectProjects+` where p.id = @id for no key update of p`, id)
}

// NamesTaken reports whether another project or a group in the namespace has the project's name,
// and whether one has its path.
func NamesTaken(ctx context.Context, s *db.Store, p Project, space Group) (name, path bool, err error) {
	taken, err := db.One[struct {
		Name bool `db:"name"`
		Path bool `db:"path"`
	}](ctx, s, "", `
		select exists (select from projects where namespace_id = @namespace and lower(name) = lower(@name)
			and id <> @id) as name,
		       exists (select from routes where key = lower(@path) and not former
		         and project_id is distinct from @id) as path`,
		pgx.NamedArgs{"namespace": space.ID, "name": p.Name, "path": space.FullPath + "/" + p.Path, "id": p.ID})
	return taken.Name, taken.Path, err
}

// RemoveProject deletes a project and everything in it permanently.
func RemoveProject(ctx context.Context, s *db.Store, id int64) error {
	n, err := s.Affected(ctx, `delete from projects where id = @id`, pgx.NamedArgs{"id": id})
	if err == nil && n == 0 {
		return fault.NotFound("Project")
	}
	return err
}

// NoteActivity notes that something happened in a project. It writes at most once a minute, so that
// pushes to one project do not wait for each other.
func NoteActivity(ctx context.Context, s *db.Store, id int64) error {
	return s.Exec(ctx, `
		update projects set last_activity_at = now()
		where id = @id and last_activity_at < now() - interval '1 minute'`, pgx.NamedArgs{"id": id})
}

// SetDefaultBranch chooses the default branch of a project.
func SetDefaultBranch(ctx context.Context, s *db.Store, id int64, branch string) error {
	return s.Exec(ctx, `update projects set default_branch = @branch, updated_at = now() where id = @id`,
		pgx.NamedArgs{"id": id, "branch": branch})
}
