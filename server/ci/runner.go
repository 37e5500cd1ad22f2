package ci

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/tree"
)

// Runner is a program elsewhere that runs jobs: of everybody (instance_type), of a group and what
// is below it (group_type), or of the projects that it is assigned to (project_type). The server
// knows the digest of its authentication token, not the token.
type Runner struct {
	ID              int64      `db:"id,auto"`
	Type            string     `db:"runner_type"`
	NamespaceID     *int64     `db:"namespace_id"` // of a group's
	Digest          []byte     `db:"digest"`
	TokenExpiresAt  *time.Time `db:"token_expires_at"`
	Description     string     `db:"description"`
	Name            *string    `db:"name"` // what it calls itself
	Paused          bool       `db:"paused"`
	Locked          bool       `db:"locked"` // to its projects
	RunUntagged     bool       `db:"run_untagged"`
	Tags            []string   `db:"tags"`
	AccessLevel     string     `db:"access_level"`
	MaximumTimeout  *int       `db:"maximum_timeout"` // seconds
	MaintenanceNote *string    `db:"maintenance_note"`
	CreatedByID     *int64     `db:"created_by_id"`
	ContactedAt     *time.Time `db:"contacted_at,auto"`
	IPAddress       *string    `db:"ip_address,auto"` // of the last contact
	Status          string     `db:"status,auto"`     // follows from the contacts
	CreatedAt       time.Time  `db:"created_at,auto"`
	UpdatedAt       time.Time  `db:"updated_at,auto"`
}

// The types of runners, in the words of the API.
const (
	InstanceRunner = "instance_type"
	GroupRunner    = "group_type"
	ProjectRunner  = "project_type"
)

// NewRunner returns a runner of a group or project, or of the instance for an empty container, with
// the defaults of the public service.
func NewRunner(c db.Container) Runner {
	r := Runner{Type: InstanceRunner, NamespaceID: c.NamespaceID, RunUntagged: true, Tags: []string{},
		AccessLevel: "not_protected"}
	switch {
	case c.NamespaceID != nil:
		r.Type = GroupRunner
	case c.ProjectID != nil:
		r.Type = ProjectRunner
	}
	return r
}

// runnerStatus is the status of a runner or manager t (gaps §10.5).
const runnerStatus = `case
	when greatest(t.created_at, t.contacted_at) < now() - interval '7 days' then 'stale'
	when t.contacted_at is null then 'never_contacted'
	when t.contacted_at > now() - interval '2 hours' then 'online'
	else 'offline' end`

const selectRunners = `
	select t.*, ` + runnerStatus + ` as status
	from runners t`

// insertRunner stores a runner of a group, project or the instance and returns it as stored.
func insertRunner(ctx context.Context, s *db.Store, r Runner, c db.Container) (Runner, error) {
	err := s.Tx(ctx, func(s *db.Store) error {
		id, err := s.Insert(ctx, "runners", r)
		if err == nil && c.ProjectID != nil {
			_, err = Assignments(s, *c.ProjectID).Create(ctx, Assignment{ProjectID: *c.ProjectID, RunnerID: id})
		}
		if err != nil {
			return err
		}
		r, err = findRunner(ctx, s, id)
		return err
	})
	return r, err
}

// findRunner returns the runner with the id.
func findRunner(ctx context.Context, s *db.Store, id int64) (Runner, error) {
	return db.One[Runner](ctx, s, "Runner", selectRunners+` where t.id = @id`, pgx.NamedArgs{"id": id})
}

// RunnerByDigest returns the runner whose valid authentication token has the digest.
func RunnerByDigest(ctx context.Context, s *db.Store, digest []byte) (Runner, error) {
	return db.One[Runner](ctx, s, "Runner", selectRunners+`
		where t.digest = @digest and (t.token_expires_at is null or t.token_expires_at > now())`,
		pgx.NamedArgs{"digest": digest})
}

// holdRunner returns a runner and locks its row until the transaction ends.
func holdRunner(ctx context.Context, s *db.Store, id int64) (Runner, error) {
	return db.One[Runner](ctx, s, "Runner", selectRunners+`
		where t.id = @id for no key update`, pgx.NamedArgs{"id": id})
}

// updateRunner stores a runner that holdRunner returned.
func updateRunner(ctx context.Context, s *db.Store, r Runner) error {
	return s.Update(ctx, "runners", r)
}

// deleteRunnerRow deletes a runner that holdRunner returned.
func deleteRunnerRow(ctx context.Context, s *db.Store, id int64) error {
	return s.Exec(ctx, `delete from runners where id = @id`, pgx.NamedArgs{"id": id})
}

// Assignment says that a project's runner works for a project.
type Assignment struct {
	ID        int64     `db:"id,auto"`
	ProjectID int64     `db:"project_id"`
	RunnerID  int64     `db:"runner_id"`
	CreatedAt time.Time `db:"created_at,auto"`
	UpdatedAt time.Time `db:"updated_at,auto"`
}

// Assignments returns the runners that are assigned to a project.
func Assignments(s *db.Store, projectID int64) db.Held[Assignment] {
	list := db.NewHeld[Assignment](s, db.Container{ProjectID: &projectID}, "runner_projects")
	list.What = "Runner"
	return list
}

// assignmentByRunner returns a condition that matches the assignment of a runner.
func assignmentByRunner(id int64) db.Condition {
	return func(w *db.Where) { w.And(`t.runner_id = @runner`, id) }
}

// FoundRunner is a runner as a user finds it.
type FoundRunner struct {
	Runner
	RunnerInfo              // of the manager that was the last to make contact
	Level      int          `db:"level"`    // the highest of the user where the runner is, inherited or not
	Projects   int          `db:"projects"` // that it is assigned to
	GroupName  string       `db:"group_name"`
	GroupPath  string       `db:"group_path"`
	CreatedBy  *tree.Person `db:"created_by"`
}

// RunnerFor returns the runner with the id, as the user finds it.
func RunnerFor(ctx context.Context, s *db.Store, id, userID int64) (FoundRunner, error) {
	return db.One[FoundRunner](ctx, s, "Runner", `
		select t.*, `+runnerStatus+` as status, m.version, m.revision, m.platform, m.architecture,
		       coalesce(n.full_name, '') as group_name, coalesce(n.full_path, '') as group_path,
		       `+tree.PersonColumn("t.created_by_id")+` as created_by,
		       (select count(*) from runner_projects rp where rp.runner_id = t.id) as projects,
		       case when n.id is not null then `+tree.LevelInSpace+` else coalesce((
		           select max(`+tree.LevelInProject+`)
		           from runner_projects rp join projects p on p.id = rp.project_id
		             join namespaces n on n.id = p.namespace_id
		           where rp.runner_id = t.id), 0) end as level
		from runners t
		left join namespaces n on n.id = t.namespace_id
		left join lateral (
		    select * from runner_managers m where m.runner_id = t.id and m.version is not null
		    order by m.contacted_at desc nulls last, m.id desc limit 1) m on true
		where t.id = @id`, pgx.NamedArgs{"id": id, "user": userID})
}

// countRunners returns the number of runners of a group or project. Until the transaction ends no
// other transaction counts them.
func countRunners(ctx context.Context, s *db.Store, c db.Container) (int, error) {
	if err := s.Exclusively(ctx, "runners of "+c.String()); err != nil {
		return 0, err
	}
	if c.ProjectID != nil {
		return Assignments(s, *c.ProjectID).Count(ctx)
	}
	return db.Value[int](ctx, s, `select count(*) from runners where namespace_id = @id`, pgx.NamedArgs{"id": c.ID()})
}
