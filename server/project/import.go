package project

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/event"
	"hew/server/fault"
	"hew/server/jobs"
	"hew/server/outbound"
	"hew/server/setting"
	"hew/server/tree"
)

const (
	// MaxImportAttempts is how often an import is begun without getting further, in case that the
	// server is killed.
	MaxImportAttempts = 3
	// importAliveFor is how long after it was last seen alive an import belongs to its process.
	importAliveFor = time.Minute
)

// The types of imports, as projects show them. Other hosts have types of their own.
const (
	ImportGit     = "git"            // a repository alone
	ImportArchive = "gitlab_project" // an archive of a project
)

// Import is what a new project is to be filled with. There is one until the import has ended; its
// status stays with the project.
type Import struct {
	ProjectID int64      `db:"project_id"`
	Type      string     `db:"type"`
	SealedURL []byte     `db:"sealed_url"` // the address, or what else is needed to reach the source
	Attempts  int        `db:"attempts"`   // this one included; it only grows, and says whose the import is
	AliveAt   *time.Time `db:"alive_at"`   // nil: no process works on it
	CreatedAt time.Time  `db:"created_at"`
	// Interruptions are the attempts among them that do not count: a server that was told to stop
	// ended them, or a later one got further.
	Interruptions int    `db:"interruptions"`
	Process       *int32 `db:"process"` // that works on it, if it is known (jobs.Process)
	Moved         bool   `db:"moved"`   // this attempt got further
}

// Counted returns how many attempts count, this one included.
func (i Import) Counted() int { return i.Attempts - i.Interruptions }

const importURL = "project_imports.sealed_url"

// beginImport notes that a project is to get the repository at a URL, and returns the project with
// its status.
func beginImport(ctx context.Context, st *db.Store, p tree.Project, url string) (tree.Project, error) {
	settings, err := setting.Read(ctx, st)
	switch {
	case err != nil:
		return p, err
	case !slices.Contains(settings.ImportSources, "git"):
		return p, fault.Forbidden("Importing repositories by URL is disabled; " +
			"an administrator can add git to import_sources")
	}
	if p, err = noteImportURL(ctx, st, p, url, outbound.Web); err != nil {
		return p, err
	}
	if p, err = BeginImport(ctx, st, p, ImportGit, url); err != nil {
		return p, err
	}
	return p, event.Emit(ctx, st, ImportBegun{p})
}

// BeginImport notes that a project is to be filled by an import of a type, and returns the project
// with its status. The source is what the jobs of the type need to reach it, such as an address
// with credentials; it is sealed, and kept until the import has ended.
func BeginImport(ctx context.Context, st *db.Store, p tree.Project, kind, source string) (tree.Project, error) {
	if err := st.Exec(ctx, `
		with begun as (insert into project_imports (project_id, type, sealed_url) values (@id, @type, @sealed))
		update projects set import_type = @type, import_status = 'scheduled' where id = @id`,
		pgx.NamedArgs{"id": p.ID, "type": kind, "sealed": st.Seal.Seal(importURL, p.ID, []byte(source))}); err != nil {
		return p, err
	}
	p.ImportType, p.ImportStatus = &kind, "scheduled"
	return p, nil
}

// checkImportURL returns an import URL as it is shown, or a fault if it is not allowed.
func checkImportURL(settings setting.Settings, url string, by outbound.Ports) (shown string, err error) {
	shown = outbound.MaskCredentials(url)
	text := setting.OutboundPolicy(settings).FindProblem(by, url)
	if text == "" && strings.ContainsAny(shown, "?#") { // which may be secret, and is shown
		text = "is blocked: URI is invalid, it has a query or a fragment"
	}
	if text != "" {
		return "", fault.Invalid("import_url", text)
	}
	return shown, nil
}

