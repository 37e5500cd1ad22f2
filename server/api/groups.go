package api

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"hew/server/fault"
	"hew/server/forge"
	"hew/server/policy"
	"hew/server/rest"
	"hew/server/store"
)

// groups are groups and subgroups (spec 2 §2.7 and §4.5, gaps §3.1 and §3.2).
type groups struct{ *Site }

func (a groups) routes() []rest.Route {
	anyone, user := a.anyone(), a.signed()
	read, admin := a.group(policy.ReadGroup), a.group(policy.AdminGroup)
	return []rest.Route{
		rest.Get("/groups", anyone, a.list),
		rest.Post("/groups", user, a.create),
		rest.Get("/groups/{id}", read, a.show),
		rest.Put("/groups/{id}", admin, a.update),
		rest.Delete("/groups/{id}", a.group(policy.DeleteGroup), a.delete).Status(202),
		rest.Post("/groups/{id}/restore", a.group(policy.RestoreGroup), a.restore),
		rest.Post("/groups/{id}/transfer", a.group(policy.TransferGroup), a.transfer),
		rest.Get("/groups/{id}/transfer_locations", a.group(policy.TransferGroup), a.listLocations),
		rest.Get("/groups/{id}/subgroups", read, a.listSubgroups),
		rest.Get("/groups/{id}/descendant_groups", read, a.listDescendants),
	}
}

type groupShow struct {
	WithCustomAttributes bool `param:"with_custom_attributes"`
	WithProjects         bool `param:"with_projects" default:"true"`
}

func (a groups) show(ctx context.Context, g InGroup, in groupShow) (groupDetail, error) {
	var open *store.Visibility
	if in.WithProjects {
		open = new(openTo(g.Caller))
	}
	v, err := a.groupDetail(ctx, g, open)
	if err == nil && in.WithCustomAttributes && g.Caller.Admin() {
		v.CustomAttributes = customAttributesOf(g.Group.CustomAttributes)
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

func (a groups) create(ctx context.Context, s Signed, in groupNew) (groupDetail, error) {
	switch {
	case in.ParentID != nil:
		if _, err := s.inGroup(ctx, *in.ParentID, policy.CreateSubgroup); err != nil {
			return groupDetail{}, err
		}
	case !s.Can(policy.CreateGroup):
		return groupDetail{}, fault.Forbidden("")
	}
	g, err := forge.NewGroup(ctx, s.Store, in.Name, in.Path, in.ParentID)
	if err != nil {
		return groupDetail{}, err
	}
	in.groupFields.into(&g)
	if s.Caller.Admin() {
		in.groupQuota.into(&g)
	}
	g, err = forge.CreateGroup(ctx, s.Store, a.Jobs, g, in.visibility(), s.Caller.User)
	if err == nil {
		err = avatarInto(ctx, s.Store, g.Container(), in.Avatar, &g.Avatar)
	}
	if err != nil {
		return groupDetail{}, unsaved("group", err)
	}
	return a.changedGroup(ctx, s.Anyone, g)
}

type groupChange struct {
	Name rest.Opt[string] `param:"name"`
	Path rest.Opt[string] `param:"path"`
	groupFields
	groupQuota
	groupLateFields
}

func (a groups) update(ctx context.Context, g InGroup, in groupChange) (groupDetail, error) {
	if v := in.visibility(); v != nil && *v != g.Group.Visibility {
		if err := forge.CheckVisibility(ctx, g.Store, *v, g.Caller.User); err != nil {
			return groupDetail{}, err
		}
	}
	var err error
	g.Group.Group, err = forge.ChangeGroup(ctx, g.Store, g.Group.Group, func(h *store.Group) {
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
		err = avatarInto(ctx, g.Store, g.Group.Container(), in.Avatar, &g.Group.Avatar)
	}
	if err != nil {
		return groupDetail{}, err
	}
	return a.wholeGroup(ctx, g)
}

// inGroup opens the scope of a group that a parameter names, by the rules of a guard.
func (a Anyone) inGroup(ctx context.Context, id int64, need policy.Ability) (InGroup, error) {
	found, err := a.Store.GroupFor(ctx, strconv.FormatInt(id, 10), a.Caller.ID())
	if err != nil {
		return InGroup{}, err
	}
	g := InGroup{a, found}
	return g, g.Place().admit(need, "")
}

// unsaved is how the public service answers when a new thing is refused: the fields as its language prints a hash
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
	return fault.BadRequest("Failed to save " + what + " {" + strings.Join(fields, ", ") + "}").In(fault.Text).Because(err)
}
