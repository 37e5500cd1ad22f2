package api

import (
	"context"
	"strconv"
	"time"

	"hew/server/db"
	"hew/server/forge"
	"hew/server/part"
)

// specimen has n projects beside the one of the place that are to be imported, but not yet.
func specimen(ctx context.Context, h *db.Store, at part.Place, n int) (part.Values, error) {
	values := part.Values{}
	if at.ProjectID == nil {
		return values, nil
	}
	for i := range n {
		name := "imported-" + strconv.FormatInt(at.Project.ID, 10) + "-" + strconv.Itoa(i)
		p, err := forge.Begin(ctx, h, forge.New{
			Source: forge.Source{Kind: forge.GitHub, Base: "https://code.invalid", FullName: "acme/site"},
			Name:   name, Path: name, Space: at.Group, By: at.Owner,
			After: time.Now().Add(24 * time.Hour),
		})
		if err != nil {
			return nil, err
		}
		values["import/project_id"] = strconv.FormatInt(p.ID, 10)
	}
	values["import/target_namespace"] = strconv.Quote(at.Group.FullPath)
	return values, nil
}
