package hook

import (
	"context"

	"hew/server/db"
	"hew/server/event"
	"hew/server/merge"
	"hew/server/work"
)

// requestListener sends changes of merge requests to the hooks of their projects and of the groups
// above, and to system hooks. Pages are at the address web.
func requestListener(web string) event.Listener {
	return event.On(func(ctx context.Context, st *db.Store, e merge.Changed) error {
		h := ofIssue(e.Project, false, "merge_requests_events", e.By)
		payloads := func() ([]any, error) {
			p, err := newRequestPayload(ctx, st, web, e)
			if err != nil || e.Action == merge.Updating && len(p.Changes) == 0 && p.Attributes.OldRev == nil {
				return nil, err
			}
			return []any{p}, nil
		}
		if err := enqueueDeliveries(ctx, st, h, payloads); err != nil {
			return err
		}
		h.flag = "system_merge_requests_events"
		return enqueueDeliveries(ctx, st, h, payloads)
	})
}

// newRequestPayload returns the payload of a change. Its Changes are nil if no field changed.
func newRequestPayload(ctx context.Context, st *db.Store, web string, e merge.Changed) (p requestPayload, err error) {
	refs, err := readRequestRefs(ctx, st, web, e.Before, e.Request)
	if err != nil {
		return p, err
	}
	p = requestPayload{
		ObjectKind: "merge_request", EventType: "merge_request", Labels: chosen(refs.labels, e.Request.LabelIDs),
		Assignees: chosen(refs.users, e.Request.AssigneeIDs), Reviewers: chosen(refs.users, e.Request.ReviewerIDs),
	}
	if p.Attributes, err = newRequestAttributes(ctx, st, web, e.Project, e.Request, p.Labels); err != nil {
		return p, err
	}
	p.Attributes.Action, p.Attributes.UpdatedByID = e.Action, &e.By.ID
	if e.Automatic != "" {
		p.Attributes.System, p.Attributes.SystemAction = true, &e.Automatic
	}
	if !e.OldHead.IsZero() {
		p.Attributes.OldRev = new(e.OldHead.String())
	}
	p.Changes, err = changedFields(newRequestColumns(e.Before), newRequestColumns(e.Request), e.Action == merge.Opening)
	if err != nil {
		return p, err
	}
	addSet(p.Changes, "labels", chosen(refs.labels, e.Before.LabelIDs), p.Labels)
	addSet(p.Changes, "assignees", chosen(refs.users, e.Before.AssigneeIDs), p.Assignees)
	addSet(p.Changes, "reviewers", chosen(refs.users, e.Before.ReviewerIDs), p.Reviewers)
	if _, touched := p.Changes["updated_at"]; touched && len(p.Changes) == 1 {
		p.Changes = map[string]change{}
	}
	return p, nil
}

// readRequestRefs reads the labels and people of merge requests.
func readRequestRefs(ctx context.Context, st *db.Store, web string, list ...merge.Request) (issueRefs, error) {
	var labels, users []int64
	for _, r := range list {
		labels, users = append(labels, r.LabelIDs...), append(append(users, r.AssigneeIDs...), r.ReviewerIDs...)
	}
	return readRefs(ctx, st, web, labels, users)
}

// noteRequest is the merge request that a note is on.
func newNoteRequest(ctx context.Context, st *db.Store, web string, on noteable) (*requestAttributes, error) {
	refs, err := readRequestRefs(ctx, st, web, on.request)
	if err != nil {
		return nil, err
	}
	a, err := newRequestAttributes(ctx, st, web, on.project, on.request, chosen(refs.labels, on.request.LabelIDs))
	return &a, err
}

// sampleRequest returns a sample of the newest merge request of the project.
func sampleRequest(ctx context.Context, st *db.Store, at sampleScope) (any, error) {
	if err := at.needProject(); err != nil {
		return nil, err
	}
	f := merge.Filter{Viewer: work.Viewer{All: true}, In: at.project.Container()}
	list, _, err := merge.List(ctx, st, f, db.Page{Limit: 1, Desc: true})
	switch {
	case err != nil:
		return nil, err
	case len(list) == 0:
		return sampleMissing("merge requests")(ctx, st, at)
	}
	return newRequestPayload(ctx, st, at.web, merge.Changed{
		Project: at.project, Request: list[0], Action: merge.Opening, By: at.by,
	})
}
