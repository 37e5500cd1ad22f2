package merge

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"hew/server/code"
	"hew/server/db"
	"hew/server/event"
	"hew/server/fault"
	"hew/server/git/object"
	"hew/server/tree"
	"hew/server/work"
)

// Acceptance is how somebody wants a merge request to be merged.
type Acceptance struct {
	By            code.Author
	Base          string      // the address of the server
	Viewer        work.Viewer // By, as who sees issues
	Head          *object.ID  // that the source branch has to have; nil: any
	Message       string      // of the merge commit; "": the template of the project
	SquashMessage string      // likewise, of the squash commit
	Squash        *bool       // nil: as the merge request says
	RemoveSource  *bool       // nil: as the merge request says
}

// Reasons why a merge request is not merged now (gaps §7.1). What the branch's protection says is
// a code.Refused.
var (
	errNotNow    = fault.NotAllowed("405 Method Not Allowed")
	errNotClean  = fault.Unprocessable("Branch cannot be merged")
	errNotPusher = fault.Unauthorized()
)

// headMoved returns the fault of a head that is not the one that was asked for.
func headMoved(head object.ID) error {
	return fault.Conflict("SHA does not match HEAD of source branch: " + head.String()).In(fault.Text)
}

// Accept merges a merge request into the branch that it is for, and returns it. Refs, rows, events
// and jobs are of one transaction. The order of its checks is that of gaps §7.1: 401 if the caller
// may not merge into the branch, 405 if something is to be done first, 422 if git cannot merge it,
// 409 if the source branch has another head than the one asked for.
func Accept(ctx context.Context, st *db.Store, p tree.Project, id int64, a Acceptance) (r Request, err error) {
	if r, err = Requests(st, p.ID).One(ctx, db.ByID(id)); err != nil {
		return r, err
	}
	if err := mayMerge(ctx, st, p, a.By, r.TargetBranch); err != nil {
		return r, err
	}
	if r, err = Check(ctx, st, p, r); err != nil {
		return r, err
	}
	if err := a.admits(ctx, st, r); err != nil {
		return r, err
	}
	err = st.Tx(ctx, func(st *db.Store) error {
		r, err = a.land(ctx, st, p, r)
		return err
	})
	var unmergeable code.Unmergeable
	if errors.As(err, &unmergeable) || errors.Is(err, code.ErrNothingToMerge) || errors.Is(err, code.ErrNeedRebase) {
		return r, errNotClean // a push came in between
	}
	if errors.Is(err, code.ErrSourceMoved) {
		return r, headMoved(r.Head)
	}
	return r, err
}

// mayMerge returns a fault unless somebody may merge into a branch.
func mayMerge(ctx context.Context, st *db.Store, p tree.Project, by code.Author, branch string) error {
	ok, err := MayMerge(ctx, st, p, by, branch)
	if err == nil && !ok {
		err = errNotPusher
	}
	return err
}

// admits returns a fault unless the merge request can be merged now, as asked.
func (a Acceptance) admits(ctx context.Context, st *db.Store, r Request) error {
	if !r.IsOpen() { // what git can do is not found out any more
		return notMergeable{NotOpen, errNotNow}
	}
	statuses, err := Statuses(ctx, st, []Request{r})
	if err != nil {
		return err
	}
	switch status := statuses[r.ID]; status {
	case Mergeable:
	case Conflicts, NoCommits, NeedsRebase, IsUnchecked, IsChecking:
		return notMergeable{status, errNotClean}
	default:
		return notMergeable{status, errNotNow}
	}
	if a.Head != nil && *a.Head != r.Head {
		return headMoved(r.Head)
	}
	return nil
}

