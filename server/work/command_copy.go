package work

import (
	"context"
	"fmt"

	"hew/server/db"
	"hew/server/markdown"
	"hew/server/note"
)

// metadata is what copy_metadata copies of an issue or merge request.
type metadata struct {
	ID          int64     `db:"id"`
	ProjectID   int64     `db:"project_id"`
	IID         int       `db:"iid"`
	MilestoneID *int64    `db:"milestone_id"`
	LabelIDs    []int64   `db:"label_ids"`
	Kind        note.Kind `db:"-"`
	Mark        string    `db:"-"` // before its number
}

// findMetadata returns the metadata of the issues and merge requests that an argument names and the
// actor sees.
func findMetadata[T Commanded](
	ctx context.Context, st *db.Store, r *CommandRun[T], argument string,
) (all []metadata, err error) {
	refs, v := markdown.References(argument), r.Actor.Viewer
	for _, kind := range []struct {
		kind       note.Kind
		mark       string
		named      []Numbered
		word, sees string
	}{
		{note.Issue, "#", IssueReferent.Find(r.on.At, refs), "issue", v.SeesIssue()},
		{note.MergeRequest, "!", RequestReferent.Find(r.on.At, refs), "merge_request", v.SeesMergeRequests()},
	} {
		if len(kind.named) == 0 {
			continue
		}
		w := db.NewWhere(v.Args())
		w.And(kind.sees)
		found, err := FindNumbered[metadata](ctx, st, kind.named, fmt.Sprintf(`
			select t.id, t.project_id, t.iid, t.milestone_id,
				array(select l.label_id from %[1]s_labels l where l.%[1]s_id = t.id order by 1) as label_ids
			from %[1]ss t join projects p on p.id = t.project_id`, kind.word), w)
		if err != nil {
			return nil, err
		}
		for _, m := range found {
			m.Kind, m.Mark = kind.kind, kind.mark
			all = append(all, m)
		}
	}
	return all, nil
}

// copyMetadata adds the labels and sets the milestone of another issue or merge request of the
// project.
func copyMetadata[T Commanded](
	ctx context.Context, st *db.Store, r *CommandRun[T], t *T, argument string,
) (string, error) {
	on, p := (*t).Target(), partsOf(t)
	list, err := findMetadata(ctx, st, r, argument)
	if err != nil || len(list) != 1 || list[0].ProjectID != db.OrZero(on.ProjectID) ||
		list[0].Kind == on.Kind && list[0].ID == on.ID {
		return "", err
	}
	from := list[0]
	*p.LabelIDs = withIDs(*p.LabelIDs, from.LabelIDs)
	r.Changes("add_label_ids", from.LabelIDs)
	if from.MilestoneID != nil {
		*p.MilestoneID = from.MilestoneID
		r.Changes("milestone_id", from.MilestoneID)
	}
	return fmt.Sprintf("Copied labels and milestone from %s%d.", from.Mark, from.IID), nil
}
