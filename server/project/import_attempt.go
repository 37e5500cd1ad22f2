package project

import (
	"context"
	"errors"
	"fmt"
	"time"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/jobs"
)

// importAlive is how often an import says that it is alive: several times in the time after which
// another process may take it.
const importAlive = 15 * time.Second

// Attempt is how imports of a type are made.
type Attempt struct {
	// Do makes the import and ends it with EndImport, in the transaction that stores the last of
	// it. Its context ends if the project is removed. What an attempt before has stored is there.
	Do func(ctx context.Context, task Import, source string) error
	// Explain returns why Do failed, for the maintainers of the project and without secrets, and
	// whether that is an error of this server, which may be over in a moment.
	Explain func(err error, source string) (text string, internal bool)
}

// AttemptImport takes the import of a project and makes an attempt at it. What is wrong with the
// source ends the import; anything else, such as a server that stops, leaves it to a later attempt.
// It does nothing if the import has ended or another process works on it.
func AttemptImport(ctx context.Context, st *db.Store, project int64, a Attempt) error {
	task, source, err := TakeImport(ctx, st, project)
	if err != nil {
		return fault.IgnoreNotFound(err)
	}
	if task.Counted() > MaxImportAttempts {
		text := fmt.Sprintf("the server has stopped %d times at the same place of the import", MaxImportAttempts)
		return EndImport(ctx, st, task, text)
	}
	alive, stop := jobs.Hold(ctx, importAlive, func(ctx context.Context) error { return KeepImport(ctx, st, task) })
	err = a.Do(alive, task, source)
	why := context.Cause(alive)
	stop()
	ending := context.WithoutCancel(ctx)
	switch {
	case err == nil || fault.CodeOf(err) == fault.CodeNotFound || fault.CodeOf(why) == fault.CodeNotFound:
		return nil // or the project was removed
	case errors.Is(ctx.Err(), context.Canceled): // the server stops
		return errors.Join(err, ReleaseImport(ending, st, task, Interrupted))
	}
	text, internal := a.Explain(err, source)
	if internal && task.Counted() < MaxImportAttempts {
		return errors.Join(err, ReleaseImport(ending, st, task, Failed))
	}
	ended := fault.IgnoreNotFound(EndImport(ending, st, task, text))
	if internal {
		return errors.Join(err, ended)
	}
	return ended
}
