package work

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/note"
	"hew/server/tree"
)

// The fields whose changes are kept as resource events (more §4).
const (
	LabelField     = "label"
	StateField     = "state"
	MilestoneField = "milestone"
	WeightField    = "weight"
	IterationField = "iteration"
)

// ResourceEvent is a row of resource_events: one change of a field of an issue or epic.
type ResourceEvent struct {
	ID          int64  `db:"id,auto"`
	IssueID     *int64 `db:"issue_id"`
	EpicID      *int64 `db:"epic_id"`
	RequestID   *int64 `db:"merge_request_id"`
	UserID      *int64 `db:"user_id"`
	Field       string `db:"field"`
	Action      string `db:"action"` // add, remove; of the state: closed, reopened
	LabelID     *int64 `db:"label_id"`
	MilestoneID *int64 `db:"milestone_id"`
	IterationID *int64 `db:"iteration_id"`
	Weight      *int   `db:"weight"`
	CommitOID   []byte `db:"commit_oid"` // that closed the issue
	// SourceRequestID is the merge request that closed the issue.
	SourceRequestID *int64       `db:"source_request_id"`
	CreatedAt       time.Time    `db:"created_at,auto"`
	State           string       `db:"state,auto"` // of the issue or epic at that time
	User            *tree.Person `db:"user,auto"`
}

var selectResourceEvents = `
	select t.*, ` + tree.PersonColumn("t.user_id") + ` as "user",
	    coalesce((
	        select case s.action when 'closed' then 'closed' when 'merged' then 'merged' else 'opened' end from resource_events s
	        where (s.issue_id = t.issue_id or s.epic_id = t.epic_id or s.merge_request_id = t.merge_request_id)
	            and s.field = 'state' and s.id <= t.id
	        order by s.id desc limit 1), 'opened') as state
	from resource_events t`

// ResourceEvents returns a page of the changes of a field of an issue or epic, oldest first, and
// their capped count.
func ResourceEvents(
	ctx context.Context, s *db.Store, on note.Target, field string, p db.Page,
) ([]ResourceEvent, int, error) {
	w := db.NewWhere(nil)
	w.And(`t.`+targetColumn(on)+` = @target`, on.ID)
	w.And(`t.field = @field`, field)
	return db.List[ResourceEvent](ctx, s, p, nil, "t.id", selectResourceEvents, w)
}

// FindResourceEvent returns one change of a field of an issue or epic.
func FindResourceEvent(ctx context.Context, s *db.Store, on note.Target, field string, id int64) (ResourceEvent, error) {
	return db.One[ResourceEvent](ctx, s, "", selectResourceEvents+`
		where t.`+targetColumn(on)+` = @target and t.field = @field and t.id = @id`,
		pgx.NamedArgs{"target": on.ID, "field": field, "id": id})
}

// targetColumn returns the column that refers to an issue, epic or merge request.
func targetColumn(on note.Target) string { return on.Kind.Column() }

// EventLog collects the changes of an issue or epic.
type EventLog struct {
	On   note.Target
	By   int64
	list []ResourceEvent
}

// Add adds a change of a field. Of what it refers to, what is no id of the field is left out.
func (l *EventLog) Add(field, action string, set func(*ResourceEvent)) {
	ids := l.On.IDs()
	e := ResourceEvent{
		IssueID: ids.IssueID, EpicID: ids.EpicID, RequestID: ids.MergeRequestID, UserID: &l.By, Field: field,
		Action: action,
	}
	if set != nil {
		set(&e)
	}
	l.list = append(l.list, e)
}

// Labels adds the labels that were added and removed.
func (l *EventLog) Labels(before, now []int64) {
	for _, id := range Without(now, before) {
		l.Add(LabelField, "add", func(e *ResourceEvent) { e.LabelID = &id })
	}
	for _, id := range Without(before, now) {
		l.Add(LabelField, "remove", func(e *ResourceEvent) { e.LabelID = &id })
	}
}

// State adds the change of the state to Opened, Closed or "merged".
func (l *EventLog) State(before, now string) {
	if before != now {
		l.Add(StateField, map[string]string{Closed: "closed", Opened: "reopened", "merged": "merged"}[now], nil)
	}
}

// Reference adds the change of a reference to a milestone or iteration.
func (l *EventLog) Reference(field string, before, now *int64, set func(e *ResourceEvent, id *int64)) {
	if db.OrZero(before) == db.OrZero(now) {
		return
	}
	if before != nil && now == nil {
		l.Add(field, "remove", func(e *ResourceEvent) { set(e, before) })
		return
	}
	l.Add(field, "add", func(e *ResourceEvent) { set(e, now) })
}

// Store writes the changes.
func (l *EventLog) Store(ctx context.Context, st *db.Store) error {
	for _, e := range l.list {
		if _, err := st.Insert(ctx, "resource_events", e); err != nil {
			return err
		}
	}
	return nil
}
