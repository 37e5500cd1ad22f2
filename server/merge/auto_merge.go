package merge

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/git/object"
	"hew/server/jobs"
	"hew/server/note"
	"hew/server/tree"
	"hew/server/work"
)

// A merge request can be armed: it is merged as soon as the pipeline of its head succeeds, in the
// name of who armed it and with the rights that this user has then. It is disarmed when that
// pipeline fails, and by what makes it another proposal: a push, a new target branch, the mark of
// a draft, and its end (more §6.2).

// arming is how an armed merge request is to be merged.
type arming struct {
	Head          object.ID `json:"head"`
	Message       string    `json:"message,omitempty"`
	SquashMessage string    `json:"squash_message,omitempty"`
	Squash        *bool     `json:"squash,omitempty"`
	RemoveSource  *bool     `json:"remove_source,omitempty"`
}

// IsArmed reports whether the merge request is merged when its pipeline succeeds.
func (r Request) IsArmed() bool { return r.AutoMergeUserID != nil }

// AcceptLater merges a merge request as Accept does, or arms it if the pipeline of its head is not
// over and nothing else is to be done first.
func AcceptLater(ctx context.Context, st *db.Store, p tree.Project, id int64, a Acceptance) (r Request, err error) {
	if r, err = Requests(st, p.ID).One(ctx, db.ByID(id)); err != nil {
		return r, err
	}
	pipeline, err := HeadPipeline(ctx, st, r)
	if err != nil {
		return r, err
	}
	if pipeline == nil || slices.Contains(finalStates, pipeline.Status) {
		return Accept(ctx, st, p, id, a)
	}
	if err := mayMerge(ctx, st, p, a.By, r.TargetBranch); err != nil {
		return r, err
	}
	if r, err = Check(ctx, st, p, r); err != nil {
		return r, err
	}
	again := false
	err = st.Tx(ctx, func(st *db.Store) error {
		r, err = Requests(st, p.ID).Change(ctx, db.ByID(id), func(st *db.Store, now *Request) error {
			if err := a.admitsLater(ctx, st, *now); err != nil {
				return err
			}
			again = now.IsArmed()
			return now.arm(ctx, st, a)
		})
		if err != nil || again {
			return err
		}
		if err := note.AddSystem(ctx, st, r.Target(), a.By.User.ID, fmt.Sprintf(
			"enabled an automatic merge when the pipeline for %s succeeds", r.Head)); err != nil {
			return err
		}
		return jobs.Enqueue(ctx, st, mergeArmed{RequestID: id}) // it may have ended meanwhile
	})
	return r, err
}

// admitsLater is admits for a merge that waits for the pipeline.
func (a Acceptance) admitsLater(ctx context.Context, st *db.Store, r Request) error {
	statuses, err := Statuses(ctx, st, []Request{r})
	if err != nil {
		return err
	}
	if statuses[r.ID] == PipelineRuns && (a.Head == nil || *a.Head == r.Head) {
		return nil
	}
	return a.admits(ctx, st, r)
}

// arm stores how the merge request is to be merged later, in a transaction that has locked it.
func (r Request) arm(ctx context.Context, st *db.Store, a Acceptance) error {
	how, err := json.Marshal(arming{
		Head: r.Head, Message: a.Message, SquashMessage: a.SquashMessage, Squash: a.Squash, RemoveSource: a.RemoveSource,
	})
	if err != nil {
		return err
	}
	return st.Exec(ctx, `update merge_requests set auto_merge_user_id = @user, auto_merge = @how where id = @id`,
		pgx.NamedArgs{"id": r.ID, "user": a.By.User.ID, "how": how})
}

// CancelLater disarms a merge request for a user, and says so in a note with the text. Without a
// text or a user it writes no note.
func CancelLater(ctx context.Context, st *db.Store, r Request, by int64, text string) error {
	return st.Tx(ctx, func(st *db.Store) error {
		n, err := st.Affected(ctx, `
			update merge_requests set auto_merge_user_id = null, auto_merge = null
			where id = @id and auto_merge_user_id is not null`, pgx.NamedArgs{"id": r.ID})
		if err != nil || n == 0 || text == "" || by == 0 {
			return err
		}
		return note.AddSystem(ctx, st, r.Target(), by, text)
	})
}

