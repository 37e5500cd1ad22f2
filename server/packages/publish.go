package packages

import (
	"context"
	"crypto/md5"
	"crypto/sha1"
	"io"
	"time"

	"github.com/jackc/pgx/v5"

	"hew/server/blob"
	"hew/server/db"
	"hew/server/fault"
	"hew/server/policy"
	"hew/server/tree"
)

// Publisher is who publishes and deletes packages of a project.
type Publisher struct {
	UserID     *int64       // nil: a deploy token
	Level      policy.Level // in the project; that of a developer for a deploy token
	Admin      bool
	PipelineID *int64 // of the job that publishes; nil for all others

	// Reload returns who publishes as the transaction sees them, or why they may not any more: an
	// upload can take hours. nil: nothing can have changed.
	Reload func(ctx context.Context, tx *db.Store) (Publisher, error)
}

// now returns the publisher as a transaction sees them.
func (p Publisher) now(ctx context.Context, tx *db.Store) (Publisher, error) {
	if p.Reload == nil {
		return p, nil
	}
	return p.Reload(ctx, tx)
}

// PipelineOf returns the id of the pipeline of a job, which publishes.
func PipelineOf(ctx context.Context, s *db.Store, jobID int64) (int64, error) {
	return db.Value[int64](ctx, s, `select pipeline_id from jobs where id = @id`, pgx.NamedArgs{"id": jobID})
}

// Content is what a client sent, stored and not yet published.
type Content struct {
	Ref        blob.Ref
	MD5, SHA1  []byte
	StoredName string // of the file
}

// Store keeps what a client sends, up to limit bytes; more is a too-large fault. The store must be
// bound to the pool. Content that nobody publishes is swept.
func Store(ctx context.Context, st *db.Store, from io.Reader, limit int64) (Content, error) {
	m, s := md5.New(), sha1.New()
	ref, err := blob.Put(ctx, st, from, limit, m, s)
	return Content{Ref: ref, MD5: m.Sum(nil), SHA1: s.Sum(nil)}, err
}

// publication is a file on its way into a package.
type publication struct {
	Project tree.Project
	By      Publisher
	ID      Identity
	Status  string // of the package; empty: as it is, or Shown
	Content Content
	// refuseDuplicate returns why the package may not have this file, if it is there already.
	refuseDuplicate func(ctx context.Context, st *db.Store, p Package, s Settings) error
	// afterInsert stores what else belongs to the package. nil: nothing.
	afterInsert func(ctx context.Context, st *db.Store, done publicationResult) error
}

// publicationResult is a file in its package.
type publicationResult struct {
	Package Package
	File    File
	Fresh   bool // the package was made for it
}

// check returns what the transaction that publishes would refuse, before content is stored in vain.
func (u publication) check(ctx context.Context, st *db.Store) error {
	if err := mayPublish(ctx, st, u.Project.ID, u.ID, u.By); err != nil {
		return err
	}
	p, err := Packages(st, u.Project.ID).One(ctx, Named(u.ID))
	if err != nil {
		return fault.IgnoreNotFound(err)
	}
	settings, err := SettingsFor(ctx, st, u.Project)
	if err == nil {
		err = u.refuseDuplicate(ctx, st, p, settings)
	}
	return err
}

// limitOf returns a limit of the plan as one of blobs.
func limitOf(bytes int64) int64 {
	if bytes == 0 {
		return blob.NoLimit
	}
	return bytes
}

