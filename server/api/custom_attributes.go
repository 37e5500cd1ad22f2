package api

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"hew/server/fault"
	"hew/server/forge"
	"hew/server/policy"
	"hew/server/rest"
	"hew/server/store"
)

// customAttributes are notes of administrators on users, groups and projects, which lists are searched by (spec 2 §4.5,
// gaps §2.1, §4.2). Nobody else sees them.
type customAttributes struct{ *Site }

func (a customAttributes) routes() []rest.Route {
	return slices.Concat(
		a.at("/users/{id}/custom_attributes", a.user()),
		a.at("/groups/{id}/custom_attributes", as(a.group(policy.AdminInstance), InGroup.bearer)),
		a.at("/projects/{id}/custom_attributes", as(a.project(policy.AdminInstance), InProject.bearer)),
	)
}

// at are the routes of custom attributes under a path.
func (a customAttributes) at(path string, admin rest.Guard[bearer]) []rest.Route {
	one := path + "/{key}"
	return []rest.Route{
		rest.Get(path, admin, a.list),
		rest.Get(one, admin, a.show),
		rest.Put(one, admin, a.set),
		rest.Delete(one, admin, a.delete),
	}
}

// bearer is what has custom attributes: the scope of the routes for them.
type bearer struct {
	Anyone
	store.Bearer
}

func (g InGroup) bearer() bearer { return bearer{g.Anyone, g.Group.Bearer()} }

func (p InProject) bearer() bearer { return bearer{p.Anyone, p.Project.Bearer()} }

// user admits administrators to the user that the path names.
func (a customAttributes) user() rest.Guard[bearer] {
	admin := a.admin()
	return rest.Guard[bearer]{Need: admin.Need, Open: func(ctx context.Context, r *http.Request) (bearer, error) {
		s, err := admin.Open(ctx, r)
		if err != nil {
			return bearer{}, err
		}
		u, err := s.Store.UserByRef(ctx, r.PathValue("id"))
		return bearer{s.Anyone, u.Bearer()}, err
	}}
}

// customAttribute is one of them as it is shown.
type customAttribute struct {
	Key   string `json:"key"`
	Value string `json:"value"`
}

// customAttributesOf lists custom attributes by key.
func customAttributesOf(m map[string]string) []customAttribute {
	list := make([]customAttribute, 0, len(m))
	for k, v := range m {
		list = append(list, customAttribute{k, v})
	}
	slices.SortFunc(list, func(a, b customAttribute) int { return strings.Compare(a.Key, b.Key) })
	return list
}

// list is not paged: they are few.
func (customAttributes) list(ctx context.Context, s bearer, _ rest.None) ([]customAttribute, error) {
	return rest.Show(customAttributesOf)(s.Store.CustomAttributes(ctx, s.Bearer))
}

type customAttributeKey struct {
	Key string `param:"key"`
}

func (customAttributes) show(ctx context.Context, s bearer, in customAttributeKey) (customAttribute, error) {
	attributes, err := s.Store.CustomAttributes(ctx, s.Bearer)
	value, ok := attributes[in.Key]
	if err == nil && !ok {
		err = fault.NoRecord()
	}
	return customAttribute{in.Key, value}, err
}

type customAttributeSet struct {
	customAttributeKey
	Value string `param:"value,required,notempty"`
}

func (customAttributes) set(ctx context.Context, s bearer, in customAttributeSet) (customAttribute, error) {
	return customAttribute{in.Key, in.Value}, forge.ChangeCustomAttributes(ctx, s.Store, s.Bearer, func(m map[string]string) error {
		m[in.Key] = in.Value
		return nil
	})
}

func (customAttributes) delete(ctx context.Context, s bearer, in customAttributeKey) (rest.None, error) {
	return rest.None{}, forge.ChangeCustomAttributes(ctx, s.Store, s.Bearer, func(m map[string]string) error {
		if _, ok := m[in.Key]; !ok {
			return fault.NoRecord()
		}
		delete(m, in.Key)
		return nil
	})
}
