package transfer

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"time"

	"hew/server/blob"
	"hew/server/code"
	"hew/server/db"
	"hew/server/fault"
	"hew/server/jobs"
	"hew/server/outbound"
	"hew/server/policy"
	"hew/server/setting"
	"hew/server/transfer/archive"
	"hew/server/tree"
)

const (
	exportTime = 4 * time.Hour
	// exportAlive is how often an export says that it is alive: several times in exportAliveFor.
	exportAlive = 15 * time.Second
)

// exportJob asks for an export.
type exportJob struct {
	jobs.Unique
	ID      int64 `json:"id"`
	Attempt int   `json:"attempt,omitempty"` // so that a job that was killed does not count as this one
}

// Kind implements jobs.Args.
func (exportJob) Kind() string { return "export_project" }

// resumeExports asks for the exports that nobody works on.
type resumeExports struct{}

// Kind implements jobs.Args.
func (resumeExports) Kind() string { return "resume_exports" }

func resumeWaiting(ctx context.Context, st *db.Store, _ resumeExports) error {
	return enqueueWaiting(ctx, st, time.Now().Add(-exportAliveFor))
}

// Exporter makes archives of projects.
type Exporter struct {
	Out     *outbound.Guard
	Product archive.Info // At is not used

	// Wait waits before the archive is sent again; nil is a timer. It is for tests.
	Wait func(context.Context, time.Duration) error
}

// Jobs returns the jobs of exports.
func (x Exporter) Jobs() []jobs.Kind {
	return []jobs.Kind{
		jobs.On(x.work).Lasting(exportTime), jobs.On(resumeWaiting).Each(time.Minute),
		jobs.On(removeExpired).Each(10 * time.Minute),
	}
}

// refusedExport is why an export cannot be made, in words for who asked for it.
type refusedExport string

// Error implements error.
func (r refusedExport) Error() string { return string(r) }

// work makes the archive of an export. What is wrong with the project or the target ends the
// export; anything else, such as a server that stops, leaves it to a later attempt.
func (x Exporter) work(ctx context.Context, st *db.Store, args exportJob) error {
	e, err := takeExport(ctx, st, args.ID)
	if err != nil {
		return fault.IgnoreNotFound(err)
	}
	if e.Attempts > maxExportAttempts {
		return x.fail(ctx, st, e, fmt.Sprintf("the server has stopped %d times during the export", maxExportAttempts))
	}
	alive, stop := jobs.Hold(ctx, exportAlive, func(ctx context.Context) error { return e.keep(ctx, st) })
	err = x.run(alive, st, &e)
	stop()
	ending := context.WithoutCancel(ctx)
	var refused refusedExport
	switch lost := context.Cause(alive); {
	case err == nil:
		return enqueueWaiting(ending, st, time.Now())
	case fault.CodeOf(err) == fault.CodeNotFound || fault.CodeOf(lost) == fault.CodeNotFound:
		return nil // the project or the export was removed, or is another process's
	case errors.Is(ctx.Err(), context.Canceled): // the server stops
		return errors.Join(err, fault.IgnoreNotFound(e.release(ending, st, true)))
	case errors.As(err, &refused):
		return x.fail(ending, st, e, refused.Error())
	case errors.Is(err, context.DeadlineExceeded):
		return x.fail(ending, st, e, fmt.Sprintf("the export took longer than %v", exportTime))
	case e.Attempts < maxExportAttempts:
		return errors.Join(err, fault.IgnoreNotFound(e.release(ending, st, false)))
	}
	return errors.Join(err, x.fail(ending, st, e,
		"an internal error ended the export; an administrator finds it in the server's log"))
}

// run makes the archive, unless an earlier attempt did, and sends or keeps it.
func (x Exporter) run(ctx context.Context, st *db.Store, e *Export) error {
	p, err := tree.FindProject(ctx, st, e.ProjectID)
	if err != nil {
		return err
	}
	standings, err := tree.Standings(ctx, st, p.Container(), []int64{e.UserID})
	if err != nil {
		return err
	}
	by, ok := standings[e.UserID]
	if !ok || !by.Admin && by.Level < int(policy.Maintainer) {
		return refusedExport("you may no longer export the project")
	}
	if e.BlobID == nil {
		if err := x.store(ctx, st, e, p, by); err != nil {
			return err
		}
	}
	target, err := e.target(st)
	if err != nil {
		return err
	}
	if target == nil {
		return x.end(ctx, st, *e, exported(p, *e), e.finish)
	}
	if err := x.send(ctx, st, *e, *target); err != nil {
		return err
	}
	return x.end(ctx, st, *e, sent(p), e.remove)
}

// store makes the archive and keeps it as a blob.
func (x Exporter) store(ctx context.Context, st *db.Store, e *Export, p tree.Project, by tree.Standing) error {
	settings, err := setting.Read(ctx, st)
	if err != nil {
		return err
	}
	limit := int64(blob.NoLimit)
	if most := int64(settings.MaxExportSize); most > 0 {
		limit = min(most, math.MaxInt64>>20) << 20
	}
	at := time.Now().UTC()
	var ref blob.Ref
	err = code.InTemporary(st, "export-", func(dir string) error {
		out, in := io.Pipe()
		written := make(chan error, 1)
		go func() {
			w := exportWriter{Store: st, export: *e, project: p, by: by, dir: dir}
			err := w.write(ctx, in, archive.Info{Version: x.Product.Version, Revision: x.Product.Revision, At: at})
			_ = in.CloseWithError(err) // never fails
			written <- err
		}()
		ref, err = blob.Put(ctx, st, out, limit)
		_ = out.CloseWithError(errors.New("no more is read")) // never fails
		if wrote := <-written; wrote != nil && err != nil && fault.CodeOf(err) != fault.CodeTooLarge {
			return wrote // which ended Put
		}
		return err
	})
	if fault.CodeOf(err) == fault.CodeTooLarge {
		return refusedExport(fmt.Sprintf("the archive is larger than %d MB, the limit of the setting max_export_size",
			settings.MaxExportSize))
	}
	if err != nil {
		return err
	}
	return e.storeArchive(ctx, st, ref, archiveName(p, at))
}
