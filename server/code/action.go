package code

import (
	"context"
	"encoding/base64"
	"fmt"
	"path"
	"slices"
	"strings"

	"hew/server/fault"
	"hew/server/git/object"
	gittree "hew/server/git/tree"
)

// apply changes files of a commit and returns the tree that results.
func (g *Git) apply(ctx context.Context, base Commit, actions []Action) (object.ID, error) {
	root := base.Tree
	if base.ID.IsZero() {
		root = object.EmptyTree
		g.keep(object.Object{Kind: object.KindTree})
	}
	e := editor{g: g, base: base, root: root, changed: map[string]object.Entry{}}
	for _, a := range actions {
		if err := e.do(ctx, a); err != nil {
			return root, err
		}
	}
	newRoot, made, err := gittree.Apply(ctx, g, root, e.edits())
	for _, o := range made {
		g.keep(o.Object)
	}
	return newRoot, err
}

// editor turns actions into edits of a tree. Later actions see what earlier ones did.
type editor struct {
	g       *Git
	base    Commit
	root    object.ID
	changed map[string]object.Entry // the zero value: removed
	order   []string
}

// do checks an action and notes what it changes.
func (e *editor) do(ctx context.Context, a Action) error {
	if err := object.CheckPath(a.Path); err != nil {
		return refuse(fmt.Sprintf("invalid path: '%s'", a.Path))
	}
	if err := e.checkLast(ctx, a); err != nil {
		return err
	}
	old, exists, err := e.find(ctx, a.Path)
	if err != nil {
		return err
	}
	switch a.Do {
	case "create":
		if err := e.checkFree(ctx, a.Path, exists); err != nil {
			return err
		}
		return e.write(a, object.ModeFile)
	case "update":
		if !exists {
			return refuse("A file with this name doesn't exist")
		}
		return e.write(a, old.Mode)
	case "delete":
		if !exists {
			return refuse("A file with this name doesn't exist")
		}
		return e.remove(ctx, a.Path)
	case "move":
		return e.move(ctx, a, exists)
	case "chmod":
		if !exists || old.Mode == object.ModeSubmodule {
			return refuse("A file with this name doesn't exist")
		}
		old.Mode = object.ModeFile
		if a.Executable != nil && *a.Executable {
			old.Mode = object.ModeExecutable
		}
		e.set(a.Path, old)
	}
	return nil
}

func (e *editor) move(ctx context.Context, a Action, exists bool) error {
	if object.CheckPath(a.PreviousPath) != nil {
		return refuse(fmt.Sprintf("invalid path: '%s'", a.PreviousPath))
	}
	old, found, err := e.find(ctx, a.PreviousPath)
	switch {
	case err != nil:
		return err
	case !found:
		return refuse("A file with this name doesn't exist")
	}
	if old.Mode == object.ModeSymlink && object.IsModules(path.Base(a.Path)) {
		return refuse(fmt.Sprintf("invalid path: '%s' cannot be a symbolic link", a.Path))
	}
	if err := e.remove(ctx, a.PreviousPath); err != nil {
		return err
	}
	if err := e.checkFree(ctx, a.Path, exists); err != nil {
		return err
	}
	if a.Content != nil {
		return e.write(a, old.Mode)
	}
	e.set(a.Path, old)
	return nil
}

// checkFree refuses a new file where there is a file or directory, or a file above it.
func (e *editor) checkFree(ctx context.Context, path string, exists bool) error {
	if exists {
		return refuse("A file with this name already exists")
	}
	entry, err := gittree.Lookup(ctx, e.g, e.root, path)
	isDir, below := err == nil && entry.Mode == object.ModeDir, path+"/"
	for _, other := range e.order {
		isDir = isDir || strings.HasPrefix(other, below) && e.changed[other].Mode != 0
	}
	if isDir {
		return refuse("A directory with this name already exists")
	}
	for i := range path {
		if path[i] != '/' {
			continue
		}
		_, above, err := e.find(ctx, path[:i])
		if err != nil {
			return err
		}
		if above {
			return refuse("A file with this name already exists")
		}
	}
	return nil
}

// write makes a blob of the content and puts it at the path.
func (e *editor) write(a Action, mode object.Mode) error {
	var content []byte
	if a.Content != nil {
		content = []byte(*a.Content)
	}
	if a.Encoding == "base64" {
		var err error
		if content, err = base64.StdEncoding.DecodeString(string(content)); err != nil {
			return refuse("the content of '" + a.Path + "' is not valid base64")
		}
	}
	if mode != object.ModeExecutable && mode != object.ModeSymlink {
		mode = object.ModeFile
	}
	if a.Executable != nil && mode != object.ModeSymlink {
		mode = object.ModeFile
		if *a.Executable {
			mode = object.ModeExecutable
		}
	}
	e.set(a.Path, object.Entry{Mode: mode, ID: e.g.keep(object.Object{Kind: object.KindBlob, Data: content})})
	return nil
}

// remove removes a file. One that the commit itself made is as if it had never been.
func (e *editor) remove(ctx context.Context, path string) error {
	_, err := gittree.Lookup(ctx, e.g, e.root, path)
	if isMissing(err) {
		delete(e.changed, path)
		e.order = slices.DeleteFunc(e.order, func(other string) bool { return other == path })
		return nil
	}
	e.set(path, object.Entry{})
	return err
}

func (e *editor) set(path string, entry object.Entry) {
	if _, ok := e.changed[path]; !ok {
		e.order = append(e.order, path)
	}
	e.changed[path] = entry
}

// find returns the file at a path, as earlier actions left it.
func (e *editor) find(ctx context.Context, path string) (object.Entry, bool, error) {
	if entry, ok := e.changed[path]; ok {
		return entry, entry.Mode != 0, nil
	}
	entry, err := gittree.Lookup(ctx, e.g, e.root, path)
	if fault.CodeOf(err) == fault.CodeNotFound || isMissing(err) {
		return entry, false, nil
	}
	return entry, err == nil && entry.Mode != object.ModeDir, err
}

func (e *editor) edits() []gittree.Edit {
	edits := make([]gittree.Edit, 0, len(e.order))
	for _, path := range e.order {
		if entry := e.changed[path]; entry.Mode == 0 {
			edits = append(edits, gittree.Remove(path))
		} else {
			edits = append(edits, gittree.Set(path, entry.Mode, entry.ID))
		}
	}
	return edits
}

// checkLast refuses an action on a file that was changed after the commit that the caller knows.
func (e *editor) checkLast(ctx context.Context, a Action) error {
	if a.LastCommit == "" || a.Do == "create" || e.base.ID.IsZero() {
		return nil
	}
	path := a.Path
	if a.Do == "move" {
		path = a.PreviousPath
	}
	last, err := e.g.LastCommit(ctx, e.base.ID, path)
	if err != nil {
		return err
	}
	known, err := e.g.Resolve(ctx, "Commit", a.LastCommit)
	if err != nil || known != last {
		return refuse("The file has changed since you started editing it: " + path)
	}
	return nil
}