// publish makes the package unless it exists, and adds the file. Those who publish one package wait
// for each other.
func publish(ctx context.Context, st *db.Store, u publication) (p Package, f File, err error) {
	err = st.Tx(ctx, func(st *db.Store) error {
		if err := lockProject(ctx, st, u.Project.ID); err != nil {
			return err
		}
		by, err := u.By.now(ctx, st)
		if err == nil {
			err = mayPublish(ctx, st, u.Project.ID, u.ID, by)
		}
		if err != nil {
			return err
		}
		var fresh bool
		if p, fresh, err = hold(ctx, st, u); err != nil {
			return err
		}
		if !fresh {
			settings, err := SettingsFor(ctx, st, u.Project)
			if err == nil {
				err = u.refuseDuplicate(ctx, st, p, settings)
			}
			if err != nil {
				return err
			}
		}
		c := u.Content
		f = File{
			PackageID: p.ID, ProjectID: p.ProjectID, Name: c.StoredName, Size: c.Ref.Size, MD5: c.MD5, SHA1: c.SHA1,
			SHA256: c.Ref.SHA256[:], BlobID: c.Ref.ID, PipelineID: u.By.PipelineID,
		}
		id, err := st.Insert(ctx, "package_files", f)
		if err != nil {
			return err
		}
		if f, err = db.One[File](ctx, st, "", selectFiles+` where t.id = @id`, pgx.NamedArgs{"id": id}); err != nil {
			return err
		}
		if u.afterInsert == nil {
			return nil
		}
		return u.afterInsert(ctx, st, publicationResult{p, f, fresh})
	})
	return p, f, err
}

// lockProject keeps a project until the end of the transaction and lets the guard look again. It
// comes before any lock of a package, as in the deletion of projects.
func lockProject(ctx context.Context, st *db.Store, id int64) error {
	_, err := db.One[struct {
		ID int64 `db:"id"`
	}](ctx, st, "Project", `select id from projects where id = @id for key share`, pgx.NamedArgs{"id": id})
	if err == nil {
		err = st.Locked(ctx)
	}
	return err
}

// hold returns the package with the identity, locked, and whether it was made just now.
func hold(ctx context.Context, st *db.Store, u publication) (p Package, fresh bool, err error) {
	p = Package{ProjectID: u.Project.ID, Identity: u.ID, Status: u.Status, CreatorID: u.By.UserID}
	if p.Status == "" {
		p.Status = Shown
	}
	_, args := db.Columns(p)
	for range 10 { // between the two statements others can remove it
		p, fresh, err = holdOnce(ctx, st, args)
		if fault.CodeOf(err) != fault.CodeNotFound {
			break
		}
	}
	if err == nil && !fresh {
		change := `updated_at = now()`
		if u.Status != "" && u.Status != p.Status { // otherwise its version is not counted again
			p.Status, change = u.Status, change+`, status = @status`
		}
		err = st.Exec(ctx, `update packages set `+change+` where id = @id`, pgx.NamedArgs{"status": p.Status, "id": p.ID})
	}
	return p, fresh, err
}

// holdOnce makes the package with the columns unless it exists, and locks it. If it was removed
// meanwhile, that is a not-found fault.
func holdOnce(ctx context.Context, st *db.Store, args pgx.NamedArgs) (p Package, fresh bool, err error) {
	made, err := db.Values[int64](ctx, st, `
		insert into packages (project_id, type, name, version, name_key, version_key, sort_key, prerelease, status,
		    creator_id)
		values (@project_id, @type, @name, @version, @name_key, @version_key, @sort_key, @prerelease, @status,
		    @creator_id)
		on conflict (project_id, type, name_key, version_key) do nothing returning id`, args)
	if err != nil {
		return p, false, err
	}
	p, err = db.One[Package](ctx, st, "", `
		select t.*, '' as project_path, '{}'::bigint[] as pipelines from packages t
		where t.project_id = @project_id and t.type = @type and t.name_key = @name_key and t.version_key = @version_key
		for no key update`, args)
	return p, len(made) > 0, err
}

// Delete removes a package and its files. It calls unless with the time of the package's last
// change, and removes nothing if that returns an error.
func Delete(
	ctx context.Context, st *db.Store, projectID int64, one db.Condition, by Publisher,
	unless func(context.Context, time.Time) error,
) error {
	return st.Tx(ctx, func(st *db.Store) error {
		p, err := Packages(st, projectID).One(ctx, one)
		if err != nil {
			return err
		}
		return Packages(st, projectID).Delete(ctx, db.ByID(p.ID), func(ctx context.Context, changed time.Time) error {
			if err := mayDelete(ctx, st, p, by); err != nil {
				return err
			}
			return unless(ctx, changed)
		})
	})
}

// NotFound returns the fault of a missing package.
func NotFound() error { return fault.NotFound("Package") }
