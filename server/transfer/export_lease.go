package transfer

import (
	"context"
	"encoding/json"
	"io"
	"time"

	"github.com/jackc/pgx/v5"

	"hew/server/blob"
	"hew/server/db"
	"hew/server/fault"
	"hew/server/jobs"
)

// takeExport makes this process the one that works on an export. It returns not found if the export
// has ended, another process works on it, or too many others are worked on; one of those then
// enqueues it again.
func takeExport(ctx context.Context, st *db.Store, id int64) (e Export, err error) {
	err = st.Tx(ctx, func(st *db.Store) error {
		if err := st.Exclusively(ctx, "project_exports"); err != nil {
			return err
		}
		e, err = db.One[Export](ctx, st, "Export", `
			update project_exports set status = 'started', attempts = attempts + 1, alive_at = now()
			where id = @id and status <> 'finished' and (alive_at is null or alive_at < @dead)
			  and (select count(*) from project_exports o
			       where o.status = 'started' and o.alive_at >= @dead and o.id <> @id) < @most
			returning *`, pgx.NamedArgs{
			"id": id, "dead": time.Now().Add(-exportAliveFor), "most": maxExportsAtOnce,
		})
		return err
	})
	return e, err
}

// target returns where the archive is to be sent, nil if it is kept.
func (e Export) target(st *db.Store) (*ExportTarget, error) {
	if e.Upload == nil {
		return nil, nil
	}
	text, err := st.Seal.Open(exportTarget, e.ID, e.Upload)
	if err != nil {
		return nil, err
	}
	var t ExportTarget
	return &t, json.Unmarshal(text, &t)
}

// affect runs a statement about the row of an export. It returns not found if the project was
// removed, or another process has taken the export.
func (e Export) affect(ctx context.Context, st *db.Store, sql string, args pgx.NamedArgs) error {
	if args == nil {
		args = pgx.NamedArgs{}
	}
	args["id"], args["attempts"] = e.ID, e.Attempts
	n, err := st.Affected(ctx, sql+` where id = @id and attempts = @attempts`, args)
	if err == nil && n == 0 {
		err = fault.NotFound("Export")
	}
	return err
}

// keep says that this process still works on the export.
func (e Export) keep(ctx context.Context, st *db.Store) error {
	return e.affect(ctx, st, `update project_exports set alive_at = now()`, nil)
}

// storeArchive notes the archive of the export, so that a later attempt need not make it again.
func (e *Export) storeArchive(ctx context.Context, st *db.Store, ref blob.Ref, name string) error {
	e.BlobID, e.Name = &ref.ID, &name
	return e.affect(ctx, st, `update project_exports set blob_id = @blob, name = @name`,
		pgx.NamedArgs{"blob": ref.ID, "name": name})
}

// release lets another process, or a later attempt, take the export. An attempt that was
// interrupted does not count.
func (e Export) release(ctx context.Context, st *db.Store, interrupted bool) error {
	uncounted := 0
	if interrupted {
		uncounted = 1
	}
	return e.affect(ctx, st, `
		update project_exports set alive_at = null, status = 'queued', attempts = attempts - @uncounted`,
		pgx.NamedArgs{"uncounted": uncounted})
}

// finish makes the archive the one that its user downloads, unless a later request has one already.
func (e Export) finish(ctx context.Context, st *db.Store) error {
	if err := e.affect(ctx, st, `
		update project_exports set status = 'finished', finished_at = now(), alive_at = null`, nil); err != nil {
		return err
	}
	return st.Exec(ctx, `
		delete from project_exports
		where project_id = @project and user_id = @user and status = 'finished' and id < (
		    select max(n.id) from project_exports n
		    where n.project_id = @project and n.user_id = @user and n.status = 'finished')`,
		pgx.NamedArgs{"project": e.ProjectID, "user": e.UserID})
}

// AddArchive keeps an archive of a project for a user, as an export does that has ended. The store
// must be bound to the pool, as for blob.Put.
func AddArchive(ctx context.Context, st *db.Store, project, user int64, name string, content io.Reader) error {
	ref, err := blob.Put(ctx, st, content, blob.NoLimit)
	if err != nil {
		return err
	}
	return st.Tx(ctx, func(st *db.Store) error {
		e, err := db.One[Export](ctx, st, "Export", `
			insert into project_exports (project_id, user_id, status) values (@project, @user, 'started') returning *`,
			pgx.NamedArgs{"project": project, "user": user})
		if err != nil {
			return err
		}
		if err := e.storeArchive(ctx, st, ref, name); err != nil {
			return err
		}
		return e.finish(ctx, st)
	})
}

// remove ends an export without an archive to be downloaded.
func (e Export) remove(ctx context.Context, st *db.Store) error {
	return e.affect(ctx, st, `delete from project_exports`, nil)
}

// enqueueWaiting enqueues exports that nobody works on: those that were queued before and had no
// turn, and those whose process was killed.
func enqueueWaiting(ctx context.Context, st *db.Store, queuedBefore time.Time) error {
	list, err := db.Many[Export](ctx, st, `
		select e.* from project_exports e
		where e.status = 'queued' and e.created_at < @before or e.status = 'started' and e.alive_at < @dead
		order by e.id limit @most`, pgx.NamedArgs{
		"before": queuedBefore, "dead": time.Now().Add(-exportAliveFor), "most": maxExportsAtOnce,
	})
	args := make([]jobs.Args, len(list))
	for i, e := range list {
		args[i] = exportJob{ID: e.ID, Attempt: e.Attempts}
	}
	if err != nil {
		return err
	}
	return jobs.Enqueue(ctx, st, args...)
}
