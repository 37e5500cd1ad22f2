package api

import (
	"context"
	"time"

	"hew/server/fault"
	"hew/server/rest"
	"hew/server/scope"
	"hew/server/view"
	"hew/server/work"
)

// epicLinks serves the links between epics (gaps §8).
type epicLinks struct{ *view.Site }

func (a epicLinks) at(path string) []rest.Route {
	return []rest.Route{
		rest.Get(path, ForEpic(readEpic), a.list),
		rest.Post(path, ForEpic(adminEpic), a.create),
		rest.Delete(path+"/{related_epic_link_id}", ForEpic(adminEpic), a.delete).Status(200),
	}
}

// linkedEpic is an epic at the other end of a link.
type linkedEpic struct {
	epicView
	LinkID    int64     `json:"related_epic_link_id"`
	Type      string    `json:"link_type"`
	CreatedAt time.Time `json:"link_created_at"`
	UpdatedAt time.Time `json:"link_updated_at"`
}

// epicLinkView is a link with both of its epics.
type epicLinkView struct {
	ID        int64     `json:"id"`
	CreatedAt time.Time `json:"created_at"`
	UpdatedAt time.Time `json:"updated_at"`
	Type      string    `json:"link_type"`
	Source    epicView  `json:"source_epic"`
	Target    epicView  `json:"target_epic"`
}

// seen returns the links of the epic whose other ends the caller sees, with those.
func (a epicLinks) seen(ctx context.Context, s InEpic) (links []work.Link, others []work.Epic, err error) {
	all, err := work.LinksOf(ctx, s.Store, s.Epic.Target())
	if err != nil {
		return nil, nil, err
	}
	ids := make([]int64, len(all))
	for n, l := range all {
		ids[n] = l.Other(s.Epic.ID)
	}
	f := work.EpicFilter{Viewer: ViewerOf(s.Anyone), IDs: ids}
	list, _, err := work.ListEpics(ctx, s.Store, f, scope.PageOf(rest.Paging{Page: 1, PerPage: len(ids)}))
	byID := make(map[int64]work.Epic, len(list))
	for _, e := range list {
		byID[e.ID] = e
	}
	for _, l := range all {
		if e, ok := byID[l.Other(s.Epic.ID)]; ok {
			links, others = append(links, l), append(others, e)
		}
	}
	return links, others, err
}

func (a epicLinks) list(ctx context.Context, s InEpic, in issuePage) (rest.List[linkedEpic], error) {
	links, others, err := a.seen(ctx, s)
	if err != nil {
		return rest.List[linkedEpic]{}, err
	}
	views, err := epicViews{Site: a.Site, from: s.Group.FullPath}.of(ctx, s.Anyone, others)
	if err != nil {
		return rest.List[linkedEpic]{}, err
	}
	shown := make([]linkedEpic, len(links))
	for n, l := range links {
		shown[n] = linkedEpic{views[n], l.ID, l.TypeFrom(s.Epic.ID), l.CreatedAt, l.UpdatedAt}
	}
	return rest.PageOf(shown, in.Paging, func(l linkedEpic) linkedEpic { return l }), nil
}

// view returns a link from the side of the epic of the request.
func (a epicLinks) view(ctx context.Context, s InEpic, l work.Link, other work.Epic) (epicLinkView, error) {
	views, err := epicViews{Site: a.Site, from: s.Group.FullPath}.of(ctx, s.Anyone, []work.Epic{s.Epic, other})
	if err != nil {
		return epicLinkView{}, err
	}
	return epicLinkView{
		ID: l.ID, CreatedAt: l.CreatedAt, UpdatedAt: l.UpdatedAt, Type: l.TypeFrom(s.Epic.ID), Source: views[0],
		Target: views[1],
	}, nil
}

type epicLinkNew struct {
	GroupID int64  `param:"target_group_id,required"`
	IID     int    `param:"target_epic_iid,required"`
	Type    string `param:"link_type" default:"relates_to" oneof:"relates_to blocks is_blocked_by"`
}

func (a epicLinks) create(ctx context.Context, s InEpic, in epicLinkNew) (epicLinkView, error) {
	target, err := epicOf(ctx, s.Anyone, in.GroupID, work.ByIID(in.IID), readEpic)
	if fault.CodeOf(err) == fault.CodeNotFound {
		err = work.NoMatchingEpic()
	}
	if err != nil {
		return epicLinkView{}, err
	}
	l, err := work.LinkEpics(ctx, s.Store, s.Caller.User, s.Epic, target.Epic, in.Type)
	if err != nil {
		return epicLinkView{}, err
	}
	return a.view(ctx, s, l, target.Epic)
}

type epicLinkID struct {
	ID int64 `param:"related_epic_link_id"`
}

func (a epicLinks) delete(ctx context.Context, s InEpic, in epicLinkID) (epicLinkView, error) {
	links, others, err := a.seen(ctx, s)
	if err != nil {
		return epicLinkView{}, err
	}
	for n, l := range links {
		if l.ID != in.ID {
			continue
		}
		if err := work.Unlink(ctx, s.Store, s.Caller.User, l, s.Epic, others[n]); err != nil {
			return epicLinkView{}, err
		}
		return a.view(ctx, s, l, others[n])
	}
	return epicLinkView{}, fault.NotFound("Related Epic Link")
}
