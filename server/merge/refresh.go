package merge

import (
	"context"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"hew/server/code"
	"hew/server/db"
	"hew/server/event"
	"hew/server/fault"
	"hew/server/git/object"
	"hew/server/jobs"
	"hew/server/tree"
	"hew/server/work"
)

// What a push means for open merge requests is found by a job: a push does not wait for their
// diffs. Nothing depends on how soon it runs: a merge looks at the branches themselves, and takes
// only the head that the merge request was reviewed with.

// branchPushed asks to look at the open merge requests from and into a branch.
type branchPushed struct {
	ProjectID int64  `json:"project_id"`
	Branch    string `json:"branch"`
	UserID    int64  `json:"user_id"` // who pushed; 0: a deploy key
}

// Kind implements jobs.Args.
func (branchPushed) Kind() string { return "refresh_merge_requests" }

// onPushed enqueues a job for each of the branches that changed and have open merge requests.
func onPushed(ctx context.Context, st *db.Store, e code.Pushed) error {
	var branches []string
	for _, c := range e.Changes {
		if name, ok := strings.CutPrefix(c.Ref, code.Heads); ok && !c.After.IsZero() {
			branches = append(branches, name)
		}
	}
	if len(branches) == 0 {
		return nil
	}
	concerned, err := db.Values[string](ctx, st, `
		select b from unnest(@branches::text[]) b
		where exists (select from merge_requests t
				where t.source_project_id = @project and t.source_branch = b and t.state = 'opened')
			or exists (select from merge_requests t
				where t.project_id = @project and t.target_branch = b and t.state = 'opened')`,
		pgx.NamedArgs{"project": e.Project.ID, "branches": branches})
	if err != nil {
		return err
	}
	var due []jobs.Args
	for _, b := range concerned {
		due = append(due, branchPushed{ProjectID: e.Project.ID, Branch: b, UserID: e.By.User.ID})
	}
	return jobs.Enqueue(ctx, st, due...)
}

// refreshBranch gives merge requests from a branch a new version, and marks those into it as merged
// whose commits it has.
func (m referrer) refreshBranch(ctx context.Context, st *db.Store, j branchPushed) error {
	var by tree.User
	if j.UserID != 0 {
		var err error
		if by, err = tree.FindUser(ctx, st, j.UserID); fault.IgnoreNotFound(err) != nil {
			return err
		}
	}
	for _, step := range []struct {
		condition string
		do        func(context.Context, *db.Store, int64, tree.User) error
	}{
		{`source_project_id = @project and source_branch = @branch`, Refresh},
		{`project_id = @project and target_branch = @branch`, m.findMerged},
	} {
		for last := int64(0); ; {
			ids, err := db.Values[int64](ctx, st, `
				select id from merge_requests where state = 'opened' and id > @last and `+step.condition+`
				order by id limit 100`,
				pgx.NamedArgs{"project": j.ProjectID, "branch": j.Branch, "last": last})
			if err != nil {
				return err
			}
			for _, id := range ids {
				if err := step.do(ctx, st, id, by); fault.IgnoreNotFound(err) != nil {
					return err
				}
				last = id
			}
			if len(ids) == 0 {
				break
			}
		}
	}
	return nil
}

// Refresh gives an open merge request a new version if its source branch has moved. By is who
// pushed, or the zero value.
func Refresh(ctx context.Context, st *db.Store, id int64, by tree.User) error {
	r, source, target, err := withProjects(ctx, st, id)
	if err != nil || !r.IsOpen() || r.SourceHead.IsZero() || r.SourceHead == r.Head {
		return err
	}
	if source.ID != target.ID {
		if err := code.FetchCommits(ctx, st, target, source, r.SourceHead); err != nil {
			return err
		}
	}
	return st.Tx(ctx, func(st *db.Store) error {
		var before Request
		var draft object.ID
		var lost Reset
		r, err := Requests(st, target.ID).Change(ctx, db.ByID(id), func(st *db.Store, r *Request) (err error) {
			before = r.clone()
			if r.State != Opened || r.SourceHead == r.Head {
				return nil
			}
			if lost, err = renew(ctx, st, source, target, r); err != nil {
				return err
			}
			draft, err = r.draftBy(ctx, st, target, before)
			return err
		})
		if err != nil || r.Head == before.Head {
			return err
		}
		err = event.Emit(ctx, st, Changed{
			Project: target, Before: before, Request: r, Action: Updating, By: by, OldHead: before.Head,
			DraftCommit: draft,
		})
		if err != nil {
			return err
		}
		if err := lost.emit(ctx, st, target, r, by); err != nil {
			return err
		}
		return jobs.Enqueue(ctx, st, Recheck{RequestID: id})
	})
}

