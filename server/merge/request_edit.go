package merge

import (
	"context"
	"slices"
	"time"

	"hew/server/check"
	"hew/server/db"
	"hew/server/event"
	"hew/server/jobs"
	"hew/server/note"
	"hew/server/tree"
	"hew/server/work"
)

// Branch is a branch of a project.
type Branch struct {
	Project tree.Project
	Name    string
}

// Create stores the merge request that fill sets up, from a branch of the source project to one of
// the target project. Fill sets the ids of assignees, reviewers and labels; those who cannot read
// the merge request are not assigned. The caller sees to it that the user may create one. The store
// is bound to the pool, if the projects are not the same.
func Create(
	ctx context.Context, st *db.Store, source, target Branch, by tree.User, fill db.Edit[Request],
) (r Request, err error) {
	option := target.Project.Settings.SquashOption
	r = Request{
		Squash:       squashes(option, nil, option == "default_on"),
		SourceBranch: source.Name, TargetBranch: target.Name, ProjectID: target.Project.ID,
		SourceProjectID: &source.Project.ID, AuthorID: &by.ID, State: Opened, MergeStatus: Unchecked,
		CreatedAt: time.Now().Truncate(time.Millisecond),
	}
	if err := checkBranches(source.Project, target.Project, r); err != nil {
		return r, err
	}
	if err := fetchHead(ctx, st, source.Project, target.Project, r.SourceBranch); err != nil {
		return r, err
	}
	err = st.Tx(ctx, func(st *db.Store) error {
		if err := fill(st, &r); err != nil {
			return err
		}
		if err := normalize(ctx, st, &r); err != nil {
			return err
		}
		if err := checkOnly(ctx, st, r); err != nil {
			return err
		}
		v, err := readVersion(ctx, st, source.Project, target.Project, r)
		if err != nil {
			return err
		}
		if r.IID, err = st.NextIID(ctx, r.Target().Container, "merge_request"); err != nil {
			return err
		}
		v.into(&r)
		r.PreparedAt = new(time.Now().Truncate(time.Millisecond))
		if r.ID, err = st.Insert(ctx, "merge_requests", r); err != nil {
			return err
		}
		if err := v.store(ctx, st, target.Project, r); err != nil {
			return err
		}
		if err := keepHead(ctx, st, target.Project, r); err != nil {
			return err
		}
		if r, err = storeParts(ctx, st, Request{}, r); err != nil {
			return err
		}
		if err := jobs.Enqueue(ctx, st, Recheck{RequestID: r.ID}); err != nil {
			return err
		}
		return event.Emit(ctx, st, Changed{Project: target.Project, Request: r, Action: Opening, By: by})
	})
	return r, err
}

// Change edits a merge request of a project and returns it. The edit sets the ids of assignees,
// reviewers and labels too.
func Change(
	ctx context.Context, st *db.Store, p tree.Project, by tree.User, id int64, edit db.Edit[Request],
) (r Request, err error) {
	err = st.Tx(ctx, func(st *db.Store) error {
		var before Request
		var lost Reset
		r, err = Requests(st, p.ID).Change(ctx, db.ByID(id), func(st *db.Store, r *Request) (err error) {
			before = r.clone()
			if err := edit(st, r); err != nil {
				return err
			}
			if err := normalize(ctx, st, r); err != nil {
				return err
			}
			r.stamp(before, by)
			if lost, err = followBranches(ctx, st, p, before, r); err != nil {
				return err
			}
			_, err = storeParts(ctx, st, before, *r)
			return err
		})
		if err != nil {
			return err
		}
		err = event.Emit(ctx, st, Changed{
			Project: p, Before: before, Request: r, Action: actionOf(before.State, r.State), By: by,
		})
		if err != nil {
			return err
		}
		return lost.emit(ctx, st, p, r, by)
	})
	return r, err
}

