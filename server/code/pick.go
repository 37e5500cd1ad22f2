package code

import (
	"context"
	"fmt"
	"strings"
	"time"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/git/object"
	"hew/server/tree"
)

// Pick is a commit to be applied to a branch once more, or to be reverted there.
type Pick struct {
	Project tree.Project
	By      Author
	Branch  string
	Commit  object.ID
	Message string // "": the usual one
	Revert  bool
	DryRun  bool // nothing is stored
}

// verb returns what is done to the commit, as texts say it, and in the past.
func (p Pick) verb() (now, past string) {
	if p.Revert {
		return "revert", "reverted"
	}
	return "cherry-pick", "cherry-picked"
}

// refuse returns the fault of a commit that cannot be applied (gaps §9.1).
func (p Pick) refuse(code string) error {
	now, past := p.verb()
	text := fmt.Sprintf("Sorry, we cannot %s this commit automatically. This commit may already have been %s, "+
		"or a more recent commit may have updated some of its content.", now, past)
	return fault.BadRequest(text).In(fault.Text).WithErrorCode(code)
}

// PickCommit applies the changes of a commit to a branch, or takes them back, as a new commit. Of a
// merge, these are the changes against its first parent. In a dry run it returns no commit. It
// returns 404 if the branch or commit does not exist, 400 if the changes do not apply or change
// nothing, and 403 if a rule forbids it.
func PickCommit(ctx context.Context, st *db.Store, p Pick) (made Commit, err error) {
	err = st.Tx(ctx, func(st *db.Store) error {
		g, err := open(ctx, st, p.Project)
		if err != nil {
			return err
		}
		branch, err := g.holdRef(ctx, st, Heads+p.Branch)
		if err != nil {
			return err
		}
		if branch.ID.IsZero() {
			return fault.NotFound("Branch")
		}
		if err := g.admitPush(ctx, p.Project, p.By, p.Branch); err != nil {
			return err
		}
		c, err := g.applyPick(ctx, p, branch.ID)
		if err != nil || p.DryRun {
			return err
		}
		made, err = g.commit(ctx, p.Project, p.By, branch, c)
		return err
	})
	return made, err
}

// applyPick returns the commit that is made on top of another one.
func (g *Git) applyPick(ctx context.Context, p Pick, on object.ID) (*object.Commit, error) {
	if _, err := g.FindCommit(ctx, "Commit", p.Commit); err != nil { // garbage may have been collected
		return nil, err
	}
	picked, err := object.ReadCommit(ctx, g, p.Commit)
	if err != nil {
		return nil, err
	}
	before, err := g.treeBefore(ctx, picked.Parents)
	if err != nil {
		return nil, err
	}
	after := picked.Tree
	if p.Revert {
		before, after = after, before
	}
	ours, err := g.treeOf(ctx, on)
	if err != nil {
		return nil, err
	}
	merged, err := g.mergeTrees(ctx, before, ours, after)
	switch {
	case fault.CodeOf(err) == fault.CodeConflict:
		return nil, p.refuse("conflict")
	case err != nil:
		return nil, err
	case len(merged.Conflicts) > 0:
		return nil, p.refuse("conflict")
	case merged.Tree == ours:
		return nil, p.refuse("empty")
	}
	now := signatureOf(p.By.User, time.Now())
	c := &object.Commit{
		Tree: merged.Tree, Parents: []object.ID{on}, Author: now, Committer: now,
		Message: p.message(rowOf(p.Commit, picked)),
	}
	if !p.Revert {
		c.Author = picked.Author
	}
	return c, nil
}

// message returns the message of the new commit.
func (p Pick) message(picked Commit) string {
	switch {
	case p.Message != "":
		return p.Message
	case p.Revert:
		return fmt.Sprintf("Revert \"%s\"\n\nThis reverts commit %s", picked.Title(), picked.ID)
	}
	return fmt.Sprintf("%s\n\n(cherry picked from commit %s)", strings.TrimRight(picked.Message, "\n"), picked.ID)
}

// admitPush returns a fault unless the author may push to a branch.
func (g *Git) admitPush(ctx context.Context, p tree.Project, by Author, branch string) error {
	may, err := g.MayPush(ctx, p, by, branch)
	if err == nil && !may {
		err = fault.Forbidden("You are not allowed to push into this branch")
	}
	return err
}

// MayPush reports whether the rules of a project let somebody push to a branch.
func (g *Git) MayPush(ctx context.Context, p tree.Project, by Author, branch string) (bool, error) {
	protection, err := g.readProtection(ctx, p, by.Pusher)
	return err == nil && protection.MayPush(branch), err
}
