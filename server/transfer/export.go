package transfer

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/jobs"
	"hew/server/outbound"
	"hew/server/setting"
	"hew/server/tree"
)

// The states of the exports that a user asked for in a project (spec 1 §3).
const (
	ExportNone         = "none"
	ExportQueued       = "queued"
	ExportStarted      = "started"
	ExportFinished     = "finished"
	ExportRegenerating = "regeneration_in_progress" // an earlier archive is there still
)

const (
	// exportKept is how long an archive can be downloaded.
	exportKept = 24 * time.Hour
	// exportAliveFor is how long after it was last seen alive an export belongs to its process.
	exportAliveFor = time.Minute
	// maxExportAttempts is how often an export is begun, in case that the server is stopped.
	maxExportAttempts = 3
	// maxExportsAtOnce limits the exports of all processes together.
	maxExportsAtOnce = 4
)

// Export is a row of project_exports. There is one for each request until it failed, its archive
// was sent elsewhere, or a later one replaced it.
type Export struct {
	ID          int64      `db:"id"`
	ProjectID   int64      `db:"project_id"`
	UserID      int64      `db:"user_id"` // who asked for it, and alone may download it
	Status      string     `db:"status"`
	Description *string    `db:"description"` // in place of that of the project
	Upload      []byte     `db:"upload"`      // sealed ExportTarget; nil: the archive is kept for the user
	Attempts    int        `db:"attempts"`    // this one included
	AliveAt     *time.Time `db:"alive_at"`    // nil: no process works on it
	BlobID      *int64     `db:"blob_id"`     // the archive, from when it is complete
	Name        *string    `db:"name"`        // of the file
	FinishedAt  *time.Time `db:"finished_at"`
	CreatedAt   time.Time  `db:"created_at"`
}

// ExportTarget is where an archive is sent.
type ExportTarget struct {
	URL    string `json:"url"`
	Method string `json:"method"` // PUT, POST
}

const exportTarget = "project_exports.upload"

// NewExport is a request for an export.
type NewExport struct {
	UserID      int64
	Description *string       // nil: that of the project
	Target      *ExportTarget // nil: the archive is kept
}

// RequestExport queues an export of a project (gaps §12.1). An archive that the user has stays
// until the new one is there. A request like one that still waits adds none.
func RequestExport(ctx context.Context, st *db.Store, p tree.Project, n NewExport) error {
	settings, err := setting.Read(ctx, st)
	if err != nil {
		return err
	}
	if most := settings.MaxExportSize; most > 0 && p.RepositorySize+p.WikiSize+p.UploadsSize > int64(most)<<20 {
		return fault.BadRequest(fmt.Sprintf("The project size exceeds the export limit. "+
			"It has %d MB, the setting max_export_size allows %d.",
			(p.RepositorySize+p.WikiSize+p.UploadsSize)>>20, most))
	}
	if n.Target != nil {
		if text := setting.OutboundPolicy(settings).FindProblem(outbound.Web, n.Target.URL); text != "" {
			return fault.Invalid("url", text)
		}
	}
	return st.Tx(ctx, func(st *db.Store) error {
		if err := st.Exclusively(ctx, fmt.Sprintf("exports of project %d by %d", p.ID, n.UserID)); err != nil {
			return err
		}
		id, err := st.NextID(ctx, "project_exports")
		if err != nil {
			return err
		}
		var sealed []byte
		if n.Target != nil {
			text, err := json.Marshal(n.Target)
			if err != nil {
				return err
			}
			sealed = st.Seal.Seal(exportTarget, id, text)
		}
		added, err := st.Affected(ctx, `
			insert into project_exports (id, project_id, user_id, description, upload)
			select @id, @project, @user, @description, @upload
			where @upload::bytea is not null or not exists (
			    select from project_exports e
			    where e.project_id = @project and e.user_id = @user and e.status = 'queued' and e.upload is null
			      and e.description is not distinct from @description)`,
			pgx.NamedArgs{"id": id, "project": p.ID, "user": n.UserID, "description": n.Description, "upload": sealed})
		if err != nil || added == 0 {
			return err
		}
		return jobs.Enqueue(ctx, st, exportJob{ID: id})
	})
}

// ExportStatus returns the state of the exports that a user asked for in a project.
func ExportStatus(ctx context.Context, st *db.Store, project, user int64) (string, error) {
	return db.Value[string](ctx, st, `
		select case when s.file and (s.started or s.queued) then 'regeneration_in_progress'
		       when s.started then 'started' when s.queued then 'queued' when s.file then 'finished' else 'none' end
		from (select coalesce(bool_or(e.status = 'started'), false) as started,
		             coalesce(bool_or(e.status = 'queued'), false) as queued,
		             coalesce(bool_or(e.status = 'finished' and e.finished_at > @since), false) as file
		      from project_exports e where e.project_id = @project and e.user_id = @user) s`,
		pgx.NamedArgs{"project": project, "user": user, "since": time.Now().Add(-exportKept)})
}

// FindArchive returns the latest archive of a project that a user asked for. If there is none, a
// not-found fault says whether one is being made.
func FindArchive(ctx context.Context, st *db.Store, project, user int64) (Export, error) {
	e, err := db.One[Export](ctx, st, "Export", `
		select e.* from project_exports e
		where e.project_id = @project and e.user_id = @user and e.status = 'finished' and e.finished_at > @since
		order by e.id desc limit 1`,
		pgx.NamedArgs{"project": project, "user": user, "since": time.Now().Add(-exportKept)})
	if fault.CodeOf(err) != fault.CodeNotFound {
		return e, err
	}
	status, err := ExportStatus(ctx, st, project, user)
	switch {
	case err != nil:
		return e, err
	case status == ExportNone:
		return e, fault.NotFound("404 Not found or has expired").In(fault.Text)
	}
	return e, fault.NotFound("The project export file is not available yet").In(fault.Text)
}

// expireExports is the job that removes archives that can no longer be downloaded.
type expireExports struct{}

// Kind implements jobs.Args.
func (expireExports) Kind() string { return "expire_exports" }

func removeExpired(ctx context.Context, st *db.Store, _ expireExports) error {
	return st.Exec(ctx, `delete from project_exports where status = 'finished' and finished_at <= @since`,
		pgx.NamedArgs{"since": time.Now().Add(-exportKept)})
}
