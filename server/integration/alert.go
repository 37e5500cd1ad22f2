package integration

import (
	"cmp"
	"context"
	"crypto/subtle"
	"encoding/json"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/secret"
	"hew/server/setting"
	"hew/server/tree"
)

// The states of an alert that reports lead to. People may have acknowledged it, or ignore it, in
// between.
const (
	Triggered = "triggered"
	Resolved  = "resolved"
)

// Alert is a problem that a monitoring tool reports about what a project runs (spec 3 §2.2, §2.3).
type Alert struct {
	ID             int64      `db:"id,auto" json:"-"`
	ProjectID      int64      `db:"project_id" json:"-"`
	IID            int64      `db:"iid,auto" json:"iid"` // counts the alerts of the project
	Title          string     `db:"title" json:"title"`
	Description    *string    `db:"description" json:"description"`
	Status         string     `db:"status" json:"status"`
	Severity       string     `db:"severity" json:"severity"`
	Service        *string    `db:"service" json:"service"`
	MonitoringTool *string    `db:"monitoring_tool" json:"monitoring_tool"`
	Hosts          []string   `db:"hosts" json:"hosts"`
	StartedAt      time.Time  `db:"started_at" json:"started_at"`
	EndedAt        *time.Time `db:"ended_at" json:"ended_at"`
	EventCount     int        `db:"event_count,auto" json:"event_count"` // how often it was reported
	// what reports of one thing have in common
	Fingerprint string          `db:"fingerprint" json:"fingerprint"`
	Environment *string         `db:"environment" json:"environment"`
	Payload     json.RawMessage `db:"payload" json:"payload"` // of the first report
	CreatedAt   time.Time       `db:"created_at,auto" json:"created_at"`
	UpdatedAt   time.Time       `db:"updated_at,auto" json:"updated_at"`
	IssueID     *int64          `db:"issue_id,auto" json:"-"` // of the incident that it opened
	IssueIID    *int            `db:"issue_iid,auto" json:"issue_iid"`
}

// alertColumns are the columns of an alert t.
const alertColumns = `t.*, (select i.iid from issues i where i.id = t.issue_id) as issue_iid`

var alertOrders = db.Order{
	"started_at": "t.started_at", "ended_at": "t.ended_at", "created_at": "t.created_at", "updated_at": "t.updated_at",
	"event_count": "t.event_count",
	"severity":    `array_position(array['unknown', 'info', 'low', 'medium', 'high', 'critical'], t.severity)`,
}

// Alerts returns the alerts of a project. ReportAlerts creates them.
func Alerts(s *db.Store, c db.Container) db.Held[Alert] {
	alerts := db.NewHeld[Alert](s, c, "alerts")
	alerts.Orders = alertOrders
	alerts.Select = `select ` + alertColumns + ` from alerts t`
	return alerts
}

// ByIID returns a condition that matches the alert with a number within its project.
func ByIID(iid int64) db.Condition { return func(w *db.Where) { w.And(`t.iid = @iid`, iid) } }

// AlertFilter narrows a list of alerts; zero fields do not.
type AlertFilter struct {
	Statuses, Severities []string
	Search               string // in title, description, service and monitoring tool
}

// Which narrows w to the alerts that the filter admits.
func (f AlertFilter) Which(w *db.Where) {
	w.AndIf(f.Statuses != nil, `t.status = any(@statuses)`, f.Statuses)
	w.AndIf(f.Severities != nil, `t.severity = any(@severities)`, f.Severities)
	w.AndIf(f.Search != "", `concat_ws(chr(10), t.title, t.description, t.service, t.monitoring_tool) ilike @like`,
		tree.Infix(f.Search))
}

// A report opens an alert or counts for the open one, or closes the open one if there is one. Each
// is one statement, so that concurrent reports give one alert.
const (
	triggerAlert = `
		insert into alerts as t (project_id, iid, title, description, status, severity, service, monitoring_tool, hosts,
		                         started_at, environment, fingerprint, payload)
		values (@project_id, (select coalesce(max(iid), 0) + 1 from alerts where project_id = @project_id), @title,
			@description,
		        @status, @severity, @service, @monitoring_tool, @hosts, @started_at, @environment, @fingerprint,
		          @payload)
		on conflict (project_id, fingerprint) where status <> 'resolved'
		do update set event_count = t.event_count + 1, updated_at = now()
		returning ` + alertColumns
	resolveAlert = `
		update alerts t set status = @status, ended_at = @ended_at, updated_at = now()
		where project_id = @project_id and fingerprint = @fingerprint and status <> 'resolved'
		returning ` + alertColumns
	// where a project keeps alerts open until somebody resolves them
	findAlert = `
		select ` + alertColumns + ` from alerts t
		where project_id = @project_id and fingerprint = @fingerprint and status <> 'resolved'`
)

