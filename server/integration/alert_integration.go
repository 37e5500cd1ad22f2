package integration

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"net/url"
	"time"

	"github.com/jackc/pgx/v5"

	"hew/server/check"
	"hew/server/db"
	"hew/server/fault"
	"hew/server/secret"
	"hew/server/setting"
)

// AlertIntegration is an address to which a monitoring tool sends alerts about a project, with a
// key (spec 3 §4.2, gaps §13.2).
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

// AlertIntegrations returns the alert integrations of a project.
func AlertIntegrations(s *db.Store, c db.Container) db.Held[AlertIntegration] {
	return db.NewHeld[AlertIntegration](s, c, "alert_integrations")
}

// AlertAddress is an address that alerts are sent to, below the present or a former path of a
// project. Without an endpoint it is an address that all integrations share; with Prometheus, those
// of that type.
type AlertAddress struct {
	Project, Endpoint string
	Prometheus        bool
}

// findAddressed returns the integrations that an address stands for. There are none for a project
// that does not exist.
func findAddressed(ctx context.Context, s *db.Store, at AlertAddress) ([]AlertIntegration, error) {
	w := db.NewWhere(nil)
	w.And(`t.project_id = (select project_id from routes where key = lower(@path))`, at.Project)
	w.AndIf(at.Endpoint != "", `t.endpoint = @endpoint`, at.Endpoint)
	w.AndIf(at.Prometheus, `t.type = @type`, Prometheus)
	return db.Many[AlertIntegration](ctx, s, `select t.* from alert_integrations t`+w.String()+` order by t.id`, w.Args)
}

// countAlertRequest counts a request with alerts for a project and returns how many there were in
// the current period. A new period begins with the first request after the old one ended.
func countAlertRequest(ctx context.Context, s *db.Store, projectID int64, seconds int) (int, error) {
	return db.Value[int](ctx, s, `
		insert into alert_requests as t (project_id, since, requests) values (@project, now(), 1)
		on conflict (project_id) do update
		set (since, requests) = (
		    select case when over then now() else t.since end, case when over then 1 else t.requests + 1 end
		    from (select t.since <= now() - make_interval(secs => @seconds)) period (over))
		returning requests`, pgx.NamedArgs{"project": projectID, "seconds": seconds})
}

// The lengths of random parts, in bytes: of a key, and of the end of a URL (gaps §13.2).
const (
	alertKeyBytes      = 16
	alertEndpointBytes = 8
)

// randomHex returns so many random bytes in hexadecimal.
func randomHex(bytes int) string {
	b := make([]byte, bytes)
	rand.Read(b) // never fails, see its documentation
	return hex.EncodeToString(b)
}

// AlertIntegrationWithKey is an alert integration with its key, which is known only when it is
// made.
type AlertIntegrationWithKey struct {
	AlertIntegration
	Key string
}

// setNewKey gives an alert integration a new key.
func (k *AlertIntegrationWithKey) setNewKey() {
	k.Key = randomHex(alertKeyBytes)
	digest := secret.Digest(k.Key)
	k.Digest = digest[:]
}

// CreateAlertIntegration creates an alert integration with a new address and key; fill completes
// it.
func CreateAlertIntegration(
	ctx context.Context, st *db.Store, c db.Container, fill func(*AlertIntegration) error,
) (k AlertIntegrationWithKey, err error) {
	k.ProjectID, k.Endpoint = c.ID(), randomHex(alertEndpointBytes)
	k.setNewKey()
	if err := checkedAlertIntegration(ctx, fill)(st, &k.AlertIntegration); err != nil {
		return k, err
	}
	k.AlertIntegration, err = AlertIntegrations(st, c).Create(ctx, k.AlertIntegration)
	return k, err
}

// ChangeAlertIntegration applies change to an alert integration and stores it.
func ChangeAlertIntegration(
	ctx context.Context, st *db.Store, c db.Container, id int64, change func(*AlertIntegration) error,
) (AlertIntegration, error) {
	return AlertIntegrations(st, c).Change(ctx, db.ByID(id), checkedAlertIntegration(ctx, change))
}

// ResetAlertKey gives an alert integration a new key. The old one stops working.
func ResetAlertKey(ctx context.Context, st *db.Store, c db.Container, id int64) (k AlertIntegrationWithKey, err error) {
	k.AlertIntegration, err = AlertIntegrations(st, c).
		Change(ctx, db.ByID(id), func(_ *db.Store, i *AlertIntegration) error {
			k.setNewKey()
			i.Digest = k.Digest
			return nil
		})
	return k, err
}

// checkedAlertIntegration returns fill with the checks of its result. A new address has to be one
// that the settings admit requests to.
func checkedAlertIntegration(
	ctx context.Context, fill func(*AlertIntegration) error,
) func(*db.Store, *AlertIntegration) error {
	return func(st *db.Store, i *AlertIntegration) error {
		was := i.APIURL
		err := db.Checked(fill, checkAlertIntegration)(st, i)
		if err != nil || i.APIURL == nil || was != nil && *was == *i.APIURL {
			return err
		}
		settings, err := setting.Read(ctx, st)
		if err == nil && !setting.OutboundPolicy(settings).Admits(*i.APIURL) {
			err = fault.Invalid("api_url", "is blocked: Requests to the local network are not allowed")
		}
		return err
	}
}

// checkAlertIntegration returns the problems of an alert integration.
func checkAlertIntegration(i AlertIntegration) error {
	var wrong check.Problems
	wrong.Fits("name", i.Name, 255)
	switch {
	case i.APIURL == nil && i.Type == Prometheus:
		wrong.On("api_url", check.Blank)
	case i.APIURL != nil && !isHTTP(*i.APIURL):
		wrong.On("api_url", "must be a valid URL")
	case i.APIURL != nil:
		wrong.Fits("api_url", *i.APIURL, 255)
	}
	return wrong.Err()
}

// isHTTP reports whether a text is an absolute http or https URL.
func isHTTP(text string) bool {
	u, err := url.Parse(text)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != ""
}