// LaterCanceled is the text of the note about a merge request that somebody disarms.
const LaterCanceled = "canceled the automatic merge"

// aborted returns the text of the note about a merge request that is disarmed for a reason.
func aborted(reason string) string { return "aborted the automatic merge because " + reason }

// disarmChanged disarms a merge request that is not the one any more that was to be merged. One
// that is merged needs no note.
func disarmChanged(ctx context.Context, st *db.Store, e Changed) error {
	before, r := e.Before, e.Request
	text := ""
	switch {
	case !before.IsArmed():
		return nil
	case r.State == Merged:
	case r.State == Closed:
		text = aborted("merge request was closed")
	case before.Head != r.Head:
		text = aborted("source branch was updated")
	case before.TargetBranch != r.TargetBranch:
		text = aborted("target branch was changed")
	case r.Draft:
		text = aborted("merge request was marked as a draft")
	default:
		return nil
	}
	return CancelLater(ctx, st, r, authorOr(e.By, r), text)
}

// mergeArmed asks to merge a merge request if it is armed and its pipeline has succeeded, or to
// disarm it if that has failed.
type mergeArmed struct {
	RequestID int64 `json:"merge_request_id"`
}

// Kind implements jobs.Args.
func (mergeArmed) Kind() string { return "merge_armed_request" }

// PipelineEnded asks to merge the armed merge requests that wait for a pipeline, or to disarm them.
// Package ci calls it in the transaction that ends the pipeline.
func PipelineEnded(ctx context.Context, st *db.Store, pipelineID int64) error {
	ids, err := db.Values[int64](ctx, st, `
		select id from merge_requests
		where head_pipeline_id = @pipeline and auto_merge_user_id is not null and state = 'opened'`,
		pgx.NamedArgs{"pipeline": pipelineID})
	if err != nil {
		return err
	}
	var due []jobs.Args
	for _, id := range ids {
		due = append(due, mergeArmed{RequestID: id})
	}
	return jobs.Enqueue(ctx, st, due...)
}

// acceptArmed merges an armed merge request if its pipeline has succeeded. If that failed, or if
// something else forbids the merge, the merge request is disarmed, and a note gives the reason.
func acceptArmed(ctx context.Context, st *db.Store, base string, id int64) error {
	byID, err := RequestsByID(ctx, st, []int64{id})
	r, ok := byID[id]
	if err != nil || !ok || !r.IsArmed() || r.State != Opened {
		return err
	}
	pipeline, err := HeadPipeline(ctx, st, r)
	switch {
	case err != nil || pipeline == nil:
		return err
	case pipeline.Status == "failed":
		return CancelLater(ctx, st, r, *r.AutoMergeUserID, aborted("pipeline failed"))
	case pipeline.Status != "success":
		return nil
	}
	p, err := tree.FindProject(ctx, st, r.ProjectID)
	if err != nil {
		return err
	}
	user, err := tree.FindUser(ctx, st, *r.AutoMergeUserID)
	if err != nil {
		return fault.IgnoreNotFound(err)
	}
	by, err := authorIn(ctx, st, p, user)
	if err != nil {
		return err
	}
	var how arming
	if err := json.Unmarshal(r.AutoMerge, &how); err != nil {
		return err
	}
	_, err = Accept(ctx, st, p, id, Acceptance{
		By: by, Base: base, Viewer: work.ViewerOf(user), Head: &how.Head,
		Message: how.Message, SquashMessage: how.SquashMessage, Squash: how.Squash, RemoveSource: how.RemoveSource,
	})
	if _, refused := fault.From(err); !refused {
		return err
	}
	return CancelLater(ctx, st, r, user.ID, aborted(whyNotMerged(err)))
}

// whyNotMerged returns the reason of a refused merge for the note about it.
func whyNotMerged(err error) string {
	var not notMergeable
	switch {
	case errors.As(err, &not):
		return statusWords[not.status]
	case errors.Is(err, errNotPusher):
		return "the user who set it may not merge into the target branch"
	case errors.Is(err, errNotClean):
		return "a branch changed during the merge"
	case fault.CodeOf(err) == fault.CodeConflict:
		return "source branch was updated"
	}
	return "the merge was refused; merge it by hand to see why"
}
