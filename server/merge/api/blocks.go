package api

import (
	"context"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/merge"
	"hew/server/policy"
	"hew/server/rest"
	"hew/server/view"
	workapi "hew/server/work/api"
)

// blocks serves what merge requests wait for until it is merged (more §6.2).
type blocks struct{ *view.Site }

func (a blocks) routes() []rest.Route {
	const request = "/projects/{id}/merge_requests/{merge_request_iid}"
	const path, one = request + "/blocks", request + "/blocks/{block_id}"
	read, edit := ForRequest(policy.ReadMergeRequest), ForRequest(editOwnRequest)
	return []rest.Route{
		rest.Get(path, read, a.list(merge.BlocksOf)),
		rest.Post(path, edit, a.create),
		rest.Get(one, read, a.show),
		rest.Delete(one, edit, a.delete),
		rest.Get(request+"/blockees", read, a.list(merge.BlockeesOf)),
	}
}

// blockView is a block. A merge request that the caller does not see is left out.
type blockView struct {
	ID        int64        `json:"id"`
	Blocking  *requestView `json:"blocking_merge_request,omitempty"`
	Blocked   *requestView `json:"blocked_merge_request,omitempty"`
	ProjectID int64        `json:"project_id"` // of the one that waits
}

// views returns the views of blocks for the caller. What they refer to is read once for all.
func (a blocks) views(ctx context.Context, s InRequest, list []merge.Block) ([]blockView, error) {
	var ids []int64
	for _, b := range list {
		ids = append(ids, b.BlockingID, b.BlockedID)
	}
	seen, err := merge.SeenByID(ctx, s.Store, workapi.ViewerOf(s.Anyone), ids)
	if err != nil {
		return nil, err
	}
	shown, err := ViewRequests(ctx, s.Anyone, a.Site, seen)
	if err != nil {
		return nil, err
	}
	side := func(id int64) *requestView {
		if v, ok := shown[id]; ok {
			return &v
		}
		return nil
	}
	views := make([]blockView, len(list))
	for n, b := range list {
		views[n] = blockView{b.ID, side(b.BlockingID), side(b.BlockedID), b.ProjectID}
	}
	return views, nil
}

func (a blocks) view(ctx context.Context, s InRequest, b merge.Block) (blockView, error) {
	views, err := a.views(ctx, s, []merge.Block{b})
	if err != nil {
		return blockView{}, err
	}
	return views[0], nil
}

// list returns a handler that lists blocks of a merge request, unpaged: it has few.
func (a blocks) list(
	of func(context.Context, *db.Store, merge.Request) ([]merge.Block, error),
) rest.Handler[InRequest, rest.None, []blockView] {
	return func(ctx context.Context, s InRequest, _ rest.None) ([]blockView, error) {
		list, err := of(ctx, s.Store, s.Request)
		if err != nil {
			return nil, err
		}
		return a.views(ctx, s, list)
	}
}

type blockID struct {
	ID int64 `param:"block_id"`
}

func (a blocks) show(ctx context.Context, s InRequest, in blockID) (blockView, error) {
	b, err := merge.FindBlock(ctx, s.Store, s.Request, in.ID)
	if err != nil {
		return blockView{}, err
	}
	return a.view(ctx, s, b)
}

type blockNew struct {
	BlockingID int64 `param:"blocking_merge_request_id,required"` // global
}

func (a blocks) create(ctx context.Context, s InRequest, in blockNew) (blockView, error) {
	if err := s.waitsFor(ctx, in.BlockingID); err != nil {
		return blockView{}, err
	}
	b, err := merge.AddBlock(ctx, s.Store, s.Request, in.BlockingID)
	if err != nil {
		return blockView{}, err
	}
	return a.view(ctx, s, b)
}

// waitsFor returns nil if the caller may say whether the merge request waits for another one: they
// may edit the first and see the other. One that does not exist is like one that is not seen.
func (s InRequest) waitsFor(ctx context.Context, blocking int64) error {
	if err := s.edits(); err != nil {
		return err
	}
	seen, err := merge.SeenByID(ctx, s.Store, workapi.ViewerOf(s.Anyone), []int64{blocking})
	if err == nil && len(seen) == 0 {
		err = fault.Forbidden("Lacking permissions to the blocking merge request").In(fault.Text)
	}
	return err
}

func (blocks) delete(ctx context.Context, s InRequest, in blockID) (rest.None, error) {
	b, err := merge.FindBlock(ctx, s.Store, s.Request, in.ID)
	if err != nil {
		return rest.None{}, err
	}
	if err := s.waitsFor(ctx, b.BlockingID); err != nil {
		return rest.None{}, err
	}
	return rest.None{}, b.Delete(ctx, s.Store)
}
