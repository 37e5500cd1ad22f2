package code

import (
	"context"
	"io"
	"time"

	"hew/schema/catalogue"
	"hew/server/db"
	"hew/server/git/object"
	"hew/server/git/pkt"
	"hew/server/git/remote"
	"hew/server/jobs"
	"hew/server/outbound"
	"hew/server/project"
	"hew/server/setting"
	"hew/server/tree"
)

const importTime = 4 * time.Hour

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
	stale, err := project.StaleImports(ctx, st, project.ImportGit)
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

// work imports the repository of a project.
func (i importer) work(ctx context.Context, st *db.Store, args importJob) error {
	return project.AttemptImport(ctx, st, args.ProjectID, project.Attempt{
		Do: func(ctx context.Context, task project.Import, url string) error { return i.fetch(ctx, st, task, url) },
		Explain: func(err error, url string) (string, bool) {
			text, internal := ImportText(err)
			return outbound.Scrub(text, url), internal
		},
	})
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
		pack: newSizedPack(pack, settings),
		apply: importing{
			heads: []string{from.Head},
			end:   func(ctx context.Context, st *db.Store) error { return project.EndImport(ctx, st, task, "") },
		}.apply,
	}
	_, err = r.run(ctx)
	return err
}