// TakeImport makes this process the one that works on the import of a project, and returns its
// source, with credentials. It returns not found if the import has ended or another process works
// on it. The import of a process that has ended is free at once; one that is only silent keeps it
// for a while. If the last attempt got further, the attempts so far do not count.
func TakeImport(ctx context.Context, st *db.Store, project int64) (i Import, source string, err error) {
	i, err = db.One[Import](ctx, st, "Import", `
		with taken as (
			update project_imports
			set attempts = attempts + 1, alive_at = now(), process = @process, moved = false,
			    interruptions = case when moved then attempts else interruptions end
			where project_id = @id and (alive_at is null or alive_at < @dead or `+jobs.IsDead("process")+`)
			returning *),
		started as (
			update projects set import_status = 'started' where id in (select project_id from taken))
		select * from taken`, pgx.NamedArgs{
		"id": project, "dead": time.Now().Add(-importAliveFor), "process": jobs.Process(st),
	})
	if err != nil {
		return i, "", err
	}
	text, err := st.Seal.Open(importURL, i.ProjectID, i.SealedURL)
	return i, string(text), err
}

// KeepImport says that this process still works on an import. It returns not found if the project
// was removed, or another process has taken the import.
func KeepImport(ctx context.Context, st *db.Store, i Import) error {
	return i.affect(ctx, st, `
		update project_imports set alive_at = now() where project_id = @id and attempts = @attempts`)
}

// MoveImport is KeepImport in a transaction after which a later attempt goes on further.
func MoveImport(ctx context.Context, st *db.Store, i Import) error {
	return i.affect(ctx, st, `
		update project_imports set alive_at = now(), moved = true where project_id = @id and attempts = @attempts`)
}

// Outcome is how an attempt at an import ended that did not end the import.
type Outcome int

// The outcomes. An interrupted attempt does not count, see Import.Counted.
const (
	Failed      Outcome = 0
	Interrupted Outcome = 1
)

// ReleaseImport lets another process, or a later attempt, take an import.
func ReleaseImport(ctx context.Context, st *db.Store, i Import, o Outcome) error {
	return st.Exec(ctx, `
		update project_imports set alive_at = null, interruptions = interruptions + @uncounted
		where project_id = @id and attempts = @attempts`,
		pgx.NamedArgs{"id": i.ProjectID, "attempts": i.Attempts, "uncounted": int(o)})
}

// EndImport ends an import, in the transaction that stores what it brought. A text says why it
// failed, and is shown to maintainers. It returns not found as KeepImport does.
func EndImport(ctx context.Context, st *db.Store, i Import, failure string) error {
	return st.Tx(ctx, func(st *db.Store) error {
		if err := i.affect(ctx, st, `
			delete from project_imports where project_id = @id and attempts = @attempts`); err != nil {
			return err
		}
		return st.Exec(ctx, `
			update projects set import_error = nullif(@failure::text, ''), updated_at = now(),
			       import_status = case when @failure = '' then 'finished' else 'failed' end
			where id = @id`, pgx.NamedArgs{"id": i.ProjectID, "failure": failure})
	})
}

// affect runs a statement about the row of an import, which is not found if it affects none.
func (i Import) affect(ctx context.Context, st *db.Store, sql string) error {
	n, err := st.Affected(ctx, sql, pgx.NamedArgs{"id": i.ProjectID, "attempts": i.Attempts})
	if err == nil && n == 0 {
		err = fault.NotFound("Import")
	}
	return err
}

// StaleImports returns the imports of the types whose process has ended, or that no process has
// worked on for a while, as it is after hewd was killed.
func StaleImports(ctx context.Context, st *db.Store, types ...string) ([]Import, error) {
	return db.Many[Import](ctx, st, `
		select i.* from project_imports i
		where i.type = any(@types) and (coalesce(i.alive_at, i.created_at) < @dead
		      or i.alive_at is not null and `+jobs.IsDead("i.process")+`)
		order by i.project_id`,
		pgx.NamedArgs{"types": types, "dead": time.Now().Add(-importAliveFor)})
}
