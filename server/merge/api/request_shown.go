package api

import (
	"context"

	"hew/server/merge"
	"hew/server/scope"
	"hew/server/view"
)

// RequestView is a merge request as lists show it.
type RequestView = requestView

// ViewRequests returns how answers of other domains show merge requests to a caller, by id. What
// they refer to is read once for all of them.
func ViewRequests(
	ctx context.Context, s scope.Anyone, site *view.Site, requests map[int64]merge.Request,
) (map[int64]RequestView, error) {
	list := make([]merge.Request, 0, len(requests))
	for _, r := range requests {
		list = append(list, r)
	}
	views, err := requestViews{Site: site}.of(ctx, s, list)
	byID := make(map[int64]RequestView, len(views))
	for _, v := range views {
		byID[v.ID] = v
	}
	return byID, err
}
