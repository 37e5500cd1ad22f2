package tree

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"hew/server/git/object"
)

// ErrClash is the error, to be found by errors.Is, for a path that is both a file and a directory,
// or of another type than the edit is for.
var ErrClash = errors.New("paths clash")

// Edit is a change of one path. Make one with Set, Remove or Chmod.
type Edit struct {
	path string
	to   object.Entry
	do   func(object.Entry, Edit) (object.Entry, error) // makes of the entry that is there another one
}

// Set puts a file, symbolic link or submodule at a path, in the place of what has another content
// there, and makes its directories.
func Set(path string, mode object.Mode, id object.ID) Edit {
	return Edit{path, object.Entry{Mode: mode, ID: id}, setEntry}
}

// Remove removes a file, symbolic link or submodule. It must exist.
func Remove(path string) Edit { return Edit{path, object.Entry{}, removeEntry} }

// Chmod makes a file executable (object.ModeExecutable) or not (object.ModeFile). It must exist.
func Chmod(path string, mode object.Mode) Edit {
	return Edit{path, object.Entry{Mode: mode}, chmodEntry}
}

func setEntry(_ object.Entry, e Edit) (object.Entry, error) {
	if !e.to.Mode.IsBlob() && e.to.Mode != object.ModeSubmodule {
		return e.to, fmt.Errorf("set %q: %s is not the mode of a file", e.path, e.to.Mode)
	}
	return e.to, object.CheckPath(e.path)
}

func removeEntry(was object.Entry, e Edit) (object.Entry, error) {
	if was.Mode == 0 {
		return was, notFound(e.path)
	}
	return object.Entry{}, nil
}

func chmodEntry(was object.Entry, e Edit) (object.Entry, error) {
	switch {
	case was.Mode == 0:
		return was, notFound(e.path)
	case !isFile(was.Mode) || !isFile(e.to.Mode):
		return was, fmt.Errorf("%w: the mode of %q cannot change from %s to %s", ErrClash, e.path, was.Mode, e.to.Mode)
	}
	was.Mode = e.to.Mode
	return was, nil
}

func isFile(mode object.Mode) bool { return mode == object.ModeFile || mode == object.ModeExecutable }

// Made is a tree that was made by Apply, and is to be stored.
type Made struct {
	ID object.ID
	object.Object
}

// Apply makes the edits, each on what those before it left, and returns the new root and the trees
// that it needs, each once and the root last, without those that are still as they were.
// Directories that become empty vanish. Each tree that is touched is read and encoded once.
//
// It fails with object.ErrNotFound if a path to remove or to chmod does not exist, with ErrClash if
// one would have to be both a file and a directory, and with the error of object.CheckPath.
func Apply(ctx context.Context, src object.Source, root object.ID, edits []Edit) (object.ID, []Made, error) {
	e := editor{ctx: ctx, src: src, kept: map[object.ID]bool{}}
	top, err := e.open(root)
	if err != nil {
		return object.ID{}, nil, err
	}
	for _, edit := range edits {
		if err := e.apply(top, edit); err != nil {
			return object.ID{}, nil, err
		}
	}
	id := e.encode(top)
	return id, e.made, nil
}

type editor struct {
	ctx  context.Context
	src  object.Source
	made []Made
	kept map[object.ID]bool // the ids of made
}

// A dir is a directory that is being edited.
type dir struct {
	id      object.ID // before; zero if it is new
	tree    object.Tree
	changed map[string]object.Entry // files set, and removed ones with mode 0
	dirs    map[string]*dir         // directories that were opened
}

func (e *editor) open(id object.ID) (*dir, error) {
	tree, err := readTree(e.ctx, e.src, id)
	return &dir{id: id, tree: tree, changed: map[string]object.Entry{}, dirs: map[string]*dir{}}, err
}

// find returns what has a name now: an entry, or the opened directory.
func (d *dir) find(name string) (object.Entry, *dir) {
	if below := d.dirs[name]; below != nil {
		return object.Entry{}, below
	}
	if e, ok := d.changed[name]; ok {
		return e, nil
	}
	e, _ := d.tree.Find(name)
	return e, nil
}

func (e *editor) apply(at *dir, edit Edit) error {
	elements := strings.Split(edit.path, "/")
	for i, name := range elements[:len(elements)-1] {
		was, below := at.find(name)
		switch {
		case below != nil:
		case was.Mode.IsDir():
			var err error
			if below, err = e.open(was.ID); err != nil {
				return fmt.Errorf("edit %q: %w", edit.path, err)
			}
		case was.Mode != 0:
			return fmt.Errorf("%w: %q is a file, so that %q cannot be in it", ErrClash,
				strings.Join(elements[:i+1], "/"), edit.path)
		default:
			below, _ = e.open(object.ID{})
		}
		delete(at.changed, name)
		at.dirs[name] = below
		at = below
	}
	name := elements[len(elements)-1]
	was, below := at.find(name)
	if was.Mode.IsDir() || below != nil && !below.isEmpty() {
		return fmt.Errorf("%w: %q is a directory", ErrClash, edit.path)
	}
	is, err := edit.do(was, edit)
	if err != nil {
		return err
	}
	is.Name = name
	delete(at.dirs, name)
	at.changed[name] = is
	return nil
}

// isEmpty reports whether nothing is left in the directory.
func (d *dir) isEmpty() bool {
	for _, below := range d.dirs {
		if !below.isEmpty() {
			return false
		}
	}
	for _, e := range d.changed {
		if e.Mode != 0 {
			return false
		}
	}
	return !slices.ContainsFunc(d.tree, d.isUntouched)
}

func (d *dir) isUntouched(e object.Entry) bool {
	_, changed := d.changed[e.Name]
	return !changed && d.dirs[e.Name] == nil
}

// encode returns the id of a directory as it is now, and keeps the trees that are new.
func (e *editor) encode(d *dir) object.ID {
	tree := make(object.Tree, 0, len(d.tree)+len(d.changed)+len(d.dirs))
	for _, entry := range d.tree {
		if d.isUntouched(entry) {
			tree = append(tree, entry)
		}
	}
	for _, entry := range d.changed {
		if entry.Mode != 0 {
			tree = append(tree, entry)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(d.dirs)) {
		if below := d.dirs[name]; !below.isEmpty() {
			tree = append(tree, object.Entry{Mode: object.ModeDir, Name: name, ID: e.encode(below)})
		}
	}
	data := object.EncodeTree(tree)
	id := object.Hash(object.KindTree, data)
	if id != d.id && !e.kept[id] {
		e.kept[id] = true
		e.made = append(e.made, Made{id, object.Object{Kind: object.KindTree, Data: data}})
	}
	return id
}
