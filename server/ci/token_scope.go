package ci

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/tree"
)

// TokenScope admits the tokens of jobs of another project, or of those of a group, to a project.
type TokenScope struct {
	ID            int64     `db:"id,auto"`
	ProjectID     int64     `db:"project_id"`
	FromProjectID *int64    `db:"from_project_id"`
	FromGroupID   *int64    `db:"from_group_id"`
	CreatedAt     time.Time `db:"created_at,auto"`
	UpdatedAt     time.Time `db:"updated_at,auto"`
}

// TokenScopes returns what a project admits.
func TokenScopes(s *db.Store, projectID int64) db.Held[TokenScope] {
	h := db.NewHeld[TokenScope](s, db.Container{ProjectID: &projectID}, "job_token_scopes")
	h.What = "Target"
	return h
}

// AdmittedProject returns the condition of the scope of a project.
func AdmittedProject(id int64) db.Condition {
	return func(w *db.Where) { w.And(`t.from_project_id = @from`, id) }
}

// AdmittedGroup returns the condition of the scope of a group.
func AdmittedGroup(id int64) db.Condition {
	return func(w *db.Where) { w.And(`t.from_group_id = @from`, id) }
}

// AdmittedProjects returns the projects whose jobs a project admits, as far as a user sees them: as
// a member, or because they are open to the user. Open is the least visibility that the user sees.
func AdmittedProjects(
	ctx context.Context, s *db.Store, projectID int64, v tree.Viewer, open db.Visibility, p db.Page,
) ([]tree.Project, int, error) {
	w := db.NewWhere(pgx.NamedArgs{"project": projectID, "user": v.UserID})
	w.And(`p.id in (select t.from_project_id from job_token_scopes t where t.project_id = @project)`)
	w.AndIf(!v.All, `p.visibility >= @open or `+tree.LevelInProject+` > 0`, int16(open))
	return db.List[tree.Project](ctx, s, p, nil, "p.id", tree.SelectProjects, w)
}

// AdmittedGroups returns the groups whose jobs a project admits, as far as a user sees them.
func AdmittedGroups(
	ctx context.Context, s *db.Store, projectID int64, v tree.Viewer, p db.Page,
) ([]tree.Group, int, error) {
	w := db.NewWhere(pgx.NamedArgs{"project": projectID, "viewer": v.UserID, "all": v.All})
	w.And(`i.id in (select t.from_group_id from job_token_scopes t where t.project_id = @project)`)
	w.And(tree.Seen)
	return db.List[tree.Group](ctx, s, p, nil, "i.id", `select i.* from namespaces i`, w)
}
