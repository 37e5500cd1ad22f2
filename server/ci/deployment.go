package ci

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"hew/server/ci/status"
	"hew/server/db"
	"hew/server/event"
	"hew/server/fault"
	"hew/server/git/object"
	"hew/server/tree"
)

// Deployment says that a commit was brought to an environment, or is being brought there.
type Deployment struct {
	ID            int64      `db:"id,auto"`
	ProjectID     int64      `db:"project_id"`
	IID           int        `db:"iid"`
	EnvironmentID int64      `db:"environment_id"`
	JobID         *int64     `db:"job_id"` // nil: reported by somebody
	UserID        *int64     `db:"user_id"`
	Commit        object.ID  `db:"commit_oid"`
	Ref           string     `db:"ref"`
	Tag           bool       `db:"tag"`
	Status        string     `db:"status"` // created, running, success, failed, canceled, skipped, blocked
	FinishedAt    *time.Time `db:"finished_at"`
	CreatedAt     time.Time  `db:"created_at,auto"`
	UpdatedAt     time.Time  `db:"updated_at,auto"`

	User        *tree.Person `db:"user,auto"`
	Environment Environment  `db:"environment,auto"`
}

// environmentColumn is the environment e of a deployment.
const environmentColumn = `jsonb_build_object('ID', e.id, 'ProjectID', e.project_id, 'Name', e.name, 'Slug', e.slug,
	'ExternalURL', e.external_url, 'State', e.state, 'Tier', e.tier, 'CreatedAt', e.created_at,
	'UpdatedAt', e.updated_at)`

var selectDeployments = `
	select t.*, ` + tree.PersonColumn("t.user_id") + ` as "user", ` + environmentColumn + ` as environment
	from deployments t join environments e on e.id = t.environment_id`

// Deployments returns the deployments of a project.
func Deployments(s *db.Store, projectID int64) db.Held[Deployment] {
	h := db.NewHeld[Deployment](s, db.Container{ProjectID: &projectID}, "deployments")
	h.What, h.Select = "Deployment", selectDeployments
	h.Orders = db.Order{"id": "t.id", "iid": "t.iid", "created_at": "t.created_at", "updated_at": "t.updated_at",
		"finished_at": "t.finished_at", "ref": "t.ref"}
	return h
}

// DeploymentFilter narrows a list of deployments. Zero fields narrow nothing.
type DeploymentFilter struct {
	Environment, Status           string
	UpdatedAfter, UpdatedBefore   *time.Time
	FinishedAfter, FinishedBefore *time.Time
}

// Within adds the conditions of the filter.
func (f DeploymentFilter) Within(w *db.Where) {
	w.AndIf(f.Environment != "", `e.name = @environment`, f.Environment)
	w.AndIf(f.Status != "", `t.status = @status`, f.Status)
	w.AndIf(f.UpdatedAfter != nil, `t.updated_at > @updated_after`, f.UpdatedAfter)
	w.AndIf(f.UpdatedBefore != nil, `t.updated_at < @updated_before`, f.UpdatedBefore)
	w.AndIf(f.FinishedAfter != nil, `t.finished_at > @finished_after`, f.FinishedAfter)
	w.AndIf(f.FinishedBefore != nil, `t.finished_at < @finished_before`, f.FinishedBefore)
}

// LastDeployment returns the last deployment to an environment that succeeded; nil if none has.
func LastDeployment(ctx context.Context, s *db.Store, environmentID int64) (*Deployment, error) {
	list, err := db.Many[Deployment](ctx, s, selectDeployments+`
		where t.environment_id = @environment and t.status = 'success' order by t.id desc limit 1`,
		pgx.NamedArgs{"environment": environmentID})
	if err != nil || len(list) == 0 {
		return nil, err
	}
	return &list[0], nil
}

// CreateDeployment stores a deployment that somebody reports, to an environment that may be new.
func CreateDeployment(ctx context.Context, st *db.Store, d Deployment, environment string) (made Deployment, err error) {
	err = st.Tx(ctx, func(st *db.Store) error {
		to, err := ProvideEnvironment(ctx, st, d.ProjectID, environment, "")
		if err != nil {
			return err
		}
		d.EnvironmentID = to.ID
		made, err = insertDeployment(ctx, st, d)
		return err
	})
	return made, err
}

func insertDeployment(ctx context.Context, st *db.Store, d Deployment) (Deployment, error) {
	var err error
	if d.IID, err = st.NextIID(ctx, db.Container{ProjectID: &d.ProjectID}, "deployment"); err != nil {
		return d, err
	}
	d.finish()
	if d, err = Deployments(st, d.ProjectID).Create(ctx, d); err != nil {
		return d, err
	}
	if d.Status == "success" {
		if err := revive(ctx, st, d.EnvironmentID); err != nil {
			return d, err
		}
	}
	return d, event.Emit(ctx, st, Deployed{ProjectID: d.ProjectID, ID: d.ID})
}

// finish notes when a deployment was over.
func (d *Deployment) finish() {
	if over := status.Status(d.Status).Complete(); over && d.FinishedAt == nil {
		d.FinishedAt = new(time.Now())
	}
}

// revive makes an environment available again that something was deployed to.
func revive(ctx context.Context, st *db.Store, environmentID int64) error {
	return st.Exec(ctx, `
		update environments set state = 'available', updated_at = now() where id = @id and state <> 'available'`,
		pgx.NamedArgs{"id": environmentID})
}

// ChangeDeployment gives a deployment another status.
func ChangeDeployment(ctx context.Context, st *db.Store, projectID, id int64, to string) (d Deployment, err error) {
	err = st.Tx(ctx, func(st *db.Store) error {
		d, err = Deployments(st, projectID).Change(ctx, db.ByID(id), func(st *db.Store, d *Deployment) error {
			d.Status = to
			d.finish()
			if to != "success" {
				return nil
			}
			return revive(ctx, st, d.EnvironmentID)
		})
		if err != nil {
			return err
		}
		return event.Emit(ctx, st, Deployed{ProjectID: projectID, ID: id})
	})
	return d, err
}

// DeleteDeployment deletes a deployment that does not run and is not what its environment has now.
func DeleteDeployment(
	ctx context.Context, st *db.Store, projectID, id int64, unless func(context.Context, time.Time) error,
) error {
	return st.Tx(ctx, func(st *db.Store) error {
		d, err := Deployments(st, projectID).One(ctx, db.ByID(id))
		if err != nil {
			return err
		}
		last, err := LastDeployment(ctx, st, d.EnvironmentID)
		if err != nil {
			return err
		}
		if d.Status == "running" {
			return fault.BadRequest("Cannot destroy running deployment").In(fault.Text)
		}
		if last != nil && last.ID == d.ID {
			return fault.BadRequest("Deployment currently deployed to environment").In(fault.Text)
		}
		return Deployments(st, projectID).Delete(ctx, db.ByID(id), unless)
	})
}
