package errortracking

import (
	"context"
	"crypto/sha256"
	"errors"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/setting"
)

// MaxUsers is up to how many users of an error are counted.
const MaxUsers = 10_000

// requests limits the requests with events for one project.
var requests = setting.RateLimit{
	Name: "error_tracking_requests", Most: func(setting.Settings) int { return 1_000 }, Period: time.Minute,
}

// fresh limits the new errors of one project, so that there are never many more than MaxErrors
// before the sweep.
var fresh = setting.RateLimit{
	Name: "error_tracking_new_errors", Most: func(setting.Settings) int { return 500 }, Period: time.Minute,
}

// Authenticate returns a fault unless a key may send events of the project, and counts the request
// against the limit of the project. A key that does not exist, or not in this project, is
// unauthorized; one that is inactive, or of a project that is closed, forbidden. Where the project
// does not collect errors here, that is not found.
func Authenticate(ctx context.Context, st *db.Store, projectID int64, publicKey string) error {
	found, err := db.One[struct {
		Active   bool `db:"active"`
		Open     bool `db:"open"`
		Collects bool `db:"collects"`
	}](ctx, st, "Key", `
		select k.active, not p.archived and p.marked_for_deletion_on is null as open,
		       coalesce(s.active and s.integrated, false) as collects
		from error_tracking_keys k join projects p on p.id = k.project_id
		     left join error_tracking s on s.project_id = k.project_id
		where k.public_key = @key and k.project_id = @project`,
		pgx.NamedArgs{"key": publicKey, "project": projectID})
	switch {
	case fault.CodeOf(err) == fault.CodeNotFound:
		return fault.Unauthorized()
	case err != nil:
		return err
	case !found.Active:
		return fault.Forbidden("The key is not active")
	case !found.Open:
		return fault.Forbidden("The project is archived or about to be deleted")
	case !found.Collects:
		return fault.NotFound("Error Tracking Setting")
	}
	ok, err := requests.Count(ctx, st, strconv.FormatInt(projectID, 10))
	if err == nil && !ok {
		err = fault.TooMany("")
	}
	return err
}

// Counting an event is one statement, so that concurrent events give one error with an exact count.
// The transaction is undone if the event was there.
const (
	countEvent = `
		insert into errors as t (project_id, fingerprint, name, description, actor, level, platform, environment,
		                         release)
		values (@project, @fingerprint, @name, @description, @actor, @level, @platform, @environment, @release)
		on conflict (project_id, fingerprint) do update
		set name = excluded.name, description = excluded.description, actor = excluded.actor, level = excluded.level,
		    platform = excluded.platform, environment = excluded.environment, release = excluded.release,
		    status = case t.status when 'resolved' then 'unresolved' else t.status end,
		    event_count = t.event_count + 1, kept_events = t.kept_events + 1,
		    last_seen_at = greatest(t.last_seen_at, now()), updated_at = now()
		returning t.id, t.xmax = 0 as fresh`
	keepEvent = `
		insert into error_events (error_id, event_id, payload) values (@error, @event, @payload)
		on conflict (error_id, event_id) do nothing`
	countUser = `
		with fresh as (
		    insert into error_users (error_id, digest)
		    select e.id, @digest from errors e where e.id = @error and e.user_count < @most
		    on conflict do nothing returning 1)
		update errors set user_count = user_count + 1 where id = @error and exists (select from fresh)`
)

// errKnown undoes the count of an event that was received before.
var errKnown = errors.New("the event was received before")

// Receive stores an event of a project. Too many new errors in a minute are a fault. An event whose
// id is kept already, which a program sent again, changes nothing.
func Receive(ctx context.Context, st *db.Store, projectID int64, r Report) error {
	err := st.Tx(ctx, func(st *db.Store) error {
		counted, err := db.One[struct {
			ID    int64
			Fresh bool
		}](ctx, st, "Error", countEvent, pgx.NamedArgs{
			"project": projectID, "fingerprint": r.Fingerprint, "name": r.Name, "description": r.Description,
			"actor": r.Actor, "level": r.Level, "platform": r.Platform, "environment": r.Environment,
			"release": r.Release,
		})
		if err != nil {
			return err
		}
		id := counted.ID
		if counted.Fresh {
			ok, err := fresh.Count(ctx, st, strconv.FormatInt(projectID, 10))
			if err == nil && !ok {
				err = fault.TooMany("")
			}
			if err != nil {
				return err
			}
		}
		n, err := st.Affected(ctx, keepEvent, pgx.NamedArgs{"error": id, "event": r.EventID, "payload": r.Payload})
		if err == nil && n == 0 {
			err = errKnown
		}
		if err != nil || r.User == "" {
			return err
		}
		digest := sha256.Sum256([]byte(strconv.FormatInt(id, 10) + ":" + r.User)) // differs between errors
		return st.Exec(ctx, countUser, pgx.NamedArgs{"error": id, "digest": digest[:16], "most": MaxUsers})
	})
	if errors.Is(err, errKnown) {
		return nil
	}
	return err
}
