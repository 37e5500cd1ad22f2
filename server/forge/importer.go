package forge

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"hew/server/code"
	"hew/server/db"
	"hew/server/fault"
	"hew/server/forge/hostapi"
	"hew/server/forge/mapping"
	"hew/server/jobs"
	"hew/server/outbound"
	"hew/server/project"
	"hew/server/setting"
	"hew/server/transfer/load"
	"hew/server/tree"
)

const (
	importTime = 4 * time.Hour // of one attempt, which goes on where the last one was
	// turnTime is after which an attempt leaves the rest to another one, without a failure.
	turnTime = 3 * time.Hour
	// retryAfter is the pause after the host has not answered.
	retryAfter = time.Minute
	// stageTime is how long a stage may make no progress, and idleTime how long an import may.
	stageTime = 2 * time.Hour
	idleTime  = 24 * time.Hour
)

// importJob asks for the import of a project.
type importJob struct {
	jobs.Unique
	ProjectID int64 `json:"project_id"`
	// After is the time of the wait, and Attempt the number of attempts, so that a job that was
	// killed does not count as this one.
	After   time.Time `json:"after,omitzero"`
	Attempt int       `json:"attempt,omitempty"`
}

// Kind implements jobs.Args.
func (importJob) Kind() string { return "import_from_forge" }

// resumeJob asks for the imports that nobody works on, and that do not wait.
type resumeJob struct{}

// Kind implements jobs.Args.
func (resumeJob) Kind() string { return "resume_forge_imports" }

// wakeJob asks for an import whose wait is over.
type wakeJob struct {
	jobs.At
	ProjectID int64 `json:"project_id"`
}

// Kind implements jobs.Args.
func (wakeJob) Kind() string { return "wake_forge_import" }

// Importer imports projects.
type Importer struct {
	Out   *outbound.Guard
	Now   func() time.Time // nil: time.Now
	Pause hostapi.Pause    // nil: a timer

	// afterStep is called after each step; tests end an attempt with it.
	afterStep func(stage string) error
	maxStaged int64 // bytes of the documents of an import; 0: maxStaged
	maxParts  int64 // bytes of the parts of one issue or pull request; 0: maxPartBytes
}

// run is an attempt at the import of a project.
type run struct {
	Importer
	Progress
	st     *db.Store
	task   project.Import
	source Source
	p      tree.Project
	policy outbound.Policy
	host   any       // the clients of the kind
	git    *code.Git // the repository, while a batch of documents is made; nil: not opened
	loads  *load.Loader
	people mapping.People
}

func (i Importer) now() time.Time {
	if i.Now != nil {
		return i.Now().Truncate(time.Millisecond)
	}
	return time.Now().Truncate(time.Millisecond)
}

func wake(ctx context.Context, st *db.Store, args wakeJob) error {
	return jobs.Enqueue(ctx, st, importJob{ProjectID: args.ProjectID, After: time.Now()})
}

func resume(ctx context.Context, st *db.Store, _ resumeJob) error {
	stale, err := project.StaleImports(ctx, st, GitHub, BitbucketServer)
	if err != nil || len(stale) == 0 {
		return err
	}
	ids := make([]int64, len(stale))
	for i, s := range stale {
		ids[i] = s.ProjectID
	}
	// Those whose user was deleted have no progress any more: an attempt ends them.
	due, err := db.Many[struct {
		ProjectID int64 `db:"project_id"`
		Attempts  int   `db:"attempts"`
	}](ctx, st, `
		select i.project_id, i.attempts
		from project_imports i left join forge_imports f on f.project_id = i.project_id
		where i.project_id = any(@ids) and coalesce(f.waits_until, 'epoch') <= now()
		order by i.project_id`, pgx.NamedArgs{"ids": ids})
	if err != nil {
		return err
	}
	args := make([]jobs.Args, len(due))
	for i, d := range due {
		args[i] = importJob{ProjectID: d.ProjectID, Attempt: d.Attempts}
	}
	return jobs.Enqueue(ctx, st, args...)
}

