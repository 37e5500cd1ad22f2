package code

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/git/exec"
	"hew/server/git/object"
	"hew/server/tree"
)

// Rebase is a branch whose commits are to be made again on top of a commit.
type Rebase struct {
	Project tree.Project // of the branch
	By      Author       // the committer of the new commits
	Branch  string
	Head    object.ID // where the branch is, as far as the caller knows
	Onto    object.ID // in the repository, see FetchCommits
}

// maxRebased limits the commits of one rebase: each takes a process.
const maxRebased = 1000

// RebaseBranch does what git rebase does: it makes the commits that the branch has and Onto lacks
// again, oldest first, with their authors and messages, and moves the branch, with force. It leaves
// out merges, commits whose change Onto has already, and those that become empty. Commits that need
// no change stay. It returns where the branch is then. The error is Unmergeable if a commit
// conflicts, ErrSourceMoved, a Refused that a rule gives, such as that the branch is protected from
// being forced, or not found if branch or commit is not there.
func RebaseBranch(ctx context.Context, st *db.Store, r Rebase) (head object.ID, err error) {
	err = st.Tx(ctx, func(st *db.Store) error {
		g, err := open(ctx, st, r.Project)
		if err != nil {
			return err
		}
		branch, err := g.holdRef(ctx, st, Heads+r.Branch)
		switch {
		case err != nil:
			return err
		case branch.ID.IsZero():
			return fault.NotFound("Branch")
		case branch.ID != r.Head:
			return ErrSourceMoved
		}
		head, err = g.rebase(ctx, r, branch)
		return err
	})
	return head, err
}

// rebase makes the commits of a rebase and moves its branch, which is locked.
func (g *Git) rebase(ctx context.Context, r Rebase, branch Ref) (head object.ID, err error) {
	h, err := g.History(ctx)
	if err != nil {
		return head, err
	}
	if !h.Has(r.Onto) {
		return head, fault.NotFound("Commit")
	}
	picks, err := g.rebased(ctx, r.Onto, branch.ID)
	if err != nil {
		return head, err
	}
	p := repetition{g: g, by: signatureOf(r.By.User, time.Now()), head: r.Onto}
	if p.root, err = g.treeOf(ctx, r.Onto); err != nil {
		return head, err
	}
	if err := g.merging(ctx, func(d *mergeDir) error {
		for _, id := range picks {
			if err := p.repeat(ctx, d, id); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		return head, err
	}
	if p.head == branch.ID {
		return p.head, nil
	}
	for _, c := range p.commits {
		g.keep(c)
	}
	return p.head, g.advance(ctx, change{Project: r.Project, By: r.By, Commits: p.fresh, Again: true}, branch, p.head)
}

// repetition makes commits again, one after the other.
type repetition struct {
	g       *Git
	by      object.Signature // the committer
	head    object.ID        // the last commit
	root    object.ID        // its tree
	fresh   []freshCommit    // those that were made
	commits []object.Object  // likewise
}

// repeat makes a commit again on top of the last one, unless it is there already or changes nothing
// any more. One that never changed anything is made again.
func (p *repetition) repeat(ctx context.Context, d *mergeDir, id object.ID) error {
	c, err := object.ReadCommit(ctx, p.g, id)
	if err != nil {
		return err
	}
	if len(c.Parents) == 1 && c.Parents[0] == p.head {
		p.head, p.root = id, c.Tree
		return nil
	}
	before, err := p.g.treeBefore(ctx, c.Parents)
	if err != nil {
		return err
	}
	m, err := d.mergeTrees(ctx, before, p.root, c.Tree)
	if m, err = m.clean(err); err != nil {
		return err
	}
	if m.Tree == p.root && c.Tree != before {
		return nil
	}
	again := &object.Commit{
		Tree: m.Tree, Parents: []object.ID{p.head}, Author: c.Author, Committer: p.by, Message: c.Message,
	}
	if c.Encoding != "" { // the committer's name is UTF-8
		again.Author.Name, again.Message = toText(c.Author.Name, c.Encoding), toText(c.Message, c.Encoding)
	}
	o := object.Object{Kind: object.KindCommit, Data: again.Encode()}
	p.head, p.root = o.ID(), m.Tree
	p.fresh, p.commits = append(p.fresh, freshCommit{p.head, again.Parents}), append(p.commits, o)
	return nil
}

// rebased returns the commits that are made again, oldest first.
func (g *Git) rebased(ctx context.Context, onto, head object.ID) (ids []object.ID, err error) {
	command := exec.Command{Args: []string{
		"rev-list", "--reverse", "--topo-order", "--no-merges", "--right-only", "--cherry-pick",
		fmt.Sprintf("--max-count=%d", maxRebased+1), onto.String() + "..." + head.String(),
	}}
	err = g.run(ctx, command, func(r io.Reader) error {
		text, err := io.ReadAll(r)
		if err != nil {
			return err
		}
		for line := range strings.FieldsSeq(string(text)) {
			id, err := object.ParseID(line)
			if err != nil {
				return err
			}
			ids = append(ids, id)
		}
		return nil
	})
	if err == nil && len(ids) > maxRebased {
		err = fault.BadRequest(fmt.Sprintf(
			"the branch has more than %d commits of its own: rebase it in a clone", maxRebased)).In(fault.Text)
	}
	return ids, err
}