// withProjects returns a merge request with its source and target projects.
func withProjects(ctx context.Context, st *db.Store, id int64) (r Request, source, target tree.Project, err error) {
	byID, err := RequestsByID(ctx, st, []int64{id})
	r, ok := byID[id]
	if err == nil && !ok {
		err = fault.NotFound("Merge Request")
	}
	if err != nil {
		return r, source, target, err
	}
	if target, err = tree.FindProject(ctx, st, r.ProjectID); err != nil || !r.FromFork() {
		return r, target, target, err
	}
	source, err = tree.FindProject(ctx, st, db.OrZero(r.SourceProjectID))
	return r, source, target, err
}

// renew gives a merge request the version that its branches have now. It returns which approvals it
// loses by that.
func renew(ctx context.Context, st *db.Store, source, target tree.Project, r *Request) (lost Reset, err error) {
	before, _, err := LastVersion(ctx, st, *r)
	if err != nil {
		return lost, err
	}
	v, err := readVersion(ctx, st, source, target, *r)
	if err != nil {
		return lost, err
	}
	v.into(r)
	r.MergeStatus = Unchecked
	if err := v.store(ctx, st, target, *r); err != nil {
		return lost, err
	}
	if lost, err = ResetApprovals(ctx, st, target, *r, before, v); err != nil {
		return lost, err
	}
	return lost, keepHead(ctx, st, target, *r)
}

// keepHead keeps the commits of a merge request in the target project.
func keepHead(ctx context.Context, st *db.Store, target tree.Project, r Request) error {
	return code.SetHiddenRefs(ctx, st, target, map[string]object.ID{
		r.HeadRef(): r.Head, code.KeepAround + r.Head.String(): r.Head,
	})
}

// findMerged marks an open merge request as merged if somebody pushed its commits to the target
// branch, and closes the issues that it says it closes.
func (m referrer) findMerged(ctx context.Context, st *db.Store, id int64, by tree.User) error {
	r, _, target, err := withProjects(ctx, st, id)
	if err != nil || !r.IsOpen() || r.Head == r.Base || r.TargetHead.IsZero() {
		return err
	}
	g, err := code.Open(ctx, st, target)
	if err != nil {
		return err
	}
	merged, err := g.IsAncestor(ctx, r.Head, r.TargetHead)
	if err != nil || !merged {
		return err
	}
	return st.Tx(ctx, func(st *db.Store) error {
		var before Request
		now, err := Requests(st, target.ID).Change(ctx, db.ByID(id), func(_ *db.Store, now *Request) error {
			if before = now.clone(); now.State != Opened || now.Head != r.Head {
				return nil
			}
			now.State, now.MergeStatus, now.MergeError = Merged, CanBeMerged, nil
			now.MergedHead, now.MergedAt = r.TargetHead, new(time.Now().Truncate(time.Millisecond))
			if by.ID != 0 {
				now.MergedByID = &by.ID
			}
			return nil
		})
		if err != nil || now.State == before.State {
			return err
		}
		if err := storeMerged(ctx, st, now); err != nil {
			return err
		}
		if by.ID != 0 { // a deploy key sees no issues
			closing := Acceptance{By: code.Author{User: by}, Base: m.base, Viewer: work.ViewerOf(by)}
			if err := closing.closeIssues(ctx, st, target, now); err != nil {
				return err
			}
		}
		return event.Emit(ctx, st, Changed{Project: target, Before: before, Request: now, Action: Merging, By: by})
	})
}
