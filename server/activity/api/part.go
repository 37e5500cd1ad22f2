// Package api serves the events of package activity.
package api

import (
	"context"
	"fmt"

	"hew/server/activity"
	"hew/server/db"
	"hew/server/part"
	"hew/server/work"
)

// Part returns what package activity adds to the server.
func Part(host part.Host) part.Part {
	return part.Part{
		Name:      "activity",
		Routes:    events{host.Site}.routes(),
		Refusals:  activity.Refusals,
		Listeners: activity.Listeners,
		Jobs:      activity.Jobs,
		Specimen:  specimen,
	}
}

// specimen makes n events of the owner in a project, about issues.
func specimen(ctx context.Context, h *db.Store, at part.Place, n int) (part.Values, error) {
	if at.ProjectID == nil {
		return part.Values{"user_id": fmt.Sprint(at.Owner.ID)}, nil
	}
	for k := range n {
		_, err := work.CreateIssue(ctx, h, at.Project, at.Owner, func(_ *db.Store, i *work.Issue) error {
			i.Title = fmt.Sprintf("Done %d", k)
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return nil, nil
}
