package code

import (
	"context"
	"errors"
	"fmt"

	"hew/server/codeowners"
	"hew/server/git/object"
	gittree "hew/server/git/tree"
)

// CodeOwners returns the CODEOWNERS file of a commit, or nil if it has none. The error is
// codeowners.ErrTooLarge if the file is beyond the limits of that package.
func (g *Git) CodeOwners(ctx context.Context, commit object.ID) (*codeowners.File, error) {
	root, err := g.treeOf(ctx, commit)
	if err != nil {
		return nil, err
	}
	for _, path := range codeowners.Paths {
		e, err := gittree.Lookup(ctx, g, root, path)
		if isMissing(err) || err == nil && (e.Mode.Kind() != object.KindBlob || e.Mode == object.ModeSymlink) {
			continue
		}
		if err != nil {
			return nil, err
		}
		size, err := g.Size(ctx, e.ID)
		if err != nil {
			return nil, err
		}
		if size > codeowners.MaxSize {
			return nil, codeowners.ErrTooLarge
		}
		text, err := g.Blob(ctx, e.ID)
		if err != nil {
			return nil, err
		}
		return codeowners.Parse(string(text))
	}
	return nil, nil
}

// checkOwners returns Refused if an update of a branch changes a file that has code owners, whose
// approval the branch requires. The owners are those of the branch before the update. If its file
// was too large, from a time when the branch was not protected, they are those of the new one.
func (r *rules) checkOwners(ctx context.Context, branch string, u Update) error {
	if !r.protection.NeedsCodeOwners(branch) {
		return nil
	}
	next, err := r.g.CodeOwners(ctx, u.commit)
	if errors.Is(err, codeowners.ErrTooLarge) {
		return Refused{Text: fmt.Sprintf("CODEOWNERS is too large: the limits are %d bytes and %d rules. "+
			"Make it shorter and push again.", codeowners.MaxSize, codeowners.MaxRules)}
	}
	if err != nil {
		return err
	}
	owners, err := r.g.CodeOwners(ctx, u.Old)
	if errors.Is(err, codeowners.ErrTooLarge) {
		owners, err = next, nil
	}
	if err != nil || owners == nil {
		return err
	}
	before, err := r.g.treeOf(ctx, u.Old)
	if err != nil {
		return err
	}
	after, err := r.g.treeOf(ctx, u.commit)
	if err != nil {
		return err
	}
	for change, err := range gittree.Diff(ctx, r.g, before, after) {
		if err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		for _, m := range owners.Match(change.Path) {
			if len(m.Rule.Owners) > 0 && !m.Section.Optional {
				return Refused{Text: fmt.Sprintf("Pushes to protected branches that contain changes "+
					"to files that match CODEOWNERS are disabled for this project. Please submit these changes via a "+
					"merge request. The pattern %q was matched by %q.", m.Rule.Pattern, change.Path)}
			}
		}
	}
	return nil
}
