package errortracking

import (
	"context"
	"encoding/json"
	"time"

	"hew/server/db"
	"hew/server/tree"
)

// The states of an error.
const (
	Unresolved = "unresolved"
	Resolved   = "resolved"
	Ignored    = "ignored" // it is counted, and stays ignored
)

// Error is what events with the same fingerprint have in common. Name to Release are those of the
// latest event.
type Error struct {
	ID          int64     `db:"id,auto" json:"-"`
	ProjectID   int64     `db:"project_id" json:"project_id"`
	Fingerprint string    `db:"fingerprint" json:"fingerprint"` // 32 hexadecimal digits
	Name        string    `db:"name" json:"name"`               // the type of the exception, or the message
	Description string    `db:"description" json:"description"` // what the exception says
	Actor       string    `db:"actor" json:"actor"`             // the place in the program
	Level       string    `db:"level" json:"level"`
	Platform    string    `db:"platform" json:"platform"`
	Environment *string   `db:"environment" json:"environment"`
	Release     *string   `db:"release" json:"release"`
	Status      string    `db:"status" json:"status"`
	EventCount  int64     `db:"event_count,auto" json:"event_count"`
	UserCount   int       `db:"user_count,auto" json:"approximated_user_count"` // at most MaxUsers
	KeptEvents  int       `db:"kept_events,auto" json:"-"`
	FirstSeenAt time.Time `db:"first_seen_at,auto" json:"first_seen_at"` // when the first event was received
	LastSeenAt  time.Time `db:"last_seen_at,auto" json:"last_seen_at"`
	CreatedAt   time.Time `db:"created_at,auto" json:"-"`
	UpdatedAt   time.Time `db:"updated_at,auto" json:"-"`
}

// Errors returns the errors of a project. Receive creates them.
func Errors(s *db.Store, c db.Container) db.Held[Error] {
	errors := db.NewHeld[Error](s, c, "errors")
	errors.What = "Error"
	errors.Orders = db.Order{
		"last_seen": "t.last_seen_at", "first_seen": "t.first_seen_at", "frequency": "t.event_count",
	}
	return errors
}

// ByFingerprint returns a condition that matches the error with the fingerprint.
func ByFingerprint(fingerprint string) db.Condition {
	return func(w *db.Where) { w.And(`t.fingerprint = @fingerprint`, fingerprint) }
}

// Filter narrows a list of errors; zero fields do not.
type Filter struct {
	Status string
	Search string // in name, description and actor
}

// Narrow narrows w to the errors that the filter admits.
func (f Filter) Narrow(w *db.Where) {
	w.AndIf(f.Status != "", `t.status = @status`, f.Status)
	w.AndIf(f.Search != "", `concat_ws(chr(10), t.name, t.description, t.actor) ilike @like`, tree.Infix(f.Search))
}

// Event is an event as it is kept.
type Event struct {
	ID        int64           `db:"id,auto" json:"-"`
	ErrorID   int64           `db:"error_id" json:"-"`
	EventID   string          `db:"event_id" json:"event_id"`
	CreatedAt time.Time       `db:"created_at,auto" json:"received_at"`
	Payload   json.RawMessage `db:"payload" json:"payload"`
}

// Events returns a page of the events that are kept of an error, the latest first.
func Events(ctx context.Context, s *db.Store, e Error, p db.Page) ([]Event, int, error) {
	w := db.NewWhere(nil)
	w.And(`t.error_id = @error`, e.ID)
	p.Order, p.Desc = "", true
	return db.List[Event](ctx, s, p, nil, "t.id", `select t.* from error_events t`, w)
}
