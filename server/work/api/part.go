// Package api serves the labels, milestones and issues of package work.
package api

import (
	"context"
	"fmt"
	"slices"

	"hew/server/db"
	"hew/server/part"
	"hew/server/work"
)

// Part returns what package work adds to the server.
func Part(host part.Host) part.Part {
	return part.Part{
		Name: "work",
		Routes: slices.Concat(
			labels{}.routes(), milestones{host.Site}.routes(), issues{host.Site}.routes(), issueLists{host.Site}.routes(),
			issueLinks{host.Site}.routes(), epicRoutes(host.Site),
			eventRoutes(host.Site), iterations{host.Site}.routes(), issues{host.Site}.noteRoutes(),
		),
		Abilities: abilities,
		Refusals:  work.Refusals,
		Listeners: work.Listeners(host.Base),
		Specimen:  specimen,
	}
}

func specimen(ctx context.Context, h *db.Store, at part.Place, n int) (part.Values, error) {
	values := part.Values{}
	if at.ID() == 0 {
		return values, nil
	}
	var labels, milestones []int64
	for i := range n {
		l, err := work.CreateLabel(ctx, h, at.Container, func(l *work.Label) error {
			l.Name, l.Color = fmt.Sprintf("bug-%d of %s", i, at), "#FF0000" // names are unique along the tree
			return nil
		})
		if err != nil {
			return nil, err
		}
		m, err := work.CreateMilestone(ctx, h, at.Container, at.Owner, func(m *work.Milestone) error {
			m.Title = fmt.Sprintf("v%d of %s", i, at)
			return nil
		})
		if err != nil {
			return nil, err
		}
		labels, milestones = append(labels, l.ID), append(milestones, m.ID)
		values["label_id"], values["milestone_id"] = fmt.Sprint(l.ID), fmt.Sprint(m.ID)
	}
	if at.NamespaceID != nil {
		if err := newIterations(ctx, h, at, n, values); err != nil {
			return nil, err
		}
		return values, epicSpecimen(ctx, h, at, labels, milestones, values)
	}
	return values, issueSpecimen(ctx, h, at, labels, milestones, values)
}
