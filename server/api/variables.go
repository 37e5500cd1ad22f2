package api

import (
	"context"
	"slices"

	"hew/server/forge"
	"hew/server/policy"
	"hew/server/rest"
	"hew/server/store"
)

// variables are what jobs are given by name, of groups, of projects and of the instance. The specification knows only those
// of pipelines (spec 1 §2.4); these follow the public service. Whoever may change a value may read it, unless it is hidden.
type variables struct{ *Site }

func (a variables) routes() []rest.Route {
	return slices.Concat(
		a.at("/groups/{id}/variables", as(a.group(policy.AdminGroupVariable), InGroup.container)),
		a.at("/projects/{id}/variables", as(a.project(policy.AdminVariable), InProject.container)),
		a.at("/admin/ci/variables", as(a.admin(), Admin.container)),
	)
}

// at are the routes of variables under a path.
func (a variables) at(path string, admin rest.Guard[container]) []rest.Route {
	one := path + "/{key}"
	return []rest.Route{
		rest.Get(path, admin, a.list),
		rest.Get(one, admin, a.show),
		rest.Post(path, admin, a.create),
		rest.Put(one, admin, a.update),
		rest.Delete(one, admin, a.delete),
	}
}

// variableView is a variable with its value, which is null where it is hidden. Those of the instance are for all environments.
type variableView struct {
	store.Variable
	Value            *string `json:"value"`
	Hidden           *bool   `json:"hidden,omitempty"`
	EnvironmentScope *string `json:"environment_scope,omitempty"`
}

func variableViewOf(st *store.Store, v store.Variable) (variableView, error) {
	view := variableView{Variable: v}
	if v.Container != (store.Container{}) {
		view.Hidden, view.EnvironmentScope = &v.Hidden, &v.EnvironmentScope
	}
	if v.Hidden {
		return view, nil
	}
	value, err := st.VariableValue(v)
	view.Value = &value
	return view, err
}

// shown is the view of a variable that may have failed to be.
func (variables) shown(s container, v store.Variable, err error) (variableView, error) {
	if err != nil {
		return variableView{}, err
	}
	return variableViewOf(s.Store, v)
}

type variableList struct{ rest.Paging }

func (variables) list(ctx context.Context, s container, in variableList) (out rest.List[variableView], err error) {
	list, total, err := s.Store.Variables(s.Container).List(ctx, pageOf(in.Paging))
	if err != nil {
		return out, err
	}
	views := make([]variableView, len(list))
	for i, v := range list {
		if views[i], err = variableViewOf(s.Store, v); err != nil {
			return out, err
		}
	}
	return rest.Page(views, total, nil)
}

// variableID says which variable, and for which environment where there are several.
type variableID struct {
	Key    string `param:"key"`
	Filter struct {
		EnvironmentScope string `param:"environment_scope"`
	} `param:"filter"`
}

func (a variables) show(ctx context.Context, s container, in variableID) (variableView, error) {
	v, err := forge.VariableOf(ctx, s.Store, s.Container, in.Key, in.Filter.EnvironmentScope)
	return a.shown(s, v, err)
}

// variableFields are called as in store.Variable.
type variableFields struct {
	rest.Into[store.Variable]
	VariableType     rest.Opt[string] `param:"variable_type" oneof:"env_var file"`
	EnvironmentScope rest.Opt[string] `param:"environment_scope"`
	Description      rest.Opt[string] `param:"description"`
	Protected        rest.Opt[bool]   `param:"protected"`
	Masked           rest.Opt[bool]   `param:"masked"`
	Raw              rest.Opt[bool]   `param:"raw"`
}

func (in variableFields) into(v *store.Variable) error {
	rest.Merge(v, in, store.Variable{VariableType: "env_var", EnvironmentScope: "*"})
	if v.Container == (store.Container{}) {
		v.EnvironmentScope = "*"
	}
	return nil
}

type variableNew struct {
	Key             string `param:"key,required,notempty"`
	Value           string `param:"value,required"`
	MaskedAndHidden bool   `param:"masked_and_hidden"`
	variableFields
}

func (in variableNew) into(v *store.Variable) error {
	if err := in.variableFields.into(v); err != nil {
		return err
	}
	v.Key = in.Key
	if in.MaskedAndHidden && v.Container != (store.Container{}) {
		v.Masked, v.Hidden = true, true
	}
	return nil
}

func (a variables) create(ctx context.Context, s container, in variableNew) (variableView, error) {
	v, err := forge.CreateVariable(ctx, s.Store, s.Container, forge.VariableEdit{Into: in.into, Value: &in.Value})
	return a.shown(s, v, err)
}

type variableChange struct {
	variableID
	Value rest.Opt[string] `param:"value"`
	variableFields
}

func (a variables) update(ctx context.Context, s container, in variableChange) (variableView, error) {
	edit := forge.VariableEdit{Into: in.into, Value: told(in.Value)}
	v, err := forge.ChangeVariable(ctx, s.Store, s.Container, in.Key, in.Filter.EnvironmentScope, edit)
	return a.shown(s, v, err)
}

func (variables) delete(ctx context.Context, s container, in variableID) (rest.None, error) {
	v, err := forge.VariableOf(ctx, s.Store, s.Container, in.Key, in.Filter.EnvironmentScope)
	if err != nil {
		return rest.None{}, err
	}
	return rest.None{}, s.Store.Variables(s.Container).Delete(ctx, store.ByID(v.ID), rest.Unmodified)
}
