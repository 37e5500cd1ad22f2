package transfer

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"hew/server/blob"
	"hew/server/db"
	"hew/server/fault"
	"hew/server/jobs"
	"hew/server/project"
	"hew/server/setting"
	"hew/server/tree"
)

// NewImport is a project to be made of an archive (spec 1 §4.6, gaps §12.2).
type NewImport struct {
	By            tree.User
	Path, Name    string
	Overwrite     bool // replaces the project at the path; the user may do that in the namespace
	Overrides     map[string]json.RawMessage
	Archive       *blob.Ref    // which is here; nil: it is fetched from Source
	Source        ImportSource // checked
	CorrelationID string       // of the request

	// FindSpace returns the namespace, or why the user may not import into it. It is called in the
	// transaction that makes the project, so that a limit holds for imports at the same time.
	FindSpace func(context.Context, *db.Store) (tree.Group, error)
}

// archiveImport is a row of archive_imports.
type archiveImport struct {
	ProjectID  int64                      `db:"project_id"`
	UserID     int64                      `db:"user_id"`
	BlobID     *int64                     `db:"blob_id"`
	Overrides  map[string]json.RawMessage `db:"overrides"`
	Name       string                     `db:"name"`
	Path       string                     `db:"path"`
	ReplacesID *int64                     `db:"replaces_id"`
}

// CheckImports returns a forbidden fault if the settings allow no imports from archives.
func CheckImports(ctx context.Context, st *db.Store) error {
	settings, err := setting.Read(ctx, st)
	if err == nil && !slices.Contains(settings.ImportSources, project.ImportArchive) {
		err = fault.Forbidden("Importing archives of projects is disabled; " +
			"an administrator can add gitlab_project to import_sources")
	}
	return err
}

// StartImport makes an empty project and has a job fill it. Of two that want one path at once one
// gets an error that it is taken.
func StartImport(ctx context.Context, st *db.Store, n NewImport) (p tree.Project, err error) {
	if n.Name == "" {
		n.Name = n.Path
	}
	for range 3 {
		err = st.Tx(ctx, func(st *db.Store) error {
			if err := st.Locked(ctx); err != nil {
				return err
			}
			p, err = n.begin(ctx, st)
			return err
		})
		if !db.Overtaken(err) {
			break
		}
	}
	return p, FirstProblem(err)
}

// begin makes the project, and notes down what is to become of it.
func (n NewImport) begin(ctx context.Context, st *db.Store) (p tree.Project, err error) {
	row := archiveImport{UserID: n.By.ID, Overrides: n.Overrides, Name: n.Name, Path: n.Path}
	if n.Archive != nil {
		row.BlobID = &n.Archive.ID
	}
	if row.Overrides == nil {
		row.Overrides = map[string]json.RawMessage{}
	}
	space, err := n.FindSpace(ctx, st)
	if err != nil {
		return p, err
	}
	p = tree.NewProject(n.Name, n.Path, space.ID)
	if n.Overwrite {
		if row.ReplacesID, err = n.replaced(ctx, st, space); err != nil {
			return p, err
		}
	}
	if row.ReplacesID != nil { // until the import has succeeded, its project has another path
		token := strings.ToLower(rand.Text()[:8])
		p.Path, p.Name = fmt.Sprintf("%.200s-import-%s", n.Path, token), fmt.Sprintf("%.200s (import %s)", n.Name, token)
	}
	if p.Visibility, err = n.visibility(ctx, st); err != nil {
		return p, err
	}
	if p, err = project.CreateProject(ctx, st, p, n.By, project.Seed{}); err != nil {
		return p, err
	}
	source, err := n.Source.encode()
	if err != nil {
		return p, err
	}
	if p, err = project.BeginImport(ctx, st, p, project.ImportArchive, source); err != nil {
		return p, err
	}
	row.ProjectID = p.ID
	if err := st.Exec(ctx, `
		insert into archive_imports (project_id, user_id, blob_id, overrides, name, path, replaces_id)
		values (@project, @user, @blob, @overrides, @name, @path, @replaces)`, pgx.NamedArgs{
		"project": row.ProjectID, "user": row.UserID, "blob": row.BlobID, "overrides": row.Overrides, "name": row.Name,
		"path": row.Path, "replaces": row.ReplacesID,
	}); err != nil {
		return p, err
	}
	record := project.ImportRecord{ProjectID: p.ID, CorrelationID: n.CorrelationID}
	if err := project.StoreImportRecord(ctx, st, record); err != nil {
		return p, err
	}
	return p, jobs.Enqueue(ctx, st, importJob{ProjectID: p.ID})
}

// replaced returns the project that the import is to take the place of, nil if there is none.
func (n NewImport) replaced(ctx context.Context, st *db.Store, space tree.Group) (*int64, error) {
	ids, err := db.Values[int64](ctx, st, `
		select id from projects where namespace_id = @space and lower(path) = lower(@path)`,
		pgx.NamedArgs{"space": space.ID, "path": n.Path})
	if err != nil || len(ids) == 0 {
		return nil, err
	}
	return &ids[0], nil
}

// visibility returns the lowest visibility that the user may give a project: the archive may raise
// it later.
func (n NewImport) visibility(ctx context.Context, st *db.Store) (db.Visibility, error) {
	for _, v := range []db.Visibility{db.Private, db.Internal, db.Public} {
		err := tree.CheckVisibility(ctx, st, v, n.By)
		if err == nil || fault.CodeOf(err) != fault.CodeInvalid {
			return v, err
		}
	}
	return db.Private, nil
}

// FirstProblem returns the fault of a project that cannot be made as the import of the public
// service words it: the first text, with its field.
func FirstProblem(err error) error {
	f, ok := fault.From(err)
	if !ok || f.Code != fault.CodeInvalid || len(f.Fields) == 0 {
		return err
	}
	for _, field := range slices.Sorted(maps.Keys(f.Fields)) {
		if len(f.Fields[field]) > 0 {
			name := strings.ToUpper(field[:1]) + strings.ReplaceAll(field[1:], "_", " ")
			return fault.BadRequest(name + " " + f.Fields[field][0]).In(fault.Text)
		}
	}
	return err
}

// findArchiveImport returns what is to become of a project.
func findArchiveImport(ctx context.Context, st *db.Store, projectID int64) (archiveImport, error) {
	return db.One[archiveImport](ctx, st, "Import", `select * from archive_imports where project_id = @project`,
		pgx.NamedArgs{"project": projectID})
}
