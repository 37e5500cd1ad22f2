package transfer

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/jackc/pgx/v5"

	"hew/server/blob"
	"hew/server/code"
	"hew/server/db"
	"hew/server/policy"
	"hew/server/transfer/archive"
	"hew/server/tree"
)

// exportWriter writes the archive of an export.
type exportWriter struct {
	*db.Store // bound to the pool
	export    Export
	project   tree.Project
	by        tree.Standing // of who asked for it
	ownsGroup bool          // and so sees the members of the groups above
	dir       string        // for temporary files
}

// write writes the archive: first the rows, as they were at one time, then the repositories and
// files, which may be newer. What rows refer to is in them still.
func (w exportWriter) write(ctx context.Context, out io.Writer, info archive.Info) error {
	to, err := archive.NewWriter(out, w.dir, info)
	if err != nil {
		return err
	}
	defer to.Discard()
	if err := w.Tx(ctx, func(st *db.Store) error { return w.rows(ctx, st, to) }); err != nil {
		return err
	}
	for _, part := range []func(context.Context, *archive.Writer) error{
		w.bundles, w.snippets, w.avatar, w.uploads, w.lfsObjects,
	} {
		if err := part(ctx, to); err != nil {
			return err
		}
	}
	return to.Close()
}

// rows writes the documents from one snapshot, in a transaction that must have read nothing yet.
func (w exportWriter) rows(ctx context.Context, st *db.Store, to *archive.Writer) error {
	if err := st.Exec(ctx, `set transaction isolation level repeatable read, read only`, nil); err != nil {
		return err
	}
	p, err := tree.FindProject(ctx, st, w.project.ID)
	if err != nil {
		return err
	}
	level, err := db.Value[int](ctx, st, `select `+tree.LevelInSpace+` from namespaces n where n.id = @id`,
		pgx.NamedArgs{"user": w.by.UserID, "id": p.NamespaceID})
	if err != nil {
		return err
	}
	w.project, w.ownsGroup = p, w.by.Admin || level >= int(policy.Owner)
	document, err := projectDocument(p, w.export.Description)
	if err != nil {
		return err
	}
	if err := to.Project(document); err != nil {
		return err
	}
	if err := w.toOne(ctx, st, to); err != nil {
		return err
	}
	for _, r := range relations {
		if err := w.relation(ctx, st, to, r); err != nil {
			return err
		}
	}
	return nil
}

// toOne writes the relations that have one document.
func (w exportWriter) toOne(ctx context.Context, st *db.Store, to *archive.Writer) error {
	documents := settingDocuments(w.project.Settings)
	for _, r := range []struct{ name, table, columns string }{
		{"push_rule", "push_rules", pushRuleColumns}, {"error_tracking_setting", "error_tracking", errorTrackingColumns},
	} {
		rows, err := db.Values[string](ctx, st, `select `+jsonObject(r.columns)+`::text from `+r.table+` t
			where t.project_id = @project`, pgx.NamedArgs{"project": w.project.ID})
		if err != nil {
			return err
		}
		documents[r.name] = nil
		if len(rows) > 0 {
			documents[r.name] = json.RawMessage(rows[0])
		}
	}
	for _, name := range slices.Sorted(maps.Keys(documents)) {
		if err := to.ToOne(name, documents[name]); err != nil {
			return err
		}
	}
	return nil
}

// bundles writes the repositories of the project and its wiki.
func (w exportWriter) bundles(ctx context.Context, to *archive.Writer) error {
	for _, b := range []struct {
		name string
		at   code.Place
	}{
		{archive.ProjectBundle, code.SourceOf(w.project)}, {archive.WikiBundle, code.WikiOfProject(w.project)},
	} {
		if err := w.bundle(ctx, to, b.name, b.at); err != nil {
			return err
		}
	}
	return nil
}

// bundle writes a repository, unless it is empty.
func (w exportWriter) bundle(ctx context.Context, to *archive.Writer, name string, at code.Place) error {
	file := filepath.Join(w.dir, "bundle")
	ok, err := code.Bundle(ctx, w.Store, at, file)
	if err == nil && ok {
		err = errors.Join(to.Bundle(name, file), os.Remove(file))
	}
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// file writes the content of a blob.
func (w exportWriter) file(
	ctx context.Context, id int64, write func(size int64, content io.Reader) error,
) error {
	ref, err := blob.Load(ctx, w.Store, id)
	if err != nil {
		return err
	}
	content, err := blob.Open(ctx, w.Store, ref, 0)
	if err != nil {
		return err
	}
	defer content.Close()
	return write(ref.Size, content)
}
