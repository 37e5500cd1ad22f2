package load

import (
	"context"

	"hew/server/transfer/archive"
)

// storeLabels makes the labels that neither the project nor a group above it has.
func storeLabels(ctx context.Context, b *batch, documents []Document) error {
	var w wanted
	err := each(b, documents, func(_ Document, l *archive.Label) error {
		if err := checkTitle("title", l.Title); err != nil {
			return err
		}
		w.label(l)
		return nil
	})
	if err != nil {
		return err
	}
	return b.find(ctx, w)
}

// storeMilestones makes the milestones that neither the project nor a group above it has.
func storeMilestones(ctx context.Context, b *batch, documents []Document) error {
	var w wanted
	err := each(b, documents, func(_ Document, m *archive.Milestone) error {
		if err := checkTitle("title", m.Title); err != nil {
			return err
		}
		if _, err := date("start_date", m.StartDate); err != nil {
			return err
		}
		if _, err := date("due_date", m.DueDate); err != nil {
			return err
		}
		if m.StartDate != nil && m.DueDate != nil && *m.DueDate < *m.StartDate {
			return invalid("due_date: must be greater than start date")
		}
		w.milestone(m)
		return nil
	})
	if err != nil {
		return err
	}
	return b.find(ctx, w)
}
