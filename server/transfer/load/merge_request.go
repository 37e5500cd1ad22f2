package load

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"hew/server/code"
	"hew/server/git/object"
	"hew/server/merge"
	"hew/server/note"
	"hew/server/transfer/archive"
)

// storeMergeRequests stores merge requests with all of their parts. The repository is there.
func storeMergeRequests(ctx context.Context, b *batch, documents []Document) error {
	var w wanted
	notes := 0
	for _, d := range documents {
		if m, ok := d.Value.(*archive.MergeRequest); ok {
			wantParts(&w, m.Milestone, m.LabelLinks, m.ResourceLabelEvents, m.ResourceMilestoneEvents)
			notes += len(m.Notes)
		}
	}
	if err := b.find(ctx, w); err != nil {
		return err
	}
	if err := b.reserve(ctx, "merge_requests", len(documents)); err != nil {
		return err
	}
	if err := b.reserve(ctx, "notes", notes); err != nil {
		return err
	}
	v, err := b.readVersions(ctx, documents)
	if err != nil {
		return err
	}
	if err := each(b, documents, func(d Document, m *archive.MergeRequest) error {
		return b.addMergeRequest(v, d, m)
	}); err != nil {
		return err
	}
	b.after = append(b.after, v.store, b.refer)
	return nil
}

// addMergeRequest adds the rows of a merge request.
func (b *batch) addMergeRequest(v *versions, d Document, m *archive.MergeRequest) error {
	iid, err := number(m.IID)
	if err != nil {
		return err
	}
	if err := checkTitle("title", m.Title); err != nil {
		return err
	}
	if m.SourceBranch == "" || m.TargetBranch == "" {
		return invalid("source_branch and target_branch: can't be blank")
	}
	t := target{
		document: d, kind: string(note.MergeRequest), column: "merge_request_id", id: b.take("merge_requests"), iid: iid,
	}
	created, updated := span(m.CreatedAt, m.UpdatedAt)
	state := oneOf(m.State, "opened", "closed", "merged")
	if state == "opened" && !v.open(m) {
		return invalid(fmt.Sprintf("source_branch: another open merge request has the branches %q and %q",
			m.SourceBranch, m.TargetBranch))
	}
	remove, should := removals(m)
	r := row{
		"id": t.id, "project_id": b.project.ID, "source_project_id": b.project.ID, "iid": iid,
		"author_id": b.author(m.AuthorID), "title": m.Title, "description": quoted(m.Description), "state": state,
		"draft": merge.IsDraft(m.Title), "source_branch": m.SourceBranch, "target_branch": m.TargetBranch,
		"head_oid": nil, "base_oid": nil, "start_oid": nil, "merge_status": string(merge.Preparing),
		"merge_error": text(m.MergeError), "squash": m.Squash, "remove_source": remove, "should_remove": should,
		"allow_collaboration": m.AllowMaintainerToPush != nil && *m.AllowMaintainerToPush,
		"behind":              false, "rules_overridden": false, "upvotes": 0, "downvotes": 0,
		"merge_commit_oid": oid(m.MergeCommitSHA), "squash_commit_oid": oid(m.SquashCommitSHA),
		"merged_oid": oid(m.MergedCommitSHA), "merged_by_id": nil, "merged_at": nil, "closed_by_id": nil,
		"closed_at": nil, "prepared_at": created, "milestone_id": nil, "discussion_locked": m.DiscussionLocked,
		"time_estimate": max(0, m.TimeEstimate), "last_edited_at": m.LastEditedAt, "last_edited_by_id": nil,
		"created_at": created, "updated_at": updated,
	}
	if version, ok := v.of(m); ok {
		r["head_oid"], r["base_oid"], r["start_oid"] = rawOID(version.Head), rawOID(version.Base), rawOID(version.Start)
		r["merge_status"] = string(merge.Unchecked)
		if state != "opened" { // nobody checks it again
			r["merge_status"] = oneOf(m.MergeStatus, string(merge.Unchecked), string(merge.CanBeMerged),
				string(merge.CannotBeMerged))
		}
		v.add(t.id, iid, m, version, r)
	} else {
		b.addLostDiff(t, m)
	}
	b.addOutcome(r, m, updated)
	if m.LastEditedAt != nil {
		r["last_edited_by_id"] = b.user(m.LastEditedByID)
	}
	if m.Milestone != nil {
		r["milestone_id"] = idOf(b.found.milestones, m.Milestone.Title)
	}
	r["task_count"], r["tasks_done"] = countTasks(m.Description)
	r["time_spent"] = b.addTime(t, m.Timelogs)
	b.add("merge_requests", r)
	b.iids["merge_request"] = max(b.iids["merge_request"], iid)

	b.addLabels("merge_request_labels", t.column, t.id, m.LabelLinks)
	b.addUsers("merge_request_assignees", t.column, t.id, m.MergeRequestAssignees)
	b.addReviews(t, m)
	b.addNotes(t, m.Notes)
	b.addEmoji(t.column, t.id, m.AwardEmoji)
	b.addChanges(t, m.ResourceLabelEvents, m.ResourceMilestoneEvents, m.ResourceStateEvents)
	b.addEvents(m.Events, t.eventsOf(m.Title))
	b.addReferences(t.id, m)
	return nil
}

