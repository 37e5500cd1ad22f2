package api

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/group"
	"hew/server/policy"
	"hew/server/rest"
	"hew/server/scope"
	"hew/server/tree"
	"hew/server/view"
)

// groups are groups and subgroups (spec 2 §2.7 and §4.5, gaps §3.1 and §3.2).
type groups struct{ *view.Site }

func (a groups) routes() []rest.Route {
	anyone, user := scope.ForAnyone(), scope.ForSigned()
	read, admin := scope.ForGroup(policy.ReadGroup), scope.ForGroup(adminGroup)
	return []rest.Route{
		rest.Get("/groups", anyone, a.list),
		rest.Post("/groups", user, a.create),
		rest.Get("/groups/{id}", read, a.show),
		rest.Put("/groups/{id}", admin, a.update),
		rest.Delete("/groups/{id}", scope.ForGroup(deleteGroup), a.delete).Status(202),
		rest.Post("/groups/{id}/restore", scope.ForGroup(restoreGroup), a.restore),
		rest.Post("/groups/{id}/transfer", scope.ForGroup(transferGroup), a.transfer),
		rest.Get("/groups/{id}/transfer_locations", scope.ForGroup(transferGroup), a.listLocations),
		rest.Get("/groups/{id}/subgroups", read, a.listSubgroups),
		rest.Get("/groups/{id}/descendant_groups", read, a.listDescendants),
	}
}

type groupShow struct {
	WithCustomAttributes bool `param:"with_custom_attributes"`
	WithProjects         bool `param:"with_projects" default:"true"`
}

func (a groups) show(ctx context.Context, g scope.InGroup, in groupShow) (GroupDetail, error) {
	var open *db.Visibility
	if in.WithProjects {
		open = new(scope.OpenTo(g.Caller))
	}
	v, err := groupDetailOf(ctx, a.Site, g, open)
	if err == nil && in.WithCustomAttributes && g.Caller.Admin() {
		v.CustomAttributes = view.CustomAttributesOf(g.Group.CustomAttributes)
	}
	return v, err
}

type groupNew struct {
	Name     string `param:"name,required,notempty"`
	Path     string `param:"path,required,notempty"`
	ParentID *int64 `param:"parent_id"`
	groupFields
	groupQuota
}

func (a groups) create(ctx context.Context, s scope.Signed, in groupNew) (GroupDetail, error) {
	switch {
	case in.ParentID != nil:
		if _, err := s.InGroup(ctx, *in.ParentID, createSubgroup); err != nil {
			return GroupDetail{}, err
		}
	case !s.Can(createGroup):
		return GroupDetail{}, fault.Forbidden("")
	}
	g, err := group.NewGroupOfInstance(ctx, s.Store, in.Name, in.Path, in.ParentID)
	if err != nil {
		return GroupDetail{}, err
	}
	in.groupFields.into(&g)
	if s.Caller.Admin() {
		in.groupQuota.into(&g)
	}
	g, err = group.CreateGroup(ctx, s.Store, g, in.visibility(), s.Caller.User)
	if err == nil {
		err = in.AvatarParam.Store(ctx, s.Store, tree.PicturedBy(g.Container()), &g.Avatar)
	}
	if err != nil {
		return GroupDetail{}, unsaved("group", err)
	}
	return ChangedGroup(ctx, a.Site, s.Anyone, g)
}

type groupChange struct {
	Name rest.Opt[string] `param:"name"`
	Path rest.Opt[string] `param:"path"`
	groupFields
	groupQuota
	groupLateFields
}

func (a groups) update(ctx context.Context, g scope.InGroup, in groupChange) (GroupDetail, error) {
	if v := in.visibility(); v != nil && *v != g.Group.Visibility {
		if err := tree.CheckVisibility(ctx, g.Store, *v, g.Caller.User); err != nil {
			return GroupDetail{}, err
		}
	}
	var err error
	g.Group.Group, err = group.ChangeGroup(ctx, g.Store, g.Group.Group, func(h *tree.Group) {
		in.Name.Into(&h.Name)
		in.Path.Into(&h.Path)
		if v := in.visibility(); v != nil {
			h.Visibility = *v
		}
		in.groupFields.into(h)
		in.groupLateFields.into(h)
		if g.Caller.Admin() {
			in.groupQuota.into(h)
		}
	})
	if err == nil {
		err = in.AvatarParam.Store(ctx, g.Store, tree.PicturedBy(g.Group.Container()), &g.Group.Avatar)
	}
	if err != nil {
		return GroupDetail{}, err
	}
	return wholeGroup(ctx, a.Site, g)
}

// unsaved turns a fault about fields into the answer of the public service, a printed Ruby hash
// (gaps §1.1).
func unsaved(what string, err error) error {
	f, ok := fault.From(err)
	if !ok || f.Fields == nil {
		return err
	}
	var fields []string
	for _, name := range slices.Sorted(maps.Keys(f.Fields)) {
		var texts []string
		for _, t := range f.Fields[name] {
			texts = append(texts, strconv.Quote(t))
		}
		fields = append(fields, fmt.Sprintf(":%s=>[%s]", name, strings.Join(texts, ", ")))
	}
	return fault.BadRequest("Failed to save " + what + " {" + strings.Join(fields, ", ") + "}").In(fault.Text).Because(
		err,
	)
}

type groupDelete struct {
	PermanentlyRemove bool   `param:"permanently_remove"`
	FullPath          string `param:"full_path"`
}

// delete marks the group for deletion, or removes it now.
func (a groups) delete(ctx context.Context, g scope.InGroup, in groupDelete) (rest.None, error) {
	if err := rest.Unmodified(ctx, g.Group.UpdatedAt); err != nil {
		return rest.None{}, err
	}
	if in.PermanentlyRemove {
		return rest.None{}, group.RemoveGroup(ctx, g.Store, g.Group.ID, in.FullPath)
	}
	return rest.None{}, group.DeleteGroup(ctx, g.Store, g.Group.ID, g.Caller.User)
}

func (a groups) restore(ctx context.Context, g scope.InGroup, _ rest.None) (GroupDetail, error) {
	after, err := group.RestoreGroup(ctx, g.Store, g.Group.ID)
	if err != nil {
		return GroupDetail{}, err
	}
	return ChangedGroup(ctx, a.Site, g.Anyone, after)
}

type groupTransfer struct {
	GroupID *int64 `param:"group_id"` // absent: to the top level
}

// transfer requires the right to create groups in the new place.
func (a groups) transfer(ctx context.Context, g scope.InGroup, in groupTransfer) (GroupDetail, error) {
	switch {
	case in.GroupID != nil:
		if _, err := g.InGroup(ctx, *in.GroupID, createSubgroup); err != nil {
			return GroupDetail{}, err
		}
	case !g.Anyone.Can(createGroup):
		return GroupDetail{}, fault.Forbidden("")
	}
	after, err := group.TransferGroup(ctx, g.Store, g.Group.ID, in.GroupID, g.Caller.User)
	if err != nil {
		return GroupDetail{}, err
	}
	return ChangedGroup(ctx, a.Site, g.Anyone, after)
}
