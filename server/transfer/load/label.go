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
