package integration

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
)

// AlertIntegration is an address that a monitoring tool sends alerts about a project to, with the key that it shows (spec 3
// §4.2, gaps §13.2).
type AlertIntegration struct {
	ID        int64     `db:"id,auto" json:"id"`
	ProjectID int64     `db:"project_id" json:"-"`
	Name      string    `db:"name" json:"name"`
	Type      string    `db:"type" json:"type"`       // http, or prometheus for what takes its format alone
	Active    bool      `db:"active" json:"active"`   // alerts are taken
	APIURL    *string   `db:"api_url" json:"api_url"` // where the monitoring tool is
	Endpoint  string    `db:"endpoint" json:"-"`      // the end of the address
	Digest    []byte    `db:"digest" json:"-"`        // SHA-256 of the key
	CreatedAt time.Time `db:"created_at,auto" json:"created_at"`
	UpdatedAt time.Time `db:"updated_at,auto" json:"-"`
}

// Prometheus is the type of integrations that take no other format.
const Prometheus = "prometheus"

// AlertIntegrations are the alert integrations of a project.
func AlertIntegrations(s *db.Store, c db.Container) db.Held[AlertIntegration] {
	return db.HeldIn[AlertIntegration](s, c, "alert_integrations")
}

// AlertAddress is an address that alerts are sent to: below a project, whose path may be a former one. Without an endpoint it
// is one of the old ones, which all integrations share; with Prometheus, those of that type.
type AlertAddress struct {
	Project, Endpoint string
	Prometheus        bool
}

// Listening are the active integrations that an address stands for. That there is no such project is a fault.
func Listening(ctx context.Context, s *db.Store, at AlertAddress) ([]AlertIntegration, error) {
	project, err := db.One[struct {
		ID int64 `db:"project_id"`
	}](ctx, s, "Project", `select project_id from routes where key = lower(@path) and project_id is not null`,
		pgx.NamedArgs{"path": at.Project})
	if err != nil {
		return nil, err
	}
	here := AlertIntegrations(s, db.Container{ProjectID: &project.ID})
	w := here.Where(func(w *db.Where) {
		w.And(true, `t.active`)
		w.And(at.Endpoint != "", `t.endpoint = @endpoint`, at.Endpoint)
		w.And(at.Prometheus, `t.type = @type`, Prometheus)
	})
	return db.Many[AlertIntegration](ctx, s, here.From+w.String(), w.Args)
}

// CountAlertRequest counts a request with alerts for a project, and tells how many there have been in a period of so many
// seconds. A new period begins with the first request after the old one.
func CountAlertRequest(ctx context.Context, s *db.Store, projectID int64, seconds int) (int, error) {
	return db.Value[int](ctx, s, `
		insert into alert_requests as t (project_id, since, requests) values (@project, now(), 1)
		on conflict (project_id) do update
		set (since, requests) = (
		    select case when over then now() else t.since end, case when over then 1 else t.requests + 1 end
		    from (select t.since <= now() - make_interval(secs => @seconds)) period (over))
		returning requests`, pgx.NamedArgs{"project": projectID, "seconds": seconds})
}
