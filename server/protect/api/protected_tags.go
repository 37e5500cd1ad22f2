package api

import (
	"context"

	"hew/server/protect"
	"hew/server/rest"
	"hew/server/scope"
)

// protectedTags are the routes of tags of a project that only some may create (gaps §7.4). They
// cannot be changed, only removed and protected again.
type protectedTags struct{ protectedRefs }

func (a protectedTags) routes() []rest.Route {
	const path, one = "/projects/{id}/protected_tags", "/projects/{id}/protected_tags/{name}"
	a.kind = protect.Tag
	read := scope.HeldByProject(readProtectedRef)
	admin := scope.HeldByProject(adminProtectedRef)
	return []rest.Route{
		rest.Get(path, read, a.list),
		rest.Get(one, read, a.show),
		rest.Post(path, admin, a.create),
		rest.Delete(one, admin, a.delete),
	}
}

type protectedTagView struct {
	Name               string         `json:"name"`
	CreateAccessLevels []refLevelView `json:"create_access_levels"`
}

func protectedTagViewOf(r protect.ProtectedRef) protectedTagView {
	return protectedTagView{Name: r.Name, CreateAccessLevels: refLevelViews(r, protect.Create)}
}

type protectedTagList struct{ rest.Paging }

func (a protectedTags) list(
	ctx context.Context, s scope.Container, in protectedTagList,
) (rest.List[protectedTagView], error) {
	return rest.Pages(protectedTagViewOf)(
		protect.ProtectedRefs(s.Store, s.Container, a.kind).List(ctx, scope.PageOf(in.Paging)))
}

func (a protectedTags) show(ctx context.Context, s scope.Container, in refName) (protectedTagView, error) {
	return rest.Show(protectedTagViewOf)(a.one(ctx, s, in.Name))
}

type protectedTagNew struct {
	Name              string     `param:"name,required"`
	CreateAccessLevel *int       `param:"create_access_level" oneof:"0 30 40 60"`
	AllowedToCreate   []refGrant `param:"allowed_to_create"`
}

func (in protectedTagNew) edit(s scope.Container) protect.RefEdit {
	return protect.RefEdit{
		Visible: VisibleGroups(s.Caller),
		Roles:   map[protect.RefAct]*int{protect.Create: in.CreateAccessLevel},
		Grants:  map[protect.RefAct][]protect.RefGrant{protect.Create: grantsOf(in.AllowedToCreate)},
	}
}

func (a protectedTags) create(ctx context.Context, s scope.Container, in protectedTagNew) (protectedTagView, error) {
	return rest.Show(protectedTagViewOf)(protect.CreateProtectedRef(ctx, s.Store, a.key(s, in.Name), in.edit(s)))
}
