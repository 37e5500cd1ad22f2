package transfer

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"hew/server/blob"
	"hew/server/code"
	"hew/server/db"
	"hew/server/fault"
	"hew/server/jobs"
	"hew/server/project"
	"hew/server/transfer/archive"
	"hew/server/transfer/load"
	"hew/server/tree"
)

// importTime is how long an attempt at an import may take.
const importTime = 12 * time.Hour

// importJob asks for the import of an archive into a project.
type importJob struct {
	jobs.Unique
	ProjectID int64 `json:"project_id"`
	Attempt   int   `json:"attempt,omitempty"` // so that a job that was killed does not count as this one
}

// Kind implements jobs.Args.
func (importJob) Kind() string { return "import_archive" }

// importResume asks for the imports that nobody works on.
type importResume struct{}

// Kind implements jobs.Args.
func (importResume) Kind() string { return "resume_archive_imports" }

// ImportJobs returns the kinds of jobs that import archives.
func ImportJobs(f Fetcher) []jobs.Kind {
	return []jobs.Kind{
		jobs.On(func(ctx context.Context, st *db.Store, args importJob) error {
			return project.AttemptImport(ctx, st, args.ProjectID, project.Attempt{
				Do: func(ctx context.Context, task project.Import, source string) error {
					return importer{f, st, task}.run(ctx, source)
				},
				Explain: func(err error, _ string) (string, bool) { return importText(err) },
			})
		}).Lasting(importTime),
		jobs.On(resumeImports).Each(time.Minute).AtStart(),
	}
}

func resumeImports(ctx context.Context, st *db.Store, _ importResume) error {
	stale, err := project.StaleImports(ctx, st, project.ImportArchive)
	if err != nil {
		return err
	}
	args := make([]jobs.Args, len(stale))
	for i, s := range stale {
		args[i] = importJob{ProjectID: s.ProjectID, Attempt: s.Attempts}
	}
	return jobs.Enqueue(ctx, st, args...)
}

// importText returns why an import failed, for the maintainers of its project, and whether that is
// an error of this server.
func importText(err error) (text string, internal bool) {
	var (
		format archive.FormatError
		source sourceError
	)
	f, isFault := fault.From(err)
	switch {
	case errors.As(err, &source):
		return source.Error(), false
	case errors.As(err, &format):
		return format.Error(), false
	case isFault && f.Code == fault.CodeTooLarge:
		return "the archive is larger than the setting max_import_remote_file_size allows", false
	case isFault && (f.Code == fault.CodeInvalid || f.Code == fault.CodeConflict || f.Code == fault.CodeForbidden):
		if first, ok := fault.From(FirstProblem(err)); ok && first.What != "" {
			return first.What, false
		}
	case errors.Is(err, context.DeadlineExceeded):
		return fmt.Sprintf("the import took longer than %v", importTime), false
	}
	return "an internal error ended the import; an administrator finds it in the server's log", true
}

// importer makes an attempt at an import.
type importer struct {
	Fetcher
	st   *db.Store
	task project.Import
}

// run imports the archive, from where an earlier attempt was ended.
func (i importer) run(ctx context.Context, source string) error {
	row, err := findArchiveImport(ctx, i.st, i.task.ProjectID)
	if fault.CodeOf(err) == fault.CodeNotFound { // the user was deleted
		return sourceError("the user who asked for the import was deleted")
	}
	if err != nil {
		return err
	}
	content, err := i.fetch(ctx, row, source)
	if err != nil {
		return err
	}
	defer content.Close()
	err = code.InTemporary(i.st, "import-", func(dir string) error {
		if err := i.unpack(ctx, content, dir); err != nil {
			return err
		}
		a, err := archive.Open(dir)
		if err != nil {
			return err
		}
		return i.load(ctx, row, a)
	})
	if fault.CodeOf(err) == fault.CodeNotFound && !load.IsLost(err) {
		return fmt.Errorf("import of project %d: %v", i.task.ProjectID, err) // the project is there
	}
	return err
}

// fetch returns the archive, which it brings here first unless it is.
func (i importer) fetch(ctx context.Context, row archiveImport, source string) (*blob.Reader, error) {
	if row.BlobID == nil {
		s, err := decodeSource(source)
		if err != nil {
			return nil, err
		}
		content, limit, err := i.Fetcher.Open(ctx, i.st, s)
		if err != nil {
			return nil, err
		}
		ref, err := blob.Put(ctx, i.st, content, limit)
		_ = content.Close() // all of it was read, or that has failed
		if err != nil {
			return nil, err
		}
		row.BlobID = &ref.ID
		if err := i.st.Tx(ctx, func(st *db.Store) error {
			if err := project.MoveImport(ctx, st, i.task); err != nil {
				return err
			}
			return st.Exec(ctx, `update archive_imports set blob_id = @blob where project_id = @project`,
				pgx.NamedArgs{"blob": ref.ID, "project": i.task.ProjectID})
		}); err != nil {
			return nil, err
		}
	}
	ref, err := blob.Load(ctx, i.st, *row.BlobID)
	if err != nil {
		return nil, err
	}
	return blob.Open(ctx, i.st, ref, 0)
}

// who returns the user who asked for the import, and the namespace of the project.
func (i importer) who(ctx context.Context, row archiveImport) (u tree.User, space tree.Group, err error) {
	if u, err = tree.FindUser(ctx, i.st, row.UserID); err != nil {
		return u, space, err
	}
	p, err := tree.FindProject(ctx, i.st, i.task.ProjectID)
	if err != nil {
		return u, space, err
	}
	space, err = tree.Namespace(ctx, i.st, p.NamespaceID)
	return u, space, err
}