func (i Importer) work(ctx context.Context, st *db.Store, args importJob) error {
	return i.Attempt(ctx, st, args.ProjectID)
}

// Attempt imports a project, from where the last attempt was. It does nothing if the import has
// ended, waits for the host, or is worked on by another process.
func (i Importer) Attempt(ctx context.Context, st *db.Store, id int64) error {
	at, err := findProgress(ctx, st, id)
	if fault.CodeOf(err) == fault.CodeNotFound {
		return fault.IgnoreNotFound(endAbandoned(ctx, st, id))
	}
	if err != nil {
		return err
	}
	if at.WaitsUntil != nil && i.now().Before(*at.WaitsUntil) {
		return nil
	}
	return project.AttemptImport(ctx, st, id, project.Attempt{
		Do: func(ctx context.Context, task project.Import, source string) error {
			return i.attempt(ctx, st, task, source)
		},
		Explain: func(err error, source string) (string, bool) {
			text, internal := explain(err)
			s, _ := decodeSource(source) // it was decoded before
			return s.scrub(text), internal
		},
	})
}

// endAbandoned ends the import of a user who was deleted, with whom its progress went. It returns
// not found if there is no such import.
func endAbandoned(ctx context.Context, st *db.Store, id int64) error {
	return st.Tx(ctx, func(st *db.Store) error {
		task, _, err := project.TakeImport(ctx, st, id)
		if err != nil {
			return err
		}
		if task.Type != GitHub && task.Type != BitbucketServer {
			return fault.NotFound("Import")
		}
		return project.EndImport(ctx, st, task, "the user who asked for the import was deleted")
	})
}

func (i Importer) attempt(ctx context.Context, st *db.Store, task project.Import, source string) error {
	r := &run{Importer: i, st: st, task: task}
	var err error
	if r.source, err = decodeSource(source); err != nil {
		return err
	}
	if r.Progress, err = findProgress(ctx, st, task.ProjectID); err != nil {
		return err
	}
	r.WaitsUntil = nil // it is over
	if r.p, err = tree.FindProject(ctx, st, task.ProjectID); err != nil {
		return err
	}
	settings, err := setting.Read(ctx, st)
	if err != nil {
		return err
	}
	r.policy = setting.OutboundPolicy(settings)
	if err := r.connect(); err != nil {
		return err
	}
	err = r.continueImport(ctx)
	if err != nil && ctx.Err() != nil { // whatever it has interrupted
		err = errors.Join(ctx.Err(), err)
	}
	return err
}

// endedError is a failure that ends an import, with the text for the maintainers of its project.
type endedError string

// Error implements error.
func (e endedError) Error() string { return string(e) }

// explain returns why an import failed, and whether that is an error of this server.
func explain(err error) (text string, internal bool) {
	var ended endedError
	switch {
	case errors.As(err, &ended):
		return ended.Error(), false
	case errors.Is(err, context.DeadlineExceeded): // of one step: an attempt ends before, between two of them
		return fmt.Sprintf("the import took longer than %v", importTime), false
	}
	return "an internal error ended the import; an administrator finds it in the server's log", true
}

// wait gives the worker back until a time, at which the import goes on.
func (r *run) wait(ctx context.Context, until time.Time) error {
	if r.now().Sub(r.ProgressedAt) > idleTime {
		return endedError(fmt.Sprintf("the host has taken no requests for %v", idleTime))
	}
	return r.st.Tx(ctx, func(st *db.Store) error {
		if err := project.KeepImport(ctx, st, r.task); err != nil {
			return err
		}
		if err := st.Exec(ctx, `update forge_imports set waits_until = @until where project_id = @project`,
			pgx.NamedArgs{"project": r.ProjectID, "until": until}); err != nil {
			return err
		}
		if err := project.ReleaseImport(ctx, st, r.task, project.Interrupted); err != nil {
			return err
		}
		return jobs.Enqueue(ctx, st, wakeJob{At: jobs.At{Time: until}, ProjectID: r.ProjectID})
	})
}