// land merges r. Branches are locked before the merge request, as pushes do, so it is read again
// when the branch has moved.
func (a Acceptance) land(ctx context.Context, st *db.Store, p tree.Project, r Request) (Request, error) {
	source, err := tree.FindProject(ctx, st, db.OrZero(r.SourceProjectID))
	if err != nil {
		return r, err
	}
	landing, err := a.landing(ctx, st, p, source, r)
	if err != nil {
		return r, err
	}
	done, err := code.Land(ctx, st, landing)
	if err != nil {
		return r, err
	}
	var before Request
	merged, err := Requests(st, p.ID).Change(ctx, db.ByID(r.ID), func(st *db.Store, now *Request) error {
		if now.State != Opened || now.Head != r.Head || now.TargetBranch != r.TargetBranch {
			return errNotNow
		}
		// the branches as they were: this transaction has merged them
		now.SourceHead, now.TargetHead, now.CheckedTarget = r.SourceHead, r.TargetHead, r.TargetHead
		before = now.clone()
		if err := a.admits(ctx, st, *now); err != nil {
			return err
		}
		now.merged(done, a.By.User)
		now.ShouldRemove = a.RemoveSource
		now.Squash = landing.Squash
		return nil
	})
	if err != nil {
		return r, err
	}
	if err := storeMerged(ctx, st, merged); err != nil {
		return r, err
	}
	if err := a.closeIssues(ctx, st, p, merged); err != nil {
		return r, err
	}
	err = event.Emit(ctx, st, Changed{Project: p, Before: before, Request: merged, Action: Merging, By: a.By.User})
	if err != nil {
		return r, err
	}
	if merged.removesSource() {
		err = removeSource(ctx, st, source, p, a.By, merged)
	}
	return merged, err
}

// merged sets what a landing has made of a merge request.
func (r *Request) merged(done code.Landed, by tree.User) {
	r.State, r.MergeStatus, r.MergeError = Merged, CanBeMerged, nil
	r.MergeCommit, r.SquashCommit, r.MergedHead = done.Merge, done.Squash, done.Head
	r.MergedAt, r.MergedByID = new(time.Now().Truncate(time.Millisecond)), &by.ID
}

// removesSource reports whether the source branch goes after the merge: the author asked for it, or
// the merge did.
func (r Request) removesSource() bool {
	return r.RemoveSource || r.ShouldRemove != nil && *r.ShouldRemove
}

// landing returns what git has to do.
func (a Acceptance) landing(
	ctx context.Context, st *db.Store, p, source tree.Project, r Request,
) (l code.Landing, err error) {
	l = code.Landing{
		Project: p, By: a.By, Branch: r.TargetBranch, Source: r.Head, Method: code.MergeMethod(p.Settings.MergeMethod),
		Message: a.Message, SquashMessage: a.SquashMessage, SquashAuthor: a.By.User,
		From: &code.BranchOf{Project: source, Branch: r.SourceBranch},
	}
	l.Squash = squashes(p.Settings.SquashOption, a.Squash, r.Squash)
	if r.AuthorID != nil && l.Squash {
		if l.SquashAuthor, err = tree.FindUser(ctx, st, *r.AuthorID); err != nil {
			return l, err
		}
	}
	t := texts{project: p, source: source, request: r, acceptance: a}
	if l.Message == "" && l.Method != code.FastForward {
		if l.Message, err = t.expand(ctx, st, p.Settings.MergeCommitTemplate, defaultMergeMessage); err != nil {
			return l, err
		}
	}
	if l.SquashMessage == "" && l.Squash {
		l.SquashMessage, err = t.expand(ctx, st, p.Settings.SquashCommitTemplate, defaultSquashMessage)
	}
	return l, err
}

// squashes reports whether the commits become one: what the merge or else the merge request asks
// for, where the project leaves it open (more §6.2).
func squashes(option string, asked *bool, wanted bool) bool {
	switch {
	case option == "never":
		return false
	case option == "always":
		return true
	case asked != nil:
		return *asked
	}
	return wanted
}

// closeIssues closes the issues that the texts and the commits of a merged request say it closes,
// where it was merged into the default branch (more §6.2).
func (a Acceptance) closeIssues(ctx context.Context, st *db.Store, p tree.Project, r Request) error {
	if r.TargetBranch != p.Head || !p.Settings.AutocloseReferencedIssues {
		return nil
	}
	at := work.Place{Base: a.Base, Path: p.FullPath}
	refs, err := closingReferences(ctx, st, p, r)
	if err != nil {
		return err
	}
	list, err := a.Viewer.ReferredIssues(ctx, st, at, refs)
	if err != nil {
		return err
	}
	// in one order, so that two merges that close the same do not wait for each other
	slices.SortFunc(list, func(a, b work.Issue) int { return cmp.Compare(a.ID, b.ID) })
	var closed, others []int64
	for _, i := range list {
		changed, err := work.CloseReferred(ctx, st, p, a.By.User, i)
		switch {
		case err != nil:
			return err
		case changed:
			closed = append(closed, i.ID)
		default:
			others = append(others, i.ID)
		}
	}
	return work.NoteClosingRequest(ctx, st, r.ID, closed, others)
}
