package api

import (
	"context"

	"hew/server/forge"
	"hew/server/policy"
	"hew/server/rest"
	"hew/server/store"
)

// protectedTags are those of a project that few may create (gaps §7.4). They are not changed, but unprotected and protected
// anew.
type protectedTags struct {
	*Site
	protectedRefs
}

func (a protectedTags) routes() []rest.Route {
	const path, one = "/projects/{id}/protected_tags", "/projects/{id}/protected_tags/{name}"
	a.kind = store.Tag
	read := as(a.project(policy.ReadProtectedRef), InProject.container)
	admin := as(a.project(policy.AdminProtectedRef), InProject.container)
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

func protectedTagViewOf(r store.ProtectedRef) protectedTagView {
	return protectedTagView{Name: r.Name, CreateAccessLevels: refLevelViews(r, store.Create)}
}

type protectedTagList struct{ rest.Paging }

func (a protectedTags) list(ctx context.Context, s container, in protectedTagList) (rest.List[protectedTagView], error) {
	return rest.Pages(protectedTagViewOf)(s.Store.ProtectedRefs(s.Container, a.kind).List(ctx, pageOf(in.Paging)))
}

func (a protectedTags) show(ctx context.Context, s container, in refName) (protectedTagView, error) {
	return rest.Show(protectedTagViewOf)(a.one(ctx, s, in.Name))
}

type protectedTagNew struct {
	Name              string     `param:"name,required"`
	CreateAccessLevel *int       `param:"create_access_level" oneof:"0 30 40 60"`
	AllowedToCreate   []refGrant `param:"allowed_to_create"`
}

func (in protectedTagNew) edit() forge.RefEdit {
	return forge.RefEdit{
		Fill:   func(*store.ProtectedRef) {},
		Roles:  map[store.RefAct]*int{store.Create: in.CreateAccessLevel},
		Grants: map[store.RefAct][]forge.RefGrant{store.Create: grantsOf(in.AllowedToCreate)},
	}
}

func (a protectedTags) create(ctx context.Context, s container, in protectedTagNew) (protectedTagView, error) {
	return rest.Show(protectedTagViewOf)(forge.CreateProtectedRef(ctx, s.Store, a.key(s, in.Name), in.edit()))
}
