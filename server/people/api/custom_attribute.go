package api

import (
	"context"
	"net/http"
	"slices"

	"hew/server/fault"
	"hew/server/people"
	"hew/server/policy"
	"hew/server/rest"
	"hew/server/scope"
	"hew/server/tree"
	"hew/server/view"
)

// customAttributes are key-value pairs that administrators set on users, groups and projects, and
// filter lists by (spec 2 §4.5, gaps §2.1, §4.2). Nobody else sees them.
type customAttributes struct{}

func (a customAttributes) routes() []rest.Route {
	return slices.Concat(
		a.at("/users/{id}/custom_attributes", a.user()),
		a.at("/groups/{id}/custom_attributes", scope.As(scope.ForGroup(policy.AdminInstance), bearerOfGroup)),
		a.at("/projects/{id}/custom_attributes", scope.As(scope.ForProject(policy.AdminInstance), bearerOfProject)),
	)
}

// at returns the routes of custom attributes below a path.
func (a customAttributes) at(path string, admin rest.Guard[bearer]) []rest.Route {
	one := path + "/{key}"
	return []rest.Route{
		rest.Get(path, admin, a.list),
		rest.Get(one, admin, a.show),
		rest.Put(one, admin, a.set),
		rest.Delete(one, admin, a.delete),
	}
}

// bearer is a scope: the user, group or project that has the custom attributes.
type bearer struct {
	scope.Anyone
	tree.Bearer
}

func bearerOfGroup(g scope.InGroup) bearer { return bearer{g.Anyone, g.Group.Bearer()} }

func bearerOfProject(p scope.InProject) bearer { return bearer{p.Anyone, p.Project.Bearer()} }

// user returns a guard that admits administrators to the user in the path.
func (a customAttributes) user() rest.Guard[bearer] {
	admin := scope.ForAdmin()
	return rest.Guard[bearer]{Need: admin.Need, Open: func(ctx context.Context, r *http.Request) (bearer, error) {
		s, err := admin.Open(ctx, r)
		if err != nil {
			return bearer{}, err
		}
		u, err := tree.UserByRef(ctx, s.Store, r.PathValue("id"))
		return bearer{s.Anyone, u.Bearer()}, err
	}}
}

// list is not paged, because people limits them to a hundred.
func (customAttributes) list(ctx context.Context, s bearer, _ rest.None) ([]view.CustomAttribute, error) {
	return rest.Show(view.CustomAttributesOf)(people.CustomAttributes(ctx, s.Store, s.Bearer))
}

type customAttributeKey struct {
	Key string `param:"key"`
}

func (customAttributes) show(ctx context.Context, s bearer, in customAttributeKey) (view.CustomAttribute, error) {
	attributes, err := people.CustomAttributes(ctx, s.Store, s.Bearer)
	value, ok := attributes[in.Key]
	if err == nil && !ok {
		err = fault.NoRecord()
	}
	return view.CustomAttribute{Key: in.Key, Value: value}, err
}

type customAttributeSet struct {
	customAttributeKey
	Value string `param:"value,required,notempty"`
}

func (customAttributes) set(ctx context.Context, s bearer, in customAttributeSet) (view.CustomAttribute, error) {
	return view.CustomAttribute{Key: in.Key, Value: in.Value},
		people.ChangeCustomAttributes(ctx, s.Store, s.Bearer, func(m map[string]string) error {
			m[in.Key] = in.Value
			return nil
		})
}

func (customAttributes) delete(ctx context.Context, s bearer, in customAttributeKey) (rest.None, error) {
	return rest.None{}, people.ChangeCustomAttributes(ctx, s.Store, s.Bearer, func(m map[string]string) error {
		if _, ok := m[in.Key]; !ok {
			return fault.NoRecord()
		}
		delete(m, in.Key)
		return nil
	})
}
