package code

import (
	"context"
	"errors"
	"strings"

	"hew/server/fault"
	"hew/server/git/object"
	gittree "hew/server/git/tree"
)

// File is a file in a commit.
type File struct {
	object.Entry
	Path       string
	Commit     object.ID
	LastCommit object.ID // that changed it
	Data       []byte
}

// Executable reports whether the file may be run.
func (f File) Executable() bool { return f.Mode == object.ModeExecutable }

// FindFile returns a file of a revision. It returns a not-found fault about Commit or File, and
// reads the whole content.
func (g *Git) FindFile(ctx context.Context, revision, path string) (File, error) {
	f, err := g.lookupFile(ctx, revision, path)
	if err != nil {
		return File{}, err
	}
	o, err := g.Object(ctx, f.ID)
	if err != nil {
		return File{}, err
	}
	f.Data = o.Data
	f.LastCommit, err = g.LastCommit(ctx, f.Commit, f.Path)
	return f, err
}

// ReadSmallFile returns the content of a file of a revision, and nil if it has more than limit
// bytes. It returns the faults of FindFile.
func (g *Git) ReadSmallFile(ctx context.Context, revision, path string, limit int64) ([]byte, error) {
	f, err := g.lookupFile(ctx, revision, path)
	if err != nil {
		return nil, err
	}
	if size, err := g.Size(ctx, f.ID); err != nil || size > limit {
		return nil, err
	}
	o, err := g.Object(ctx, f.ID)
	return append([]byte{}, o.Data...), err
}

// lookupFile returns a file of a revision without its content and last commit.
func (g *Git) lookupFile(ctx context.Context, revision, path string) (File, error) {
	id, err := g.Resolve(ctx, "Commit", revision)
	if err != nil {
		return File{}, err
	}
	root, err := g.treeOf(ctx, id)
	if err != nil {
		return File{}, err
	}
	path = strings.TrimPrefix(path, "/")
	e, err := gittree.Lookup(ctx, g, root, path)
	if err != nil || e.Mode == object.ModeDir || e.Mode == object.ModeSubmodule {
		return File{}, asNotFound(err, "File")
	}
	return File{Entry: e, Path: path, Commit: id}, nil
}

// asNotFound returns a not-found fault about what, unless the error is another one.
func asNotFound(err error, what string) error {
	if err == nil || isMissing(err) {
		return fault.NotFound(what)
	}
	return err
}

// isMissing reports whether an object or a path does not exist.
func isMissing(err error) bool { return errors.Is(err, object.ErrNotFound) }

// Blob returns the content of a blob, or a not-found fault.
func (g *Git) Blob(ctx context.Context, id object.ID) ([]byte, error) {
	o, err := g.Object(ctx, id)
	if isMissing(err) || err == nil && o.Kind != object.KindBlob {
		return nil, fault.NotFound("Blob")
	}
	return o.Data, err
}

// Listing asks for what a directory of a revision holds.
type Listing struct {
	Revision  string
	Path      string // of the directory; "" for the root
	Recursive bool   // also what is in directories below it
	After     string // begin after this path; "" at the first
	Limit     int    // how many files to return; 0: all
}

// ListTree returns files in git's order. A directory or revision that does not exist is a not-found
// fault.
func (g *Git) ListTree(ctx context.Context, l Listing) (files []gittree.File, err error) {
	id, err := g.Resolve(ctx, "Tree", l.Revision)
	if err != nil {
		return nil, err
	}
	root, err := g.treeOf(ctx, id)
	if err != nil {
		return nil, err
	}
	o := gittree.Options{Path: l.Path, Recursive: l.Recursive, After: l.After}
	for f, err := range gittree.Walk(ctx, g, root, o) {
		if isMissing(err) {
			return nil, fault.NotFound("Tree")
		}
		if err != nil {
			return nil, err
		}
		if files = append(files, f); len(files) == l.Limit {
			break
		}
	}
	return files, nil
}
