package api

import (
	"context"

	"hew/server/rest"
	"hew/server/scope"
)

// listShared lists the projects that the group is invited into.
func (a projects) listShared(ctx context.Context, g scope.InGroup, in projectList) (rest.List[projectView], error) {
	f := in.filter(g.Anyone)
	f.GuestID = g.Group.ID
	return a.listed(ctx, g.Anyone, in, f)
}