// ReportAlerts stores reports about a project in their order, Triggered or Resolved ones, and
// returns the alerts that they are about. A report that resolves no open alert returns none, and in
// a project that does not let reports resolve alerts it changes nothing. The numbers of alerts have
// no gaps, because transactions that report about one project run one after the other.
func ReportAlerts(ctx context.Context, s *db.Store, projectID int64, reports []Alert) (list []Alert, err error) {
	err = s.Tx(ctx, func(s *db.Store) error {
		if err := s.Exclusively(ctx, fmt.Sprintf("alerts of project %d", projectID)); err != nil {
			return err
		}
		settings, err := FindIncidentSettings(ctx, s, projectID)
		if err != nil {
			return err
		}
		batch := &pgx.Batch{}
		for _, report := range reports {
			report.ProjectID = projectID
			_, args := db.Columns(report)
			sql := triggerAlert
			switch {
			case report.Status != Resolved:
			case settings.AutoClose:
				sql = resolveAlert
			default:
				sql = findAlert
			}
			batch.Queue(sql, args).Query(func(rows pgx.Rows) error {
				about, err := pgx.CollectRows(rows, pgx.RowToStructByName[Alert])
				list = append(list, about...)
				return err
			})
		}
		if err := s.SendBatch(ctx, triggerAlert, batch); err != nil {
			return err
		}
		if err := enqueueIncidents(ctx, s, settings, list); err != nil {
			return err
		}
		return raiseAlerts(ctx, s, projectID, list)
	})
	return list, err
}

// MaxAlertBody is how many bytes a request with alerts may have (gaps §13.2).
const MaxAlertBody = 1 << 20

// AuthenticateAlerts returns the integration that an address and a key stand for, and counts the
// request against its limit. It answers every sender without the right key alike, so that nobody
// learns which projects exist. The key of an inactive integration is forbidden.
func AuthenticateAlerts(
	ctx context.Context, st *db.Store, at AlertAddress, key string,
) (none AlertIntegration, err error) {
	addressed, err := findAddressed(ctx, st, at)
	if err != nil {
		return none, err
	}
	digest := secret.Digest(key)
	for _, i := range addressed {
		switch {
		case subtle.ConstantTimeCompare(i.Digest, digest[:]) == 0:
		case !i.Active:
			return none, fault.Forbidden("")
		default:
			return i, checkAlertLimit(ctx, st, i.ProjectID)
		}
	}
	return none, fault.Unauthorized()
}

// checkAlertLimit counts a request with alerts for a project and refuses it beyond the limit of the
// settings.
func checkAlertLimit(ctx context.Context, st *db.Store, projectID int64) error {
	settings, err := setting.Read(ctx, st)
	if err != nil || !settings.AlertsLimited {
		return err
	}
	n, err := countAlertRequest(ctx, st, projectID, settings.AlertPeriod)
	if err == nil && n > settings.AlertRequests {
		err = fault.TooMany(cmp.Or(settings.LimitText, "Retry later")).In(fault.Raw)
	}
	return err
}

// ReceiveAlerts stores the alerts of a request to an integration, and returns the alerts that it is
// about. A body with all that the metrics format requires is read as that format, whatever the
// integration.
func ReceiveAlerts(ctx context.Context, st *db.Store, i AlertIntegration, body []byte) ([]Alert, error) {
	said, err := readAlertBody(body)
	if err != nil {
		return nil, err
	}
	var reports []Alert
	switch {
	case isMetrics(said):
		reports, err = metricsAlerts(said)
	case i.Type == Prometheus:
		err = fault.Unprocessable("")
	default:
		reports = []Alert{genericAlert(said)}
	}
	if err != nil || len(reports) == 0 {
		return nil, err
	}
	return ReportAlerts(ctx, st, i.ProjectID, reports)
}
