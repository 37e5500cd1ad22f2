package code

import (
	"bytes"
	"context"
	"errors"
	"io"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/git/diff"
	"hew/server/git/exec"
	"hew/server/git/object"
	"hew/server/setting"
)

// DiffLimits returns the limits that the settings of the instance set for the differences of merge
// requests.
func DiffLimits(ctx context.Context, st *db.Store) (diff.ListLimits, error) {
	s, err := setting.Read(ctx, st)
	return diff.LimitsOf(s.DiffMaxFiles, s.DiffMaxLines, s.DiffMaxPatchBytes), err
}

// errRead ends git when all that is wanted was read.
var errRead = errors.New("no more is needed")

// DiffList returns a window of the files that differ between two commits or trees, with renames, up
// to limits. One process makes the whole difference, so that every window of it costs the same.
func (g *Git) DiffList(
	ctx context.Context, from, to object.ID, limits diff.ListLimits, window diff.Window,
) (list diff.List, err error) {
	command := exec.Command{Args: append(append([]string{}, diff.Args...), from.String(), to.String())}
	err = g.run(ctx, command, func(r io.Reader) error {
		list, err = diff.ReadList(r, limits, window)
		if err == nil && list.Overflow != diff.NoOverflow {
			err = errRead // git need not end
		}
		return err
	})
	switch {
	case errors.Is(err, errRead):
		err = nil
	case errors.Is(err, diff.ErrTooMany):
		err = fault.BadRequest("The difference is too large: " + diff.ErrTooMany.Error() + "; compare smaller ranges")
	}
	return list, err
}

// textArgs are the arguments of git for a difference as people and patch programs read it. The two
// commits follow.
var textArgs = []string{
	"diff-tree", "-r", "-M", "-p", "--full-index", "--no-color", "--no-ext-diff", "--no-textconv", "--end-of-options",
}

// WriteDiff writes the difference between two commits or trees as git prints it, of any size.
func (g *Git) WriteDiff(ctx context.Context, from, to object.ID, w io.Writer) error {
	command := exec.Command{Args: append(append([]string{}, textArgs...), from.String(), to.String())}
	return g.run(ctx, command, func(r io.Reader) error {
		_, err := io.Copy(w, r)
		return err
	})
}

// PatchID returns what git patch-id --stable says about the difference between two commits: it is
// the same for the same changes in other places of a file or of history. It is zero if nothing
// differs. For what a request changes, base is the merge base of target and source.
func (g *Git) PatchID(ctx context.Context, base, head object.ID) (id object.ID, err error) {
	command := exec.Command{Args: append(append([]string{}, textArgs...), base.String(), head.String())}
	err = g.run(ctx, command, func(r io.Reader) error {
		out, err := g.storage.git.Output(ctx, exec.Command{
			Args: []string{"patch-id", "--stable"}, Stdin: r, Timeout: readTimeout,
		}, 1<<10)
		if err != nil {
			return err
		}
		if text, _, ok := bytes.Cut(out, []byte(" ")); ok {
			id, err = object.ParseID(string(text))
		}
		return err
	})
	return id, err
}
