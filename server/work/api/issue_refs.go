package api

import (
	"cmp"
	"context"
	"html"
	"slices"

	"hew/server/db"
	"hew/server/scope"
	"hew/server/work"
)

// issueRefs is what issues refer to, by id.
type issueRefs struct {
	labels     map[int64]work.LabelRef
	milestones map[int64]work.Milestone
	epics      map[int64]work.EpicRef
	iterations map[int64]work.Iteration
	duplicates map[int64]work.Issue
	planned    map[int64]bool // projects in which the caller sees internal notes
	requests   map[int64]int  // how many close the issue
}

// readIssueRefs reads what the issues refer to, in a statement for each kind that is referred to.
// Epics and issues that the caller does not see are left out.
func readIssueRefs(ctx context.Context, s scope.Anyone, list []work.Issue) (refs issueRefs, err error) {
	st, viewer := s.Store, ViewerOf(s)
	if len(list) == 0 {
		return refs, nil
	}
	var labels, milestones, epics, iterations, duplicates, secret, ids []int64
	for _, i := range list {
		ids = append(ids, i.ID)
		labels = append(labels, i.LabelIDs...)
		milestones = db.AppendNotNull(milestones, i.MilestoneID)
		epics = db.AppendNotNull(epics, i.EpicID)
		iterations = db.AppendNotNull(iterations, i.IterationID)
		duplicates = db.AppendNotNull(duplicates, i.DuplicateOfID)
		if i.SecretNotes > 0 {
			secret = append(secret, i.ProjectID)
		}
	}
	if refs.labels, err = work.LabelsByID(ctx, st, labels); err != nil {
		return refs, err
	}
	if len(milestones) > 0 {
		if refs.milestones, err = work.MilestonesByID(ctx, st, milestones); err != nil {
			return refs, err
		}
	}
	if refs.epics, err = viewer.EpicRefs(ctx, st, epics); err != nil {
		return refs, err
	}
	if refs.iterations, err = work.IterationsByID(ctx, st, iterations); err != nil {
		return refs, err
	}
	if refs.planned, err = viewer.PlannedProjects(ctx, st, secret); err != nil {
		return refs, err
	}
	if refs.requests, err = viewer.CountRequests(ctx, st, ids); err != nil {
		return refs, err
	}
	refs.duplicates, err = viewer.IssuesByID(ctx, st, duplicates)
	return refs, err
}

// labelsOf returns the labels of an issue by name: their names, or with details all of them.
func (r issueRefs) labelsOf(i work.Issue, details bool) any {
	return LabelsShown(r.labels, i.LabelIDs, details)
}

// LabelsShown returns labels in the order of their names: the names alone, or all fields.
func LabelsShown(byID map[int64]work.LabelRef, ids []int64, details bool) any {
	list := make([]work.LabelRef, 0, len(ids))
	for _, id := range ids {
		if l, ok := byID[id]; ok {
			list = append(list, l)
		}
	}
	slices.SortFunc(list, func(a, b work.LabelRef) int { return cmp.Compare(a.Name, b.Name) })
	if !details {
		names := make([]string, len(list))
		for n, l := range list {
			names[n] = l.Name
		}
		return names
	}
	shown := make([]labelDetails, len(list))
	for n, l := range list {
		shown[n] = labelDetails{LabelRef: l, TextColor: textColor(l.Color)}
		if l.Description != nil {
			shown[n].DescriptionHTML = new(html.EscapeString(*l.Description))
		}
	}
	return shown
}
