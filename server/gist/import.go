package gist

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/jobs"
)

// The statuses of imports.
const (
	Scheduled = "scheduled"
	Started   = "started"
	Finished  = "finished"
	Failed    = "failed"
)

const (
	sealedToken = "gist_imports.sealed_token"
	// maxSkipped is how many skipped gists the record lists.
	maxSkipped = 1000
	// aliveFor is how long after its last step an import belongs to its process.
	aliveFor = 3 * time.Minute
)

// Import is a row of gist_imports.
type Import struct {
	UserID       int64      `db:"user_id"`
	Base         string     `db:"base"` // of the API of the host
	SealedToken  []byte     `db:"sealed_token"`
	Status       string     `db:"status"`
	Page         string     `db:"page"`
	Pages        int        `db:"pages"`
	Imported     int        `db:"imported"`
	Skipped      []Skipped  `db:"skipped"`
	Failure      *string    `db:"failure"`
	Attempts     int        `db:"attempts"`
	WaitsUntil   *time.Time `db:"waits_until"`
	ProgressedAt time.Time  `db:"progressed_at"` // its process was last known to work on it
	MovedAt      time.Time  `db:"moved_at"`      // it last had something from the host
	CreatedAt    time.Time  `db:"created_at"`
	FinishedAt   *time.Time `db:"finished_at"`
}

// Skipped is a gist that was not imported.
type Skipped struct {
	ID     string `json:"id"`
	Title  string `json:"title"`
	Reason string `json:"reason"`
}

// Find returns the last import of a user.
func Find(ctx context.Context, s *db.Store, userID int64) (Import, error) {
	return db.One[Import](ctx, s, "Import", `select * from gist_imports where user_id = @user`,
		pgx.NamedArgs{"user": userID})
}

// errInProgress is the fault of an import that begins before the last one has ended.
func errInProgress() error {
	return fault.Unprocessable("Import already in progress").In(fault.Service)
}

// CheckFree returns a fault if an import of a user has not ended.
func CheckFree(ctx context.Context, s *db.Store, userID int64) error {
	busy, err := db.Value[bool](ctx, s, `
		select exists (select from gist_imports where user_id = @user and sealed_token is not null)`,
		pgx.NamedArgs{"user": userID})
	if err == nil && busy {
		err = errInProgress()
	}
	return err
}

// Begin has the gists imported that a token of a user reads at a host.
func Begin(ctx context.Context, st *db.Store, userID int64, base, token string) error {
	return st.Tx(ctx, func(st *db.Store) error {
		if err := insert(ctx, st, userID, base, token); err != nil {
			return err
		}
		return jobs.Enqueue(ctx, st, importJob{UserID: userID, After: time.Now()})
	})
}

// insert stores an import, in place of one that has ended.
func insert(ctx context.Context, st *db.Store, userID int64, base, token string) error {
	begun, err := st.Affected(ctx, `
		insert into gist_imports (user_id, base, sealed_token) values (@user, @base, @token)
		on conflict (user_id) do update set base = @base, sealed_token = @token, status = 'scheduled', page = '',
		    pages = 0, imported = 0, skipped = '[]', failure = null, waits_until = null, progressed_at = now(),
		    moved_at = now(), created_at = now(), finished_at = null, attempts = gist_imports.attempts + 1
		where gist_imports.sealed_token is null`,
		pgx.NamedArgs{"user": userID, "base": base, "token": st.Seal.Seal(sealedToken, userID, []byte(token))})
	if err == nil && begun == 0 {
		err = errInProgress()
	}
	return err
}

// claimImport makes this process the one that works on the import of a user, and returns its token.
// It returns not found if the import has ended, waits, or another process works on it.
func claimImport(
	ctx context.Context, st *db.Store, userID int64, now time.Time,
) (i Import, token string, err error) {
	i, err = db.One[Import](ctx, st, "Import", `
		update gist_imports set attempts = attempts + 1, status = 'started', waits_until = null, progressed_at = now()
		where user_id = @user and sealed_token is not null and coalesce(waits_until, 'epoch') <= @now
		  and (status = 'scheduled' or waits_until is not null or progressed_at < @dead) returning *`,
		pgx.NamedArgs{"user": userID, "now": now, "dead": now.Add(-aliveFor)})
	if err != nil {
		return i, "", err
	}
	text, err := st.Seal.Open(sealedToken, userID, i.SealedToken)
	return i, string(text), err
}

// advance changes the progress of the import. It returns not found if another process has taken
// the import, or the user was removed.
func (i Import) advance(ctx context.Context, st *db.Store, set string, args pgx.NamedArgs) error {
	args["user"], args["attempts"] = i.UserID, i.Attempts
	n, err := st.Affected(ctx, `
		update gist_imports set progressed_at = now(), `+set+`
		where user_id = @user and attempts = @attempts and sealed_token is not null`, args)
	if err == nil && n == 0 {
		err = fault.NotFound("Import")
	}
	return err
}

// addSkipped notes a gist that was not imported, once.
const addSkipped = `skipped = case
	when jsonb_array_length(skipped) >= @most or skipped @> jsonb_build_array(jsonb_build_object('id', @id::text))
	then skipped else skipped || jsonb_build_object('id', @id::text, 'title', @title::text, 'reason', @reason::text)
	end`

// args returns the arguments of addSkipped.
func (s Skipped) args() pgx.NamedArgs {
	return pgx.NamedArgs{"most": maxSkipped, "id": s.ID, "title": s.Title, "reason": s.Reason}
}

// release lets the import go on at a time, in another job.
func (i Import) release(ctx context.Context, st *db.Store, at time.Time) error {
	return st.Tx(ctx, func(st *db.Store) error {
		if err := i.advance(ctx, st, `waits_until = @at`, pgx.NamedArgs{"at": at}); err != nil {
			return err
		}
		return jobs.Enqueue(ctx, st, wakeJob{At: jobs.At{Time: at}, UserID: i.UserID})
	})
}

// end ends the import and drops its token. A text says why it failed.
func (i Import) end(ctx context.Context, st *db.Store, failure string) error {
	return st.Tx(ctx, func(st *db.Store) error {
		err := i.advance(ctx, st, `sealed_token = null, waits_until = null, finished_at = now(),
			failure = nullif(@failure::text, ''), status = case when @failure = '' then 'finished' else 'failed' end`,
			pgx.NamedArgs{"failure": failure})
		if err != nil {
			return err
		}
		ended, err := Find(ctx, st, i.UserID)
		if err != nil {
			return err
		}
		return mailReport(ctx, st, ended)
	})
}
