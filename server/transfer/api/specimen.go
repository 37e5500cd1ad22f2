package api

import (
	"context"

	"hew/server/db"
	"hew/server/part"
)

// specimen gives the owner of a place an archive of the project.
func specimen(ctx context.Context, h *db.Store, at part.Place, _ int) (part.Values, error) {
	if at.ProjectID == nil {
		return part.Values{}, nil
	}
	return part.Values{}, addArchive(ctx, h, at)
}
