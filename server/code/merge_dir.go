package code

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"hew/server/git/exec"
	"hew/server/git/object"
	"hew/server/git/pack"
)

// mergeDir is an object directory for merges, beside the objects of a copy.
type mergeDir struct {
	git       *exec.Git
	copy, dir string
	others    string // the object directories of the copy and of the open transaction
}

// merge has git merge two commits.
func (d *mergeDir) merge(ctx context.Context, ours, theirs object.ID) (m Merge, err error) {
	out, err := d.git.Output(ctx, exec.Command{
		Dir: d.copy, Timeout: readTimeout, Env: []string{
			"GIT_OBJECT_DIRECTORY=" + d.dir, alternates + d.others,
		},
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
	return m, nil
}

// mergeTrees applies what changed between the trees base and theirs to the tree ours. git 2.39
// merges commits only, and finds the base itself: it gets three that say what is wanted.
func (d *mergeDir) mergeTrees(ctx context.Context, base, ours, theirs object.ID) (m Merge, err error) {
	if m, ok := trivialMerge(base, ours, theirs); ok {
		return m, nil
	}
	root, err := d.writeCommit(&object.Commit{Tree: base})
	if err != nil {
		return m, err
	}
	a, err := d.writeCommit(&object.Commit{Tree: ours, Parents: []object.ID{root}})
	if err != nil {
		return m, err
	}
	b, err := d.writeCommit(&object.Commit{Tree: theirs, Parents: []object.ID{root}, Message: "theirs"})
	if err != nil {
		return m, err
	}
	return d.merge(ctx, a, b)
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
