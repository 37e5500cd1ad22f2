package gist

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/forge/github"
	"hew/server/forge/hostapi"
	"hew/server/forge/rawfile"
	"hew/server/jobs"
	"hew/server/outbound"
	"hew/server/setting"
	"hew/server/tree"
)

const (
	jobTime   = 15 * time.Minute // of one job
	turnTime  = 5 * time.Minute  // after which a job leaves the rest to another one
	stepTime  = 2 * time.Minute  // of one page or the files of one gist; less than aliveFor
	retryTime = time.Minute      // after which a host that does not answer is asked again
	fileTime  = 2 * time.Hour    // without progress, after which files of a host that does not answer are skipped
	idleTime  = 24 * time.Hour   // without progress, after which an import fails
	maxPages  = 300
)

// importJob asks for the import of the gists of a user.
type importJob struct {
	jobs.Unique
	UserID int64     `json:"user_id"`
	After  time.Time `json:"after,omitzero"` // so that a job that was killed does not count as this one
}

// Kind implements jobs.Args.
func (importJob) Kind() string { return "import_gists" }

// wakeJob asks for an import whose wait is over.
type wakeJob struct {
	jobs.At
	UserID int64 `json:"user_id"`
}

// Kind implements jobs.Args.
func (wakeJob) Kind() string { return "wake_gist_import" }

// resumeJob asks for the imports that nobody works on.
type resumeJob struct{}

// Kind implements jobs.Args.
func (resumeJob) Kind() string { return "resume_gist_imports" }

// Jobs are the jobs of imports.
func Jobs(out *outbound.Guard) []jobs.Kind {
	return []jobs.Kind{
		jobs.On(Importer{Out: out}.work).Lasting(jobTime), jobs.On(wake), jobs.On(resume).Each(time.Minute),
	}
}

func wake(ctx context.Context, st *db.Store, args wakeJob) error {
	return jobs.Enqueue(ctx, st, importJob{UserID: args.UserID, After: time.Now()})
}

// resume asks for imports whose process was killed, or whose job is lost.
func resume(ctx context.Context, st *db.Store, _ resumeJob) error {
	stale, err := db.Many[Import](ctx, st, `
		select * from gist_imports where sealed_token is not null and progressed_at < @dead
		and coalesce(waits_until, 'epoch') < @dead order by user_id limit 1000`,
		pgx.NamedArgs{"dead": time.Now().Add(-aliveFor)})
	args := make([]jobs.Args, len(stale))
	for n, i := range stale {
		args[n] = importJob{UserID: i.UserID, After: i.ProgressedAt}
	}
	if err != nil {
		return err
	}
	return jobs.Enqueue(ctx, st, args...)
}

// Importer imports gists.
type Importer struct {
	Out   *outbound.Guard
	Now   func() time.Time                           // nil: time.Now
	Pause func(context.Context, time.Duration) error // before a request is repeated; nil: a timer
}

func (i Importer) now() time.Time {
	if i.Now != nil {
		return i.Now()
	}
	return time.Now()
}

func (i Importer) work(ctx context.Context, st *db.Store, args importJob) error {
	return i.Attempt(ctx, st, args.UserID)
}

// run is an attempt at an import.
type run struct {
	Importer
	Import
	st       *db.Store
	user     tree.User
	settings setting.Settings
	client   *github.Client
	files    rawfile.Reader
}

// Attempt goes on with the import of a user, for some minutes at most. It does nothing if the
// import has ended, waits for the host, or is worked on by another process.
func (i Importer) Attempt(ctx context.Context, st *db.Store, userID int64) error {
	task, token, err := claimImport(ctx, st, userID, i.now())
	if err != nil {
		return fault.IgnoreNotFound(err)
	}
	r := &run{Importer: i, Import: task, st: st}
	if err = r.prepare(ctx, token); err == nil {
		err = r.importPages(ctx)
	}
	if err = fault.IgnoreNotFound(err); err == nil { // not found: another process goes on, or the user is gone
		return nil
	}
	ending := context.WithoutCancel(ctx)
	if r.idle() {
		return errors.Join(err, r.end(ending, st, "an internal error ended the import; "+
			"an administrator finds it in the server's log"))
	}
	return errors.Join(err, fault.IgnoreNotFound(r.release(ending, st, i.now().Add(retryTime))))
}

