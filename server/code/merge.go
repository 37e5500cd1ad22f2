package code

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"hew/server/fault"
	"hew/server/git/object"
	"hew/server/git/pack"
)

// Merge is the result of a merge of two trees.
type Merge struct {
	Tree      object.ID // that git wrote: with conflict markers in the files of Conflicts
	Conflicts []string  // paths that a person has to merge; empty: the merge is clean
}

// errCannotMerge is the fault of two trees that git gives up on: where one side has moved a
// submodule to the path of a symbolic link of the other side, git 2.39 aborts.
var errCannotMerge = fault.Conflict("git cannot merge these changes: merge them in a clone").In(fault.Text)

// maxConflicts limits what git may print about a merge, in bytes.
const maxConflicts = 16 << 20

// MergeCommits merges theirs into ours, from the merge bases that git finds. Objects that result
// are kept until the transaction stores a commit. It returns a conflict fault if git gives up.
func (g *Git) MergeCommits(ctx context.Context, ours, theirs object.ID) (m Merge, err error) {
	err = g.merging(ctx, func(d *mergeDir) error {
		m, err = d.merge(ctx, ours, theirs)
		return err
	})
	return m, err
}

// mergeTrees applies what changed between the trees base and theirs to the tree ours. It keeps new
// objects as MergeCommits does.
func (g *Git) mergeTrees(ctx context.Context, base, ours, theirs object.ID) (m Merge, err error) {
	if m, ok := trivialMerge(base, ours, theirs); ok {
		return m, nil
	}
	err = g.merging(ctx, func(d *mergeDir) error {
		m, err = d.mergeTrees(ctx, base, ours, theirs)
		return err
	})
	return m, err
}

// trivialMerge merges three trees if two of them are equal.
func trivialMerge(base, ours, theirs object.ID) (m Merge, ok bool) {
	switch {
	case ours == base:
		return Merge{Tree: theirs}, true
	case theirs == base, theirs == ours:
		return Merge{Tree: ours}, true
	}
	return m, false
}

// merging makes a directory for merges, and keeps the objects that they write into it.
func (g *Git) merging(ctx context.Context, do func(*mergeDir) error) (err error) {
	if g.storage.git == nil {
		return errNoGit
	}
	c, err := g.lend(ctx)
	if err != nil {
		return err
	}
	defer c.giveBack()
	dir, err := os.MkdirTemp(c.dir, "merging-")
	if err != nil {
		return err
	}
	own, end, err := g.ownObjects(ctx, c)
	if err != nil {
		return errors.Join(err, os.RemoveAll(dir))
	}
	defer end()
	d := &mergeDir{git: g.storage.git, copy: c.dir, dir: dir, others: filepath.Join(c.dir, "objects")}
	for _, variable := range own {
		d.others += string(os.PathListSeparator) + strings.TrimPrefix(variable, alternates)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	for _, o := range g.made { // what is merged may not be stored yet
		if err := d.write(o); err != nil {
			return err
		}
	}
	if err := do(d); err != nil {
		return err
	}
	return g.keepAll(dir)
}

// keepAll makes the trees and blobs of an object directory objects of the repository, to be stored
// with a commit.
func (g *Git) keepAll(dir string) error {
	files, err := filepath.Glob(filepath.Join(dir, "[0-9a-f][0-9a-f]", "*"))
	if err != nil {
		return err
	}
	for _, name := range files {
		o, err := readLooseFile(name)
		if err != nil {
			return fmt.Errorf("read object %s: %w", name, err)
		}
		if o.Kind != object.KindCommit {
			g.keep(o)
		}
	}
	return nil
}

// readLooseFile reads an object that git wrote by itself.
func readLooseFile(name string) (o object.Object, err error) {
	body, err := os.ReadFile(name)
	if err != nil {
		return o, err
	}
	content, err := pack.InflateAll(body, maxObject)
	if err != nil {
		return o, err
	}
	header, data, ok := bytes.Cut(content, []byte{0})
	kind, _, _ := strings.Cut(string(header), " ")
	if !ok {
		return o, errors.New("it has no header")
	}
	o.Kind, err = object.ParseKind(kind)
	o.Data = data
	return o, err
}
