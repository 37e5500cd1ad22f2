package integration

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/fault"
)

// Delivery records a request of an integration: what was sent of an event and what came back,
// without secrets.
type Delivery struct {
	ID             int64     `db:"id,auto" json:"id"`
	IntegrationID  int64     `db:"integration_id" json:"-"`
	Event          string    `db:"event" json:"event"`   // the kind: push_events
	Key            string    `db:"key" json:"key"`       // the same for all requests and attempts of an event
	Digest         string    `db:"digest" json:"-"`      // of the request
	TestedBy       *int64    `db:"tested_by" json:"-"`   // the user who asked for a test
	Method         string    `db:"method" json:"method"` // empty: no request could be made
	URL            string    `db:"url" json:"url"`       //
	RequestData    string    `db:"request_data" json:"request_data"`
	State          string    `db:"state,auto" json:"state"`       // sending, delivered or failed
	Attempts       int       `db:"attempts,auto" json:"attempts"` // so far
	ResponseStatus *int      `db:"response_status,auto" json:"response_status"`
	ResponseBody   string    `db:"response_body,auto" json:"response_body"`
	Error          string    `db:"error,auto" json:"error"`                           // why it failed
	Duration       float64   `db:"execution_duration,auto" json:"execution_duration"` // in seconds
	CreatedAt      time.Time `db:"created_at,auto" json:"created_at"`
	UpdatedAt      time.Time `db:"updated_at,auto" json:"updated_at"`
}

// The states of deliveries.
const (
	sending   = "sending" // it is on its way, or the server stopped before it knew the outcome
	delivered = "delivered"
	failed    = "failed"
)

// Limits of the records: their age in days, and their number for one integration.
const (
	deliveryDays  = 7
	maxDeliveries = 1000
)

// BeginDelivery records that a request is about to be sent. The request of an event that failed
// before has a row, which counts the attempt. Skip reports that the request must not be sent again:
// it was delivered, or may have been when the server stopped.
func BeginDelivery(ctx context.Context, s *db.Store, d Delivery) (row Delivery, skip bool, err error) {
	_, args := db.Columns(d)
	args["failed"], args["most"] = failed, maxDeliveries
	row, err = db.One[Delivery](ctx, s, "", `
		insert into integration_deliveries as t
		    (integration_id, event, key, digest, tested_by, method, url, request_data)
		values (@integration_id, @event, @key, @digest, @tested_by, @method, @url, @request_data)
		on conflict (integration_id, key, digest) do update
		set attempts = t.attempts + 1, state = 'sending' where t.state = @failed
		returning t.*`, args)
	if fault.CodeOf(err) == fault.CodeNotFound {
		return row, true, nil
	}
	if err != nil {
		return row, false, err
	}
	return row, false, s.Exec(ctx, `
		delete from integration_deliveries where integration_id = @integration_id and id <= (
		    select id from integration_deliveries where integration_id = @integration_id
		    order by id desc offset @most limit 1)`, args)
}

// EndDelivery stores the outcome of a request.
func EndDelivery(ctx context.Context, s *db.Store, d Delivery) error {
	return s.Exec(ctx, `
		update integration_deliveries
		set (state, response_status, response_body, error, execution_duration, updated_at) =
		    row(@state, @status::int, @body, @error, @duration::double precision, now())
		where id = @id`, pgx.NamedArgs{
		"id": d.ID, "state": d.State, "status": d.ResponseStatus, "body": d.ResponseBody, "error": d.Error,
		"duration": d.Duration,
	})
}

// Deliveries lists the requests of an integration that are not too old, the latest first.
func Deliveries(ctx context.Context, s *db.Store, integrationID int64, p db.Page) ([]Delivery, int, error) {
	w := db.NewWhere(nil)
	w.And(`t.integration_id = @integration`, integrationID)
	w.And(`t.created_at > now() - make_interval(days => @days)`, deliveryDays)
	p.Desc = true
	return db.List[Delivery](ctx, s, p, db.Order{}, "t.id", `select t.* from integration_deliveries t`, w)
}

// countTests returns the number of tests of an integration that a user asked for within the last
// minute.
func countTests(ctx context.Context, s *db.Store, integrationID, userID int64) (int, error) {
	return db.Value[int](ctx, s, `
		select count(distinct key) from integration_deliveries
		where integration_id = @integration and tested_by = @user and created_at > now() - interval '1 minute'`,
		pgx.NamedArgs{"integration": integrationID, "user": userID})
}

// SweepJob deletes records of deliveries that are too old to be shown.
type SweepJob struct{}

// Kind returns the name of the job.
func (SweepJob) Kind() string { return "sweep_integration_deliveries" }

func removeOldDeliveries(ctx context.Context, s *db.Store, _ SweepJob) error {
	return s.Exec(ctx, `
		delete from integration_deliveries where created_at <= now() - make_interval(days => @days)`,
		pgx.NamedArgs{"days": deliveryDays})
}