func (r *run) prepare(ctx context.Context, token string) (err error) {
	if r.user, err = tree.FindUser(ctx, r.st, r.UserID); err != nil {
		return err
	}
	if r.settings, err = setting.Read(ctx, r.st); err != nil {
		return err
	}
	transport := hostapi.Transport(r.Out, setting.OutboundPolicy(r.settings))
	r.files = rawfile.Reader{Base: r.Base, Token: token, Transport: transport, Now: r.Now, Pause: r.Pause}
	r.client, err = github.NewClient(github.Config{
		Base: r.Base, Token: token, Transport: transport, Now: r.Now, Pause: r.Pause,
	})
	return err
}

// move changes the progress of the import by what has come from the host.
func (r *run) move(ctx context.Context, st *db.Store, set string, args pgx.NamedArgs) error {
	args["moved"] = r.now()
	err := r.advance(ctx, st, `moved_at = @moved, `+set, args)
	if err == nil {
		r.MovedAt = r.now()
	}
	return err
}

// idle reports whether the import has made no progress for so long that it fails.
func (r *run) idle() bool { return r.now().Sub(r.MovedAt) > idleTime }

// importPages reads pages and imports their gists until the last one, or until the host or the time
// demands a pause.
func (r *run) importPages(ctx context.Context) error {
	if !r.user.Usable() {
		return r.end(ctx, r.st, "the user is blocked")
	}
	for began := r.now(); ; {
		address := r.Page
		if address == "" {
			address = r.client.Gists()
		}
		step, cancel := context.WithTimeout(ctx, stepTime)
		gists, next, err := github.Page[github.Gist](step, r.client, address)
		if err != nil && step.Err() != nil && ctx.Err() == nil {
			err = &hostapi.UnavailableError{Reason: fmt.Sprintf("a page took longer than %v", stepTime)}
		}
		cancel()
		if err == nil { // the page took time, and each gist takes as much
			err = r.advance(ctx, r.st, `page = page`, pgx.NamedArgs{})
		}
		if err != nil {
			return r.handleHostError(ctx, err)
		}
		for _, g := range gists {
			if r.now().Sub(began) > turnTime {
				return r.release(ctx, r.st, r.now())
			}
			if err := r.importGist(ctx, g); err != nil {
				return r.handleHostError(ctx, err)
			}
		}
		if next == "" || next == address {
			return r.end(ctx, r.st, "")
		}
		if r.Page, r.Pages = next, r.Pages+1; r.Pages >= maxPages {
			return r.end(ctx, r.st, fmt.Sprintf("the host has more than %d pages of gists", maxPages))
		}
		if err := r.move(ctx, r.st, `page = @page, pages = @pages`,
			pgx.NamedArgs{"page": r.Page, "pages": r.Pages}); err != nil {
			return err
		}
	}
}

// handleHostError has the import wait or end for an error of the host. Others are returned.
func (r *run) handleHostError(ctx context.Context, err error) error {
	var limit *hostapi.LimitError
	var refused *hostapi.StatusError
	var unavailable *hostapi.UnavailableError
	switch {
	case errors.As(err, &limit) && r.idle():
		return r.end(ctx, r.st, "the host has taken no requests for a day")
	case errors.As(err, &limit):
		return r.release(ctx, r.st, limit.Until)
	case errors.As(err, &refused) && refused.Status == 401:
		return r.end(ctx, r.st, DeniedText)
	case errors.As(err, &refused):
		return r.end(ctx, r.st, "Import failed due to a GitHub error: "+refused.Error())
	case errors.As(err, &unavailable) && r.idle():
		return r.end(ctx, r.st, "the host has not answered for a day: "+unavailable.Error())
	case errors.As(err, &unavailable):
		return r.release(ctx, r.st, r.now().Add(retryTime))
	}
	return err
}

// DeniedText says that a host does not accept a token.
const DeniedText = "Access denied to your GitHub account."
