package code

import (
	"context"
	"errors"
	"io"

	"hew/server/fault"
	"hew/server/git/diff"
	"hew/server/git/exec"
	"hew/server/git/object"
)

// maxPathspecs limits the paths that git is given: an operating system bounds arguments.
const maxPathspecs = 500

// DiffOf returns how those files of two commits or trees differ that want chooses, with renames.
// Want is asked about each file that differs, without a patch. One of too many is a fault.
func (g *Git) DiffOf(
	ctx context.Context, from, to object.ID, limits diff.Limits, want func(diff.File) bool,
) (files []diff.File, err error) {
	if from == to {
		return nil, nil
	}
	all, err := g.changedFiles(ctx, from, to)
	if err != nil {
		return nil, err
	}
	command := exec.Command{Args: append(append([]string{}, diff.Args...), from.String(), to.String(), "--")}
	chosen := 0
	for _, f := range all {
		if !want(f) {
			continue
		}
		chosen++
		command.Args = append(command.Args, ":(top,literal)"+f.OldPath)
		if f.NewPath != f.OldPath {
			command.Args = append(command.Args, ":(top,literal)"+f.NewPath)
		}
	}
	switch {
	case chosen == 0:
		return nil, nil
	case chosen > maxPathspecs:
		return g.Diff(ctx, from, to, limits)
	}
	err = g.run(ctx, command, func(r io.Reader) error {
		files, err = diff.Read(r, limits)
		return err
	})
	return files, err
}

// changedFiles returns the files that differ between two commits or trees, without their patches.
func (g *Git) changedFiles(ctx context.Context, from, to object.ID) (files []diff.File, err error) {
	command := exec.Command{Args: append(append([]string{}, diff.NameArgs...), from.String(), to.String())}
	err = g.run(ctx, command, func(r io.Reader) error {
		files, err = diff.Read(r, diff.Limits{})
		return err
	})
	if errors.Is(err, diff.ErrTooMany) {
		err = fault.BadRequest("The difference is too large: " + diff.ErrTooMany.Error() + "; compare smaller ranges")
	}
	return files, err
}
