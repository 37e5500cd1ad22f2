package code

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"hew/schema/catalogue"
	"hew/server/db"
	"hew/server/fault"
	"hew/server/git/object"
	"hew/server/git/pkt"
	"hew/server/git/remote"
	"hew/server/jobs"
	"hew/server/outbound"
	"hew/server/project"
	"hew/server/setting"
	"hew/server/tree"
)

const (
	importTime = 4 * time.Hour
	// importAlive is how often an import says that it is alive: several times in the time after
	// which another process may take it.
	importAlive = 15 * time.Second
)

// importJob asks for the import of the repository of a project.
type importJob struct {
	jobs.Unique
	ProjectID int64 `json:"project_id"`
	Attempt   int   `json:"attempt,omitempty"` // so that a job that was killed does not count as this one
}

// Kind implements jobs.Args.
func (importJob) Kind() string { return "import_repository" }

// importResume asks for the imports that nobody works on.
type importResume struct{}

// Kind implements jobs.Args.
func (importResume) Kind() string { return "resume_imports" }

func resumeImports(ctx context.Context, st *db.Store, _ importResume) error {
	stale, err := project.StaleImports(ctx, st)
	if err != nil {
		return err
	}
	args := make([]jobs.Args, len(stale))
	for i, s := range stale {
		args[i] = importJob{ProjectID: s.ProjectID, Attempt: s.Attempts}
	}
	return jobs.Enqueue(ctx, st, args...)
}

// importer imports repositories from other hosts.
type importer struct{ out *outbound.Guard }

// work imports the repository of a project. What is wrong with the other repository ends the
// import; anything else, such as a server that stops, leaves it to a later attempt.
func (i importer) work(ctx context.Context, st *db.Store, args importJob) error {
	task, url, err := project.TakeImport(ctx, st, args.ProjectID)
	if err != nil {
		return fault.IgnoreNotFound(err)
	}
	if task.Attempts > project.MaxImportAttempts {
		text := fmt.Sprintf("the server has stopped %d times during the import", project.MaxImportAttempts)
		return project.EndImport(ctx, st, task, text)
	}
	alive, stop := keepImport(ctx, st, task)
	err = i.fetch(alive, st, task, url)
	stop()
	ending := context.WithoutCancel(ctx)
	switch why := context.Cause(alive); {
	case err == nil || fault.CodeOf(err) == fault.CodeNotFound || fault.CodeOf(why) == fault.CodeNotFound:
		return nil // or the project was removed
	case errors.Is(ctx.Err(), context.Canceled): // the server stops
		return errors.Join(err, project.ReleaseImport(ending, st, task, project.Interrupted))
	}
	text, internal := ImportText(err)
	if internal && task.Attempts < project.MaxImportAttempts {
		return errors.Join(err, project.ReleaseImport(ending, st, task, project.Failed))
	}
	ended := fault.IgnoreNotFound(project.EndImport(ending, st, task, outbound.Scrub(text, url)))
	if internal {
		return errors.Join(err, ended)
	}
	return ended
}

// keepImport says that the import is worked on until stop is called. The context that it returns
// ends with a not-found fault if the project is removed.
func keepImport(ctx context.Context, st *db.Store, task project.Import) (_ context.Context, stop func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		every := time.NewTicker(importAlive)
		defer every.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-every.C:
			}
			if err := project.KeepImport(ctx, st, task); fault.CodeOf(err) == fault.CodeNotFound {
				cancel(err)
			}
		}
	}()
	return ctx, func() {
		cancel(context.Canceled)
		<-ended
	}
}

// fetch brings the repository and ends the import in the transaction that stores it.
func (i importer) fetch(ctx context.Context, st *db.Store, task project.Import, url string) error {
	p, err := tree.FindProject(ctx, st, task.ProjectID)
	if err != nil {
		return err
	}
	settings, err := setting.Read(ctx, st)
	if err != nil {
		return err
	}
	host := remote.Host{Guard: i.out, Policy: setting.OutboundPolicy(settings), Field: "import_url"}
	from, err := remote.Open(ctx, host, url)
	if err != nil {
		return err
	}
	defer from.Close()
	if len(from.Refs) == 0 {
		return project.EndImport(ctx, st, task, "")
	}
	push := pkt.Push{Capabilities: pkt.Capabilities{"atomic"}}
	var wants []object.ID
	seen := map[object.ID]bool{}
	for _, ref := range from.Refs {
		if _, name := kindOf(ref.Name); !catalogue.IsBranchName(name) || ref.ID.IsZero() {
			return badPack("the repository has a ref with a name or an id that is not valid")
		}
		push.Commands = append(push.Commands, pkt.Command{Ref: ref.Name, New: ref.ID})
		if !seen[ref.ID] {
			seen[ref.ID] = true
			wants = append(wants, ref.ID)
		}
	}
	pack, err := from.Fetch(ctx, wants, nil)
	if err != nil {
		return err
	}
	defer pack.Close()
	r := &reception{
		st: st, at: SourceOf(p), push: push, answer: &answer{out: io.Discard},
		pack:  newSizedPack(pack, settings),
		apply: importing{task, from.Head}.apply,
	}
	_, err = r.run(ctx)
	return err
}
