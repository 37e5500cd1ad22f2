package hook

import (
	"context"
	"encoding/json"
	"time"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
)

// Log records one delivery of a hook: what was sent and what came back, without secrets.
type Log struct {
	ID                int64             `db:"id,auto"`
	HookID            int64             `db:"hook_id"`
	Trigger           string            `db:"trigger"`
	URL               string            `db:"url"`
	EventUUID         string            `db:"event_uuid"`
	IdempotencyKey    string            `db:"idempotency_key"`
	Asked             string            `db:"asked"`    // askedTest or askedAgain; empty: nobody asked for it
	AskedBy           *int64            `db:"asked_by"` // the user who asked
	RequestHeaders    map[string]string `db:"request_headers"`
	RequestData       json.RawMessage   `db:"request_data"`
	ResponseHeaders   map[string]string `db:"response_headers"`
	ResponseBody      string            `db:"response_body"`
	ResponseStatus    *int              `db:"response_status"` // nil: it is on its way; 0: there was no answer
	ExecutionDuration float64           `db:"execution_duration"`
	CreatedAt         time.Time         `db:"created_at,auto"`
}

// succeeded reports whether the receiver accepted a delivery. A redirect counts as accepted.
func (l Log) succeeded() bool { return *l.ResponseStatus >= 200 && *l.ResponseStatus < 400 }

// The deliveries that a user asks for.
const (
	askedTest  = "test"
	askedAgain = "resend"
)

// Limits of the records of deliveries: their age in days, and their number for one hook.
const (
	logDays = 7
	maxLogs = 1000
)

// BeginLog stores a delivery that is about to be sent, and deletes the oldest ones of the hook
// beyond maxLogs.
func BeginLog(ctx context.Context, s *db.Store, l Log) (Log, error) {
	id, err := s.Insert(ctx, "hook_logs", l)
	if err != nil {
		return l, err
	}
	l.ID = id
	return l, s.Exec(ctx, `
		delete from hook_logs where hook_id = @hook and id <= (
		    select id from hook_logs where hook_id = @hook order by id desc offset @most limit 1)`,
		pgx.NamedArgs{"hook": l.HookID, "most": maxLogs})
}

// EndLog stores the outcome of a delivery, which has a ResponseStatus, and counts it for its hook.
// From the fourth consecutive failure the hook pauses, longer each time; after the fortieth it is
// disabled, unless it is a system hook (gaps §13.6). A success resets the count. The failure of a
// delivery that began before the present pause is not counted, so that deliveries in flight, of any
// number of processes, cause one pause.
func EndLog(ctx context.Context, s *db.Store, l Log) error {
	return s.Tx(ctx, func(s *db.Store) error {
		if err := s.Exec(ctx, `
			update hook_logs
			set (response_headers, response_body, response_status, execution_duration) = row(@headers::json, @body,
				@status, @duration)
			where id = @id`, pgx.NamedArgs{
			"id": l.ID, "headers": l.ResponseHeaders, "body": l.ResponseBody, "status": l.ResponseStatus,
			"duration": l.ExecutionDuration,
		}); err != nil {
			return err
		}
		return s.Exec(ctx, `
			update hooks t
			set failures = case when @ok then 0 else failures + 1 end,
			    disabled_until = case when not @ok and failures + 1 between 4 and 39
			                          then now() + `+pause("failures + 1")+` end
			where id = @hook and not (`+ofInstance+`) and case when @ok then failures > 0 else coalesce(
			    (select l.created_at from hook_logs l
			      where l.id = @log) >= disabled_until - `+pause("failures")+`, true) end`,
			pgx.NamedArgs{"hook": l.HookID, "ok": l.succeeded(), "log": l.ID})
	})
}

// pause returns the SQL of the time that a hook pauses after this many consecutive failures.
func pause(failures string) string {
	return `least(interval '1 minute' * power(2, ` + failures + ` - 4), interval '24 hours')`
}

// LogFilter narrows the deliveries of a hook by the status of the answer.
type LogFilter struct {
	Statuses []int    // any of these
	Ranges   [][2]int // or within one of these, ends included; 0 means no answer
}

// Logs lists the finished deliveries of a hook, the latest first.
func Logs(ctx context.Context, s *db.Store, hookID int64, f LogFilter, p db.Page) ([]Log, int, error) {
	w := db.NewWhere(nil)
	w.And(`l.hook_id = @hook`, hookID)
	w.And(`l.response_status is not null`)
	w.And(`l.created_at > now() - make_interval(days => @days)`, logDays)
	var from, to []int
	for _, r := range f.Ranges {
		from, to = append(from, r[0]), append(to, r[1])
	}
	w.Args["from"], w.Args["to"] = from, to
	w.AndIf(len(f.Statuses)+len(f.Ranges) > 0, `l.response_status = any(@statuses) or exists (
		select from unnest(@from::int[], @to::int[]) r (low, high)
			where l.response_status between r.low and r.high)`, f.Statuses)
	p.Desc = true
	return db.List[Log](ctx, s, p, db.Order{}, "l.id", `select l.* from hook_logs l`, w)
}

// findLog returns a finished delivery of a hook.
func findLog(ctx context.Context, s *db.Store, hookID, id int64) (Log, error) {
	return db.One[Log](ctx, s, "", `
		select l.* from hook_logs l where l.hook_id = @hook and l.id = @id and l.response_status is not null`,
		pgx.NamedArgs{"hook": hookID, "id": id})
}

// countAsked returns the number of deliveries that a user requested from the hooks of a container
// within the last minute: what is askedTest or askedAgain.
func countAsked(ctx context.Context, s *db.Store, c db.Container, what string, userID int64) (int, error) {
	w := Hooks(s, c).Where()
	w.And(`l.asked_by = @user and l.created_at > now() - interval '1 minute'`, userID)
	w.And(`l.asked = @what`, what)
	return db.Value[int](ctx, s, `select count(*) from hook_logs l join hooks t on t.id = l.hook_id`+w.String(), w.Args)
}

// countCall adds a call of a hook of a group or project to those of its top-level group, and
// reports whether they are within the limit per minute.
func countCall(ctx context.Context, s *db.Store, h Hook, limit int) (bool, error) {
	calls, err := db.Value[int](ctx, s, `
		insert into hook_calls as c (namespace_id, minute, calls)
		select n.traversal_ids[1], date_trunc('minute', now()), 1 from namespaces n
		where n.id = coalesce(@namespace, (select namespace_id from projects where id = @project))
		on conflict (namespace_id) do update
		set minute = excluded.minute, calls = case when c.minute = excluded.minute then c.calls + 1 else 1 end
		returning calls`, pgx.NamedArgs{"namespace": h.NamespaceID, "project": h.ProjectID})
	return calls <= limit, err
}

// SweepJob deletes records of deliveries that are too old to be shown.
type SweepJob struct{}

// Kind returns the name of the job.
func (SweepJob) Kind() string { return "sweep_hooks" }

func removeOldLogs(ctx context.Context, s *db.Store, _ SweepJob) error {
	return s.Exec(ctx, `delete from hook_logs where created_at <= now() - make_interval(days => @days)`,
		pgx.NamedArgs{"days": logDays})
}
