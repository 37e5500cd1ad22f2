package api

import (
	"context"
	"net/http"
	"strconv"

	"hew/server/auth"
	"hew/server/db"
	"hew/server/fault"
	"hew/server/policy"
	"hew/server/rest"
	"hew/server/scope"
	"hew/server/work"
)

// InEpic is the scope of a route of an epic that the caller sees.
type InEpic struct {
	scope.InGroup
	Epic work.Epic
}

// forEpics returns a guard that admits users with the ability on the group of the path. All
// routes of epics need a user (spec 2 §4.4).
func forEpics(need policy.Ability) rest.Guard[scope.InGroup] {
	group := scope.ForGroup(need)
	open := func(ctx context.Context, r *http.Request) (scope.InGroup, error) {
		if !auth.From(ctx).Signed() {
			return scope.InGroup{}, fault.Unauthorized()
		}
		return group.Open(ctx, r)
	}
	return rest.Guard[scope.InGroup]{Need: need.Name, Open: open}
}

// ForEpic returns a guard that finds the epic {epic_iid} of the group of the path, and admits
// users who see it and have the ability on the group.
func ForEpic(need policy.Ability) rest.Guard[InEpic] {
	return forEpic(need, "epic_iid", func(n int64) db.Condition { return work.ByIID(int(n)) })
}

// ForEpicByID is ForEpic for paths that have the id of the epic, {epic_id}.
func ForEpicByID(need policy.Ability) rest.Guard[InEpic] { return forEpic(need, "epic_id", db.ByID) }

func forEpic(need policy.Ability, wildcard string, by func(int64) db.Condition) rest.Guard[InEpic] {
	group := forEpics(readEpic)
	return rest.Guard[InEpic]{Need: need.Name, Open: func(ctx context.Context, r *http.Request) (InEpic, error) {
		g, err := group.Open(ctx, r)
		if err != nil {
			return InEpic{}, err
		}
		s := InEpic{InGroup: g}
		n, err := strconv.ParseInt(r.PathValue(wildcard), 10, 64)
		if err != nil {
			return s, fault.Param(wildcard + " is invalid")
		}
		if s.Epic, err = ViewerOf(g.Anyone).Epic(ctx, g.Store, g.Group.ID, g.Who().Level, by(n)); err != nil {
			return s, err
		}
		return s, g.Place().Admit(need, "")
	}}
}

// otherEpic returns an epic that a parameter names by its id, with its group, if the caller sees
// it and has the ability there.
func otherEpic(ctx context.Context, s scope.Anyone, id int64, need policy.Ability) (InEpic, error) {
	byID, err := work.EpicsByID(ctx, s.Store, []int64{id})
	if err != nil {
		return InEpic{}, err
	}
	e, ok := byID[id]
	if !ok {
		return InEpic{}, fault.NotFound("Epic")
	}
	return epicOf(ctx, s, e.NamespaceID, db.ByID(id), need)
}

// epicOf returns an epic of a group that parameters name, if the caller sees it and has the
// ability there.
func epicOf(
	ctx context.Context, s scope.Anyone, group int64, which db.Condition, need policy.Ability,
) (InEpic, error) {
	g, err := s.InGroup(ctx, group, readEpic)
	if err != nil {
		return InEpic{}, fault.NotFound("Epic")
	}
	e, err := ViewerOf(s).Epic(ctx, s.Store, group, g.Who().Level, which)
	if err != nil {
		return InEpic{}, err
	}
	return InEpic{g, e}, g.Place().Admit(need, "")
}
