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
	"hew/server/git/exec"
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
func (g *Git) MergeCommits(ctx context.Context, ours, theirs object.ID) (Merge, error) {
	return g.merge(ctx, func(*mergeDir) (a, b object.ID, err error) { return ours, theirs, nil })
}

// mergeTrees applies what changed between the trees base and theirs to the tree ours. It keeps new
// objects as MergeCommits does.
func (g *Git) mergeTrees(ctx context.Context, base, ours, theirs object.ID) (Merge, error) {
	switch {
	case ours == base:
		return Merge{Tree: theirs}, nil
	case theirs == base, theirs == ours:
		return Merge{Tree: ours}, nil
	}
	// git 2.39 merges commits only, and finds the base itself: give it three that say what we want.
	return g.merge(ctx, func(d *mergeDir) (a, b object.ID, err error) {
		root, err := d.writeCommit(&object.Commit{Tree: base})
		if err != nil {
			return a, b, err
		}
		if a, err = d.writeCommit(&object.Commit{Tree: ours, Parents: []object.ID{root}}); err != nil {
			return a, b, err
		}
		b, err = d.writeCommit(&object.Commit{Tree: theirs, Parents: []object.ID{root}, Message: "theirs"})
		return a, b, err
	})
}

// merge has git merge the two commits that find returns.
func (g *Git) merge(
	ctx context.Context, find func(*mergeDir) (ours, theirs object.ID, err error),
) (m Merge, err error) {
	if g.storage.git == nil {
		return m, errNoGit
	}
	c, err := g.lend(ctx)
	if err != nil {
		return m, err
	}
	defer c.giveBack()
	dir, err := os.MkdirTemp(c.dir, "merging-")
	if err != nil {
		return m, err
	}
	d := &mergeDir{dir: dir, objects: filepath.Join(c.dir, "objects")}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	for _, o := range g.made { // what is merged may not be stored yet
		if err := d.write(o); err != nil {
			return m, err
		}
	}
	ours, theirs, err := find(d)
	if err != nil {
		return m, err
	}
	out, err := g.storage.git.Output(ctx, exec.Command{
		Dir: c.dir, Env: d.env(), Timeout: readTimeout,
		Args: []string{
			"merge-tree", "--write-tree", "-z", "--name-only", "--no-messages", ours.String(), theirs.String(),
		},
	}, maxConflicts)
	switch code := exec.ExitCode(err); {
	case exec.Crashed(err):
		return m, fmt.Errorf("%w: %w", errCannotMerge, err)
	case code != 0 && code != 1:
		return m, err
	}
	clean := err == nil
	if m, err = readMerge(out); err != nil {
		return m, err
	}
	if !clean && len(m.Conflicts) == 0 {
		return m, errCannotMerge // git names no file
	}
	return m, g.keepAll(dir)
}

// readMerge reads the tree and the paths in conflict. Each ends with a NUL.
func readMerge(out []byte) (m Merge, err error) {
	tree, rest, _ := strings.Cut(string(out), "\x00")
	if m.Tree, err = object.ParseID(tree); err != nil {
		return m, fmt.Errorf("git merge-tree: its answer begins with %.60q: %w", tree, err)
	}
	if rest = strings.TrimRight(rest, "\x00"); rest != "" {
		m.Conflicts = strings.Split(rest, "\x00")
	}
	return m, nil
}

// mergeDir is an object directory for one merge, beside the objects of a copy.
type mergeDir struct{ dir, objects string }

func (d *mergeDir) env() []string {
	return []string{"GIT_OBJECT_DIRECTORY=" + d.dir, "GIT_ALTERNATE_OBJECT_DIRECTORIES=" + d.objects}
}

// writeCommit writes a commit that exists for this merge only.
func (d *mergeDir) writeCommit(c *object.Commit) (object.ID, error) {
	o := object.Object{Kind: object.KindCommit, Data: c.Encode()}
	return o.ID(), d.write(o)
}

// write writes an object as git does: a file whose name is the id.
func (d *mergeDir) write(o object.Object) error {
	id := o.ID().String()
	if err := os.MkdirAll(filepath.Join(d.dir, id[:2]), 0o700); err != nil {
		return err
	}
	content := append(object.AppendHeader(nil, o.Kind, int64(len(o.Data))), o.Data...)
	return os.WriteFile(filepath.Join(d.dir, id[:2], id[2:]), pack.Deflate(nil, content), 0o600)
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
