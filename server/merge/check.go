package merge

import (
	"context"
	"errors"
	"slices"

	"github.com/jackc/pgx/v5"

	"hew/server/code"
	"hew/server/db"
	"hew/server/event"
	"hew/server/fault"
	"hew/server/jobs"
	"hew/server/policy"
	"hew/server/tree"
	"hew/server/work"
)

// Conflicted is emitted when an open merge request turns out to have conflicts that it did not have
// when it was last looked at.
type Conflicted struct {
	Project tree.Project
	Request Request
}

// Recheck asks for the mergeability of a merge request. Several for one do no harm: the second
// finds it known. One that a killed process has begun must not keep others away.
type Recheck struct {
	RequestID int64 `json:"merge_request_id"`
}

// Kind implements jobs.Args.
func (Recheck) Kind() string { return "check_merge_request" }

// IsUnchecked reports whether a Recheck would find out whether the merge request can be merged.
func (r Request) IsUnchecked() bool {
	status := r.GitStatus()
	return r.IsOpen() && (status == Unchecked || status == CannotBeMergedRecheck)
}

// AskRechecks asks for the mergeability of those of the merge requests whose own is not known and
// in whose projects the viewer is a developer (spec 2 §2.4).
func AskRechecks(ctx context.Context, st *db.Store, v work.Viewer, list []Request) error {
	var projects []int64
	for _, r := range list {
		if r.IsUnchecked() && !slices.Contains(projects, r.ProjectID) {
			projects = append(projects, r.ProjectID)
		}
	}
	if len(projects) == 0 {
		return nil
	}
	w := db.NewWhere(v.Args())
	w.And(`p.id = any(@projects)`, projects)
	w.AndIf(!v.All, tree.Holds(int(policy.Developer)))
	may, err := db.Values[int64](ctx, st,
		`select p.id from projects p join namespaces n on n.id = p.namespace_id`+w.String(), w.Args)
	if err != nil {
		return err
	}
	var due []jobs.Args
	for _, r := range list {
		if r.IsUnchecked() && slices.Contains(may, r.ProjectID) {
			due = append(due, Recheck{RequestID: r.ID})
		}
	}
	return jobs.Enqueue(ctx, st, due...)
}

func recheck(ctx context.Context, st *db.Store, j Recheck) error {
	byID, err := RequestsByID(ctx, st, []int64{j.RequestID})
	r, ok := byID[j.RequestID]
	if err != nil || !ok {
		return err
	}
	p, err := tree.FindProject(ctx, st, r.ProjectID)
	if err == nil {
		_, err = Check(ctx, st, p, r)
	}
	return fault.IgnoreNotFound(err)
}

// Check finds out whether git can merge a merge request of a project, unless that is known, and
// returns it as it is then.
func Check(ctx context.Context, st *db.Store, p tree.Project, r Request) (Request, error) {
	if status := r.GitStatus(); !r.IsOpen() || status == CanBeMerged || status == CannotBeMerged {
		return r, nil
	}
	if r.SourceHead != r.Head { // the job that looks at the push has not run yet
		if err := Refresh(ctx, st, r.ID, tree.User{}); err != nil {
			return r, err
		}
		var err error
		if r, err = Requests(st, p.ID).One(ctx, db.ByID(r.ID)); err != nil {
			return r, err
		}
	}
	g, err := code.Open(ctx, st, p)
	if err != nil {
		return r, err
	}
	_, behind, err := g.Diverged(ctx, r.Head, r.TargetHead)
	if err != nil {
		return r, err
	}
	status := CanBeMerged
	var unmergeable code.Unmergeable
	if _, err = g.TestMerge(ctx, r.TargetHead, r.Head); errors.As(err, &unmergeable) {
		status, err = CannotBeMerged, nil
	}
	if err != nil {
		return r, err
	}
	return r, st.Tx(ctx, func(st *db.Store) error {
		err := st.Exec(ctx, `
			update merge_requests set merge_status = @status, checked_target_oid = @target, behind = @behind
			where id = @id and head_oid = @head and state = 'opened'`,
			pgx.NamedArgs{
				"id": r.ID, "status": status, "head": r.Head, "target": r.TargetHead, "behind": behind > 0,
			})
		conflicts := status == CannotBeMerged && r.MergeStatus != CannotBeMerged
		r.MergeStatus, r.CheckedTarget, r.Behind = status, r.TargetHead, behind > 0
		if err == nil && conflicts {
			err = event.Emit(ctx, st, Conflicted{Project: p, Request: r})
		}
		return err
	})
}
