package merge

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"hew/server/code"
	"hew/server/db"
	"hew/server/fault"
	"hew/server/git/object"
	"hew/server/tree"
)

// Version is a row of merge_request_versions: what a merge request brings since one push.
type Version struct {
	ID          int64     `db:"id,auto"`
	RequestID   int64     `db:"merge_request_id"`
	Head        object.ID `db:"head_oid"`
	Base        object.ID `db:"base_oid"`     // the merge base
	Start       object.ID `db:"start_oid"`    // the head of the target branch
	PatchID     []byte    `db:"patch_digest"` // equal for equal changes; nil: there are none
	CommitCount int       `db:"commit_count"`
	FileCount   int       `db:"file_count"`
	State       string    `db:"state"` // collected, empty and others (more §6.1)
	CreatedAt   time.Time `db:"created_at,auto"`
}

// checkBranches returns a fault unless the branches of a new merge request can be merged into each
// other, in words of the public service (gaps §7.1).
func checkBranches(source, target tree.Project, r Request) error {
	if source.ID == target.ID {
		if r.SourceBranch == r.TargetBranch {
			return refuse("You can't use same project/branch for source and target")
		}
		return nil
	}
	if source.ForkNetworkID == nil || target.ForkNetworkID == nil || *source.ForkNetworkID != *target.ForkNetworkID {
		return refuse("Source project is not a fork of the target project")
	}
	return nil
}

// refuse returns the fault of branches that cannot be merged.
func refuse(text string) error { return fault.Unprocessable(text).In(fault.List) }

// checkOnly returns a fault if another merge request between the same branches is open.
func checkOnly(ctx context.Context, st *db.Store, r Request) error {
	open, err := db.Values[int](ctx, st, `
		select iid from merge_requests t where t.source_project_id = @source_project and t.source_branch = @source
			and t.project_id = @project and t.target_branch = @target and t.state in ('opened', 'locked') and t.id <> @id`,
		pgx.NamedArgs{
			"source_project": r.SourceProjectID, "source": r.SourceBranch, "project": r.ProjectID,
			"target": r.TargetBranch, "id": r.ID,
		})
	if err != nil || len(open) == 0 {
		return err
	}
	return fault.Conflict(fmt.Sprintf("%s: !%d", branchesTaken, open[0])).In(fault.List)
}

// sourceHead returns the head of the source branch of a merge request.
func sourceHead(ctx context.Context, st *db.Store, source tree.Project, branch string) (object.ID, error) {
	g, err := code.Open(ctx, st, source)
	if err != nil {
		return object.ID{}, err
	}
	b, err := g.FindBranch(ctx, "Branch", code.Heads+branch)
	if fault.CodeOf(err) == fault.CodeNotFound {
		err = refuse("Source branch \"" + branch + "\" does not exist")
	}
	return b.Commit.ID, err
}

// fetchHead brings the commits of a source branch into the target project.
func fetchHead(ctx context.Context, st *db.Store, source, target tree.Project, branch string) error {
	if source.ID == target.ID {
		return nil
	}
	head, err := sourceHead(ctx, st, source, branch)
	if err != nil {
		return err
	}
	return code.FetchCommits(ctx, st, target, source, head)
}

// FetchSource gives the target project the commits of the source branch of a merge request. It has
// to have them before the merge request is opened again, or gets another target branch: nobody
// looked at what was pushed while it was closed. The store is bound to the pool.
func FetchSource(ctx context.Context, st *db.Store, r Request) error {
	r, source, target, err := withProjects(ctx, st, r.ID)
	if err != nil || source.ID == target.ID || r.SourceHead.IsZero() {
		return fault.IgnoreNotFound(err) // the source is gone: the change says so
	}
	return code.FetchCommits(ctx, st, target, source, r.SourceHead)
}

// readVersion returns what the branches of a merge request are now. The target project has the
// commits of the source branch (code.FetchCommits).
func readVersion(ctx context.Context, st *db.Store, source, target tree.Project, r Request) (v Version, err error) {
	g, err := code.Open(ctx, st, target)
	if err != nil {
		return v, err
	}
	head, err := sourceHead(ctx, st, source, r.SourceBranch)
	if err != nil {
		return v, err
	}
	start, err := g.FindBranch(ctx, "Branch", code.Heads+r.TargetBranch)
	if fault.CodeOf(err) == fault.CodeNotFound {
		return v, refuse("Target branch \"" + r.TargetBranch + "\" does not exist")
	}
	if err != nil {
		return v, err
	}
	v = Version{Head: head, Start: start.Commit.ID}
	v.Base, err = g.MergeBase(ctx, []object.ID{v.Start, v.Head})
	if fault.CodeOf(err) == fault.CodeNotFound {
		err = refuse("The source branch and the target branch have no commit in common")
	}
	if err != nil {
		return v, err
	}
	return v, v.measure(ctx, st, g)
}

// into makes the version the last one of a merge request.
func (v Version) into(r *Request) { r.Head, r.Base, r.Start = v.Head, v.Base, v.Start }

// store keeps the version.
func (v Version) store(ctx context.Context, st *db.Store, target tree.Project, r Request) error {
	g, err := code.Open(ctx, st, target)
	if err != nil {
		return err
	}
	return v.storeFrom(ctx, st, g, r)
}

// storeFrom keeps the version, with its commits from an open repository.
func (v Version) storeFrom(ctx context.Context, st *db.Store, g *code.Git, r Request) error {
	v.RequestID = r.ID
	if _, err := st.Insert(ctx, "merge_request_versions", v); err != nil {
		return err
	}
	return v.storeCommits(ctx, st, g, r)
}

// StoreVersion stores what an imported merge request brings, in the transaction that stores its
// row: nobody pushed it, so that there are no notes and no events. The base is computed if it is
// zero, and so is all that follows from the commits, which are in the repository of the target.
// It is opened once for all merge requests of a batch.
func StoreVersion(ctx context.Context, st *db.Store, g *code.Git, r Request, v Version) (err error) {
	if v.Base.IsZero() {
		if v.Base, err = g.MergeBase(ctx, []object.ID{v.Start, v.Head}); err != nil {
			return err
		}
	}
	if err := v.measure(ctx, st, g); err != nil {
		return err
	}
	if err := v.storeFrom(ctx, st, g, r); err != nil {
		return err
	}
	if err := storeMerged(ctx, st, r); err != nil {
		return err
	}
	return st.Exec(ctx, `
		with dated as (
			update merge_request_versions set created_at = @at where merge_request_id = @id and @at::timestamptz is not null)
		update merge_requests set head_oid = @head, base_oid = @base, start_oid = @start where id = @id`,
		pgx.NamedArgs{"id": r.ID, "at": db.NilIfZero(v.CreatedAt), "head": v.Head, "base": v.Base, "start": v.Start})
}
