package code

import (
	"context"
	"errors"
	"strings"
	"time"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/git/object"
	"hew/server/tree"
)

// MergeMethod is how a request is merged (spec 1, the project setting merge_method).
type MergeMethod string

// The methods.
const (
	MergeCommit MergeMethod = "merge"        // always a merge commit
	RebaseMerge MergeMethod = "rebase_merge" // a merge commit, where the target could be moved forward
	FastForward MergeMethod = "ff"           // no merge commit: the target is moved forward
)

// Landing is a source commit that is to be merged into a branch.
type Landing struct {
	Project tree.Project // of the target branch; it has the commit, see FetchCommits
	By      Author       // who merges
	Branch  string       // the target branch
	Source  object.ID    // the head of the source branch, as the request was reviewed
	Method  MergeMethod
	Message string // of the merge commit

	Squash        bool // the commits of the source become one
	SquashMessage string
	SquashAuthor  tree.User // who made the request; the committer is By

	From *BranchOf // the source branch, which must point to Source still; nil: it is not looked at
}

// BranchOf is a branch of a project, which can be another one than that of the change.
type BranchOf struct {
	Project tree.Project
	Branch  string
}

// Landed is what a landing made.
type Landed struct {
	Head   object.ID // where the target branch points now
	Before object.ID // where it pointed before
	Merge  object.ID // the merge commit; zero: none
	Squash object.ID // the commit that the source became, or its only one if that was kept; zero: no squash
}

// Land merges a source commit into a branch. It locks the branch first, so that pushes and other
// landings wait, and moves it as a push does: by the rules, with an event, but who may merge
// decides instead of who may push. The error is Unmergeable if the changes conflict, ErrNeedRebase
// if the method cannot merge it as it is, ErrSourceMoved, ErrNothingToMerge, a Refused that a rule
// gives, or not found if the branch or commit is not there. An error leaves nothing behind when
// the transaction, or a savepoint around the call, is rolled back.
func Land(ctx context.Context, st *db.Store, l Landing) (done Landed, err error) {
	err = st.Tx(ctx, func(st *db.Store) error {
		g, err := open(ctx, st, l.Project)
		if err != nil {
			return err
		}
		branch, err := g.holdLanding(ctx, l)
		if err != nil {
			return err
		}
		done, err = g.land(ctx, l, branch)
		return err
	})
	return done, err
}

// HoldBranches locks the branches of a landing, for callers that lock other things before they
// land it. It does nothing about branches that are not there or have moved.
func HoldBranches(ctx context.Context, st *db.Store, l Landing) error {
	g, err := open(ctx, st, l.Project)
	if err != nil {
		return err
	}
	if _, err = g.holdLanding(ctx, l); errors.Is(err, ErrSourceMoved) {
		return nil
	}
	return fault.IgnoreNotFound(err)
}

// holdLanding locks the target branch and, before or after it, the source branch: transactions lock
// branches of a pair in one order.
func (g *Git) holdLanding(ctx context.Context, l Landing) (target Ref, err error) {
	hold := func() error {
		if target, err = g.holdRef(ctx, g.st, Heads+l.Branch); err == nil && target.ID.IsZero() {
			err = fault.NotFound("Branch")
		}
		return err
	}
	if l.From == nil {
		return target, hold()
	}
	source, err := FindRepository(ctx, g.st, SourceOf(l.From.Project))
	if err != nil {
		return target, err
	}
	name := Heads + l.From.Branch
	first := source.ID < g.ID || source.ID == g.ID && name < target.Name
	check := func() error {
		ref, err := source.holdRef(ctx, g.st, name)
		if err == nil && ref.ID != l.Source {
			err = ErrSourceMoved
		}
		return err
	}
	steps := []func() error{hold, check}
	if first {
		steps = []func() error{check, hold}
	}
	for _, step := range steps {
		if err := step(); err != nil {
			return target, err
		}
	}
	return target, nil
}

// land makes the commits of a landing and moves its branch, which is locked.
func (g *Git) land(ctx context.Context, l Landing, branch Ref) (done Landed, err error) {
	h, err := g.History(ctx)
	if err != nil {
		return done, err
	}
	switch {
	case !h.Has(l.Source):
		return done, fault.NotFound("Commit")
	case h.IsAncestor(l.Source, branch.ID):
		return done, ErrNothingToMerge
	case l.Method != MergeCommit && !h.IsAncestor(branch.ID, l.Source):
		return done, ErrNeedRebase
	}
	if strings.ContainsRune(l.Message+l.SquashMessage, 0) {
		return done, refuse("the commit message contains a NUL")
	}
	done = Landed{Before: branch.ID, Head: l.Source}
	var fresh []freshCommit
	add := func(c *object.Commit) object.ID {
		id := g.keep(object.Object{Kind: object.KindCommit, Data: c.Encode()})
		fresh = append(fresh, freshCommit{id, c.Parents})
		return id
	}
	root, err := g.landedTree(ctx, h, branch.ID, l.Source)
	if err != nil {
		return done, err
	}
	now := time.Now()
	by := signatureOf(l.By.User, now)
	if l.Squash {
		if done.Squash, err = g.onlyCommit(ctx, l, branch.ID); err != nil {
			return done, err
		}
		if done.Squash.IsZero() {
			done.Squash = add(&object.Commit{
				Tree: root, Parents: []object.ID{branch.ID}, Message: l.SquashMessage,
				Author: signatureOf(l.SquashAuthor, now), Committer: by,
			})
		}
		done.Head = done.Squash
	}
	if l.Method != FastForward {
		done.Merge = add(&object.Commit{
			Tree: root, Parents: []object.ID{branch.ID, done.Head}, Message: l.Message, Author: by, Committer: by,
		})
		done.Head = done.Merge
	}
	c := change{Project: l.Project, By: l.By, Commits: fresh, Merge: true, Again: true}
	return done, g.advance(ctx, c, branch, done.Head)
}

// landedTree returns the tree of a source merged into a target.
func (g *Git) landedTree(ctx context.Context, h *History, target, source object.ID) (object.ID, error) {
	if h.IsAncestor(target, source) {
		return g.treeOf(ctx, source)
	}
	m, err := g.TestMerge(ctx, target, source)
	return m.Tree, err
}

// TestMerge merges theirs into ours without writing anything. The error is Unmergeable if they
// conflict.
func (g *Git) TestMerge(ctx context.Context, ours, theirs object.ID) (Merge, error) {
	m, err := g.MergeCommits(ctx, ours, theirs)
	return m.clean(err)
}

// onlyCommit returns the source if it is one commit that has the message of the squash already,
// else zero.
func (g *Git) onlyCommit(ctx context.Context, l Landing, target object.ID) (id object.ID, err error) {
	commits, err := g.Log(ctx, LogFilter{From: []object.ID{l.Source}, Not: []object.ID{target}, Limit: 2})
	if err != nil || len(commits) != 1 || len(commits[0].Parents) > 1 {
		return id, err
	}
	if strings.TrimSpace(commits[0].Message) == strings.TrimSpace(l.SquashMessage) {
		id = commits[0].ID
	}
	return id, nil
}

// advance stores what was made and moves a branch, which is locked, to a commit.
func (g *Git) advance(ctx context.Context, c change, branch Ref, to object.ID) error {
	if err := g.storeMade(ctx); err != nil {
		return err
	}
	c.Updates = []Update{{Ref: branch.Name, Old: branch.ID, New: to, commit: to}}
	results, err := g.push(ctx, c)
	if err == nil && results[0] != "" {
		err = fault.Conflict(results[0]).In(fault.Text)
	}
	return err
}