// addLostDiff notes down the commits of a merge request whose diff cannot be made again, because
// the repository lacks them: merge requests are found by their commits.
func (b *batch) addLostDiff(t target, m *archive.MergeRequest) {
	if m.MergeRequestDiff == nil || m.MergeRequestDiff.HeadCommitSHA == nil {
		return
	}
	commits := m.MergeRequestDiff.Commits
	for _, c := range commits[:min(len(commits), code.MaxCounted)] {
		if id := oid(&c.SHA); id != nil {
			b.add("merge_request_commits", row{"merge_request_id": t.id, "commit_oid": id})
		}
	}
	b.failIn("merge_request_diff", t.document, invalid("the repository of the archive lacks the commits of the diff"))
}

// removals reports whether the source branch of a merge request goes when it is merged, and what
// the merge asked for, null if there was none.
func removals(m *archive.MergeRequest) (remove bool, should any) {
	var params struct {
		Remove archive.Word `json:"force_remove_source_branch"`
		Should archive.Word `json:"should_remove_source_branch"`
	}
	_ = json.Unmarshal(m.MergeParams, &params) // other forms say nothing of it
	isTrue := func(w archive.Word) bool { return w == "1" || w == "true" }
	if params.Should != "" {
		should = isTrue(params.Should)
	}
	return isTrue(params.Remove), should
}

// addOutcome sets who merged or closed a merge request, and when.
func (b *batch) addOutcome(r row, m *archive.MergeRequest, updated time.Time) {
	metrics := m.Metrics
	if metrics == nil {
		metrics = &archive.MergeRequestMetrics{}
	}
	switch r["state"] {
	case "merged":
		by := metrics.MergedByID
		if by == nil {
			by = m.MergeUserID
		}
		r["merged_by_id"], r["merged_at"] = b.user(by), timeOr(metrics.MergedAt, updated)
	case "closed":
		r["closed_by_id"], r["closed_at"] = b.user(metrics.LatestClosedBy), timeOr(metrics.LatestClosedAt, updated)
	}
}

// addReviews adds reviewers and approvals. Approvals without a user are left out.
func (b *batch) addReviews(t target, m *archive.MergeRequest) {
	seen := map[int64]bool{}
	for _, r := range m.MergeRequestReviewers {
		if r.UserID == nil || seen[b.author(r.UserID)] {
			continue
		}
		seen[b.author(r.UserID)] = true
		b.add("merge_request_reviewers", row{
			"merge_request_id": t.id, "user_id": b.author(r.UserID), "created_at": timeOr(r.CreatedAt, time.Now().UTC()),
			"state": oneOf(r.State, "unreviewed", "review_started", "reviewed", "requested_changes", "approved",
				"unapproved"),
		})
	}
	for _, a := range m.Approvals {
		if a.UserID == nil {
			continue
		}
		at := timeOr(a.CreatedAt, time.Now().UTC())
		b.add("merge_request_approvals", row{
			"merge_request_id": t.id, "user_id": b.author(a.UserID), "created_at": at, "updated_at": at,
		})
	}
}

// rawOID returns the id of an object for a column, null for none.
func rawOID(id object.ID) any {
	if id.IsZero() {
		return nil
	}
	return `\x` + id.String()
}

// isBranch reports whether a name can be that of a branch that is made here.
func isBranch(name string) bool { return !strings.HasPrefix(name, code.Heads) && name != "HEAD" }
