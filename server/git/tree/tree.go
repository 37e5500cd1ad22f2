// Package tree finds, lists, compares and edits the files of commits, over the trees that git
// stores. Paths are as git has them: elements between slashes, with no slash at either end, and of
// any bytes but NUL.
package tree

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"hew/server/git/object"
)

// Lookup returns the entry at a path below a root tree. The empty path is the root itself. If the
// path does not exist, the error wraps object.ErrNotFound and names the path.
func Lookup(ctx context.Context, src object.Source, root object.ID, path string) (object.Entry, error) {
	at := object.Entry{Mode: object.ModeDir, ID: root}
	if path == "" {
		return at, nil
	}
	for name := range strings.SplitSeq(path, "/") {
		if !at.Mode.IsDir() {
			return object.Entry{}, notFound(path)
		}
		tree, err := readTree(ctx, src, at.ID)
		if err != nil {
			return object.Entry{}, fmt.Errorf("look up %q: %w", path, err)
		}
		var ok bool
		if at, ok = tree.Find(name); !ok {
			return object.Entry{}, notFound(path)
		}
	}
	return at, nil
}

func notFound(path string) error { return fmt.Errorf("path %q: %w", path, object.ErrNotFound) }

// readTree reads a tree. The zero id and the empty tree are empty, whether they are stored or not.
func readTree(ctx context.Context, src object.Source, id object.ID) (object.Tree, error) {
	if id.IsZero() || id == object.EmptyTree {
		return nil, nil
	}
	return object.ReadTree(ctx, src, id)
}

// File is an entry with its path from the root.
type File struct {
	Path  string
	Entry object.Entry
}

// Options say what Walk lists.
type Options struct {
	Path      string // a directory; empty is the root
	Recursive bool   // also what is in directories below it, each after its directory
	After     string // begin after this path, which need not exist any more; empty is the start
}

// Walk lists a directory in the order of git ls-tree, and with Recursive of git ls-tree -r -t. It
// ends with an error if an object cannot be read; the error wraps object.ErrNotFound if the path is
// not a directory.
func Walk(ctx context.Context, src object.Source, root object.ID, o Options) iter.Seq2[File, error] {
	return func(yield func(File, error) bool) {
		w := walker{ctx: ctx, src: src, recursive: o.Recursive, yield: yield}
		dir, err := Lookup(ctx, src, root, o.Path)
		if err == nil && !dir.Mode.IsDir() {
			err = notFound(o.Path)
		}
		prefix, after := "", o.After
		if o.Path != "" {
			var below bool
			prefix = o.Path + "/"
			if after, below = strings.CutPrefix(after, prefix); !below && after != "" && err == nil {
				err = fmt.Errorf("path %q is not below %q", o.After, o.Path)
			}
		}
		if err != nil {
			yield(File{}, err)
			return
		}
		w.walk(dir.ID, prefix, after)
	}
}

type walker struct {
	ctx       context.Context
	src       object.Source
	recursive bool
	yield     func(File, error) bool
	depth     int
}

// walk yields the entries of a tree that come after a path in it. It reports whether to go on.
func (w *walker) walk(id object.ID, prefix, after string) bool {
	if w.depth++; w.depth > object.MaxDepth {
		w.yield(File{}, tooDeep(prefix))
		return false
	}
	defer func() { w.depth-- }()
	tree, err := readTree(w.ctx, w.src, id)
	if err != nil {
		w.yield(File{}, fmt.Errorf("list %q: %w", prefix, err))
		return false
	}
	if after != "" {
		var ok bool
		if tree, ok = w.skipTo(tree, prefix, after); !ok {
			return false
		}
	}
	for _, e := range tree {
		if !w.yield(File{prefix + e.Name, e}, nil) {
			return false
		}
		if w.recursive && e.Mode.IsDir() && !w.walk(e.ID, prefix+e.Name+"/", "") {
			return false
		}
	}
	return true
}

// skipTo returns the entries after a path, having walked the rest of the directory that it is in.
func (w *walker) skipTo(tree object.Tree, prefix, after string) (object.Tree, bool) {
	name, rest, below := strings.Cut(after, "/")
	at, found := tree.Find(name)
	if !found {
		at = object.Entry{Name: name, Mode: object.ModeFile}
		if below {
			at.Mode = object.ModeDir
		}
	}
	i, _ := slices.BinarySearchFunc(tree, at, object.CompareEntries)
	if !found {
		return tree[i:], true
	}
	if w.recursive && at.Mode.IsDir() && !w.walk(at.ID, prefix+name+"/", rest) {
		return nil, false
	}
	return tree[i+1:], true
}

// ErrTooDeep is the error, to be found by errors.Is, for directories that are too deep to walk.
var ErrTooDeep = errors.New("directories are too deep")

func tooDeep(path string) error {
	return fmt.Errorf("%w: %.60q… is over %d levels deep", ErrTooDeep, path, object.MaxDepth)
}