// followBranches checks the branches of a merge request that gets another target branch or is
// opened again, and gives it the version that they have now. It returns which approvals it loses.
func followBranches(
	ctx context.Context, st *db.Store, p tree.Project, before Request, r *Request,
) (lost Reset, err error) {
	reopened := before.State == Closed && r.State == Opened
	if r.TargetBranch == before.TargetBranch && !reopened {
		return lost, nil
	}
	if r.SourceProjectID == nil {
		return lost, refuse("Source project does not exist")
	}
	source := p
	if r.FromFork() {
		if source, err = tree.FindProject(ctx, st, *r.SourceProjectID); err != nil {
			return lost, err
		}
	}
	if err := checkBranches(source, p, *r); err != nil {
		return lost, err
	}
	if err := checkOnly(ctx, st, *r); err != nil {
		return lost, err
	}
	return renew(ctx, st, source, p, r)
}

// Delete deletes a merge request of a project with its notes. It calls unless with the time of the
// last change, and deletes nothing if that returns an error.
func Delete(
	ctx context.Context, st *db.Store, p tree.Project, by tree.User, r Request,
	unless func(ctx context.Context, changed time.Time) error,
) error {
	return st.Tx(ctx, func(st *db.Store) error {
		if err := event.Emit(ctx, st, Deleted{Project: p, Request: r, By: by}); err != nil {
			return err
		}
		return Requests(st, p.ID).Delete(ctx, db.ByID(r.ID), unless)
	})
}

// clone returns a copy that shares nothing with the merge request.
func (r Request) clone() Request {
	r.AssigneeIDs, r.ReviewerIDs = slices.Clone(r.AssigneeIDs), slices.Clone(r.ReviewerIDs)
	r.LabelIDs = slices.Clone(r.LabelIDs)
	return r
}

// stamp sets what follows from a change of the state or the text.
func (r *Request) stamp(before Request, by tree.User) {
	now := new(time.Now().Truncate(time.Millisecond))
	switch {
	case r.State == before.State:
	case r.State == Closed:
		r.ClosedAt, r.ClosedByID = now, &by.ID
	case r.State == Opened && before.State == Closed:
		r.ClosedAt, r.ClosedByID = nil, nil
	}
	if r.Title != before.Title || db.OrZero(r.Description) != db.OrZero(before.Description) {
		r.LastEditedAt, r.LastEditedByID = now, &by.ID
	}
}

// normalize checks the fields of a merge request and sets what follows from them.
func normalize(ctx context.Context, st *db.Store, r *Request) error {
	var wrong check.Problems
	r.TaskCount, r.TasksDone = work.CheckTexts(&r.Title, db.OrZero(r.Description), &wrong)
	r.Draft = IsDraft(r.Title)
	if err := wrong.Err(); err != nil {
		return err
	}
	return work.CheckMilestoneOf(ctx, st, r.Target().Container, &r.MilestoneID)
}

// storeParts writes the assignees, reviewers and labels of a merge request where they differ, and
// who is mentioned in it, and returns the merge request as it is then.
func storeParts(ctx context.Context, st *db.Store, before, r Request) (Request, error) {
	for _, set := range []struct {
		table       string
		before, now []int64
	}{
		{"merge_request_assignees", before.AssigneeIDs, r.AssigneeIDs},
		{"merge_request_reviewers", before.ReviewerIDs, r.ReviewerIDs},
	} {
		readers, err := Readers(ctx, st, r, work.Without(set.now, set.before))
		if err != nil {
			return r, err
		}
		users := work.IDSet{Table: set.table, Of: "merge_request_id", Column: "user_id"}
		if err := users.Change(ctx, st, r.ID, readers, work.Without(set.before, set.now)); err != nil {
			return r, err
		}
	}
	labels := work.IDSet{Table: "merge_request_labels", Of: "merge_request_id", Column: "label_id"}
	added, removed := work.Without(r.LabelIDs, before.LabelIDs), work.Without(before.LabelIDs, r.LabelIDs)
	err := labels.Change(ctx, st, r.ID, added, removed)
	if err != nil {
		return r, err
	}
	if db.OrZero(r.Description) != db.OrZero(before.Description) {
		if err := note.StoreMentions(ctx, st, r.Target(), 0, db.OrZero(r.Description)); err != nil {
			return r, err
		}
	}
	return Requests(st, r.ProjectID).One(ctx, db.ByID(r.ID))
}
