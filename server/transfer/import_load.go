package transfer

import (
	"context"
	"fmt"
	"io"
	"os"
	"time"

	"hew/server/code"
	"hew/server/db"
	"hew/server/fault"
	"hew/server/setting"
	"hew/server/transfer/archive"
	"hew/server/transfer/load"
	"hew/server/tree"
	"hew/server/upload"
)

// unpack writes the archive to a directory, within the limits of the settings.
func (i importer) unpack(ctx context.Context, content io.Reader, dir string) error {
	settings, err := setting.Read(ctx, i.st)
	if err != nil {
		return err
	}
	limits := archive.Limits{Size: int64(settings.MaxUnpackedImport) << 20}
	if limits.Size == 0 {
		limits.Size = 1 << 50
	}
	if settings.UnpackTime > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, time.Duration(settings.UnpackTime)*time.Second)
		defer cancel()
	}
	return archive.Unpack(ctx, content, dir, limits)
}

// load stores the content of an archive in the order of the public service: repository, wiki,
// documents, avatar, uploads, LFS objects.
func (i importer) load(ctx context.Context, row archiveImport, a *archive.Archive) error {
	document, err := a.Project()
	if err != nil {
		return err
	}
	document = load.Override(document, row.Overrides)
	l, err := i.loader(ctx, row, a)
	if err != nil {
		return err
	}
	if err := i.repositories(ctx, l, a, document); err != nil {
		return err
	}
	if err := l.Refresh(ctx); err != nil {
		return err
	}
	if err := l.StoreProject(ctx, document, row.Overrides); err != nil {
		return err
	}
	if err := i.relations(ctx, l, a); err != nil {
		return err
	}
	if err := i.snippets(ctx, l, a); err != nil {
		return err
	}
	if err := i.files(ctx, l, a); err != nil {
		return err
	}
	return i.finish(ctx, row, document)
}

// loader returns what stores the documents.
func (i importer) loader(ctx context.Context, row archiveImport, a *archive.Archive) (*load.Loader, error) {
	user, space, err := i.who(ctx, row)
	if err != nil {
		return nil, err
	}
	users, err := load.NewArchiveUsers(ctx, i.st, a, user.Admin)
	if err != nil {
		return nil, err
	}
	owner := user.Admin || space.Kind == "user"
	if !owner {
		level, err := tree.LevelIn(ctx, i.st, db.Container{NamespaceID: &space.TraversalIDs[0]}, user.ID)
		if err != nil {
			return nil, err
		}
		owner = level >= db.Owner
	}
	return load.New(ctx, load.Options{
		DB: i.st, Task: i.task, Importer: user, Space: space, Users: users, Owner: owner,
	})
}

// repositories stores the bundles.
func (i importer) repositories(ctx context.Context, l *load.Loader, a *archive.Archive, p archive.Project) error {
	head := ""
	if p.DefaultBranch != nil {
		head = *p.DefaultBranch
	}
	for _, b := range []struct {
		file, head string
		at         code.Place
	}{
		{archive.ProjectBundle, head, code.SourceOf(l.Project())},
		{archive.WikiBundle, "", code.WikiOfProject(l.Project())},
	} {
		name, ok := a.Bundle(b.file)
		if !ok || l.Done(b.file) > 0 {
			continue
		}
		if err := importBundle(ctx, i.st, l, name, b.file, code.NewBundle{At: b.at, DefaultBranch: b.head}); err != nil {
			return fmt.Errorf("%s: %w", b.file, err)
		}
	}
	if _, ok := a.Bundle(archive.DesignBundle); ok {
		return l.FailOnce(ctx, "designs", load.Lacked("designs"))
	}
	return nil
}

// importBundle stores a bundle, and notes in the same transaction that it is stored.
func importBundle(ctx context.Context, st *db.Store, l *load.Loader, file, name string, b code.NewBundle) error {
	b.End = func(ctx context.Context, st *db.Store) error { return l.Mark(ctx, st, name, 1) }
	return storeBundle(ctx, st, file, b)
}

// storeBundle stores the bundle in a file.
func storeBundle(ctx context.Context, st *db.Store, file string, b code.NewBundle) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	b.Content = f
	return code.ImportBundle(ctx, st, b)
}

// relations stores the documents. What has no place here is named among the failures.
func (i importer) relations(ctx context.Context, l *load.Loader, a *archive.Archive) error {
	known, unknown, err := a.Found()
	if err != nil {
		return err
	}
	for _, name := range known {
		r, _ := archive.FindRelation(name)
		if !load.Supports(name) {
			unknown = append(unknown, name)
			continue
		}
		if err := l.StoreAll(ctx, name, load.Lines(a, r)); err != nil {
			return err
		}
		if name == "issues" {
			if err := l.StoreAll(ctx, load.IssueLinks, load.IssueLinkLines(a)); err != nil {
				return err
			}
		}
	}
	for _, name := range unknown {
		for range a.Lines(name) { // it has a document
			if err := l.FailOnce(ctx, name, load.Lacked(name)); err != nil {
				return err
			}
			break
		}
	}
	return nil
}

// files stores the avatar, the uploads and the LFS objects.
func (i importer) files(ctx context.Context, l *load.Loader, a *archive.Archive) error {
	p := l.Project()
	if f, ok, err := a.Avatar(); err != nil {
		return err
	} else if ok {
		if err := i.avatar(ctx, l, f); err != nil {
			return err
		}
	}
	if err := i.each(ctx, l, "uploads", a.Uploads(), func(f archive.File, content io.Reader) error {
		file := upload.File{Name: f.Name, Content: content}
		return upload.Restore(ctx, i.st, p.Container(), f.Secret, file, l.Importer.ID)
	}); err != nil {
		return err
	}
	return i.each(ctx, l, "lfs-objects", a.LFSObjects(), func(f archive.File, content io.Reader) error {
		return code.StoreLFSObject(ctx, i.st, p.ID, f.Name, f.Size, content)
	})
}

// each stores files that are not stored yet. One that is refused is a failure.
func (i importer) each(
	ctx context.Context, l *load.Loader, name string, files func(func(archive.File, error) bool),
	store func(archive.File, io.Reader) error,
) error {
	n := 0
	for f, err := range files {
		if err != nil {
			return err
		}
		if n++; n <= l.Done(name) {
			continue
		}
		content, err := os.Open(f.Path)
		if err != nil {
			return err
		}
		err = store(f, content)
		content.Close()
		if fault.CodeOf(err) == fault.CodeInvalid || fault.CodeOf(err) == fault.CodeTooLarge {
			if err := l.Fail(ctx, name, n-1, err); err != nil {
				return err
			}
			continue
		}
		if err != nil {
			return err
		}
		if err := i.st.Tx(ctx, func(st *db.Store) error { return l.Mark(ctx, st, name, n) }); err != nil {
			return err
		}
	}
	return nil
}

// avatar stores the picture of the project. One that avatars cannot have is a failure.
func (i importer) avatar(ctx context.Context, l *load.Loader, f archive.File) error {
	if f.Size > tree.MaxAvatar {
		return l.FailOnce(ctx, "avatar", fault.Invalid("avatar", "is too big (should be at most 200 KiB)"))
	}
	content, err := os.ReadFile(f.Path)
	if err != nil {
		return err
	}
	picture, err := tree.NewPicture(ctx, i.st, f.Name, content)
	if fault.CodeOf(err) == fault.CodeInvalid {
		return l.FailOnce(ctx, "avatar", err)
	}
	if err != nil {
		return err
	}
	_, err = tree.SetAvatar(ctx, i.st, tree.PicturedBy(l.Project().Container()), picture)
	return err
}
