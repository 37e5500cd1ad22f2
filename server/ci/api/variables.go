package api

import (
	"context"
	"slices"

	"hew/server/ci"
	"hew/server/db"
	"hew/server/rest"
	"hew/server/scope"
)

// variables are the routes of CI/CD variables of groups, projects and the instance. The
// specification has only those of pipelines (spec 1 §2.4); these follow the public service. Callers
// who may change a value may read it, unless it is hidden.
type variables struct{}

func (a variables) routes() []rest.Route {
	return slices.Concat(
		a.at("/groups/{id}/variables", scope.HeldByGroup(adminGroupVariable)),
		a.at("/projects/{id}/variables", scope.HeldByProject(adminVariable)),
		a.at("/admin/ci/variables", scope.As(scope.ForAdmin(), scope.Admin.Container)),
	)
}

// at returns the routes of variables under a path.
func (a variables) at(path string, admin rest.Guard[scope.Container]) []rest.Route {
	one := path + "/{key}"
	return []rest.Route{
		rest.Get(path, admin, a.list),
		rest.Get(one, admin, a.show),
		rest.Post(path, admin, a.create),
		rest.Put(one, admin, a.update),
		rest.Delete(one, admin, a.delete),
	}
}

// variableView is a variable with its value, which is null if it is hidden. Variables of the
// instance have no environment.
type variableView struct {
	ci.Variable
	Value            *string `json:"value"`
	Hidden           *bool   `json:"hidden,omitempty"`
	EnvironmentScope *string `json:"environment_scope,omitempty"`
}

func variableViewOf(st *db.Store, v ci.Variable) (variableView, error) {
	view := variableView{Variable: v}
	if v.Container != (db.Container{}) {
		view.Hidden, view.EnvironmentScope = &v.Hidden, &v.EnvironmentScope
	}
	if v.Hidden {
		return view, nil
	}
	value, err := ci.VariableValue(st, v)
	view.Value = &value
	return view, err
}

// shown shows a variable, or passes on an error.
func (variables) shown(s scope.Container, v ci.Variable, err error) (variableView, error) {
	if err != nil {
		return variableView{}, err
	}
	return variableViewOf(s.Store, v)
}

type variableList struct{ rest.Paging }

func (variables) list(
	ctx context.Context, s scope.Container, in variableList,
) (out rest.List[variableView], err error) {
	list, total, err := ci.Variables(s.Store, s.Container).List(ctx, scope.PageOf(in.Paging))
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

// variableID names a variable, and the environment where a key has several.
type variableID struct {
	Key    string `param:"key"`
	Filter struct {
		EnvironmentScope string `param:"environment_scope"`
	} `param:"filter"`
}

func (a variables) show(ctx context.Context, s scope.Container, in variableID) (variableView, error) {
	v, err := ci.VariableOf(ctx, s.Store, s.Container, in.Key, in.Filter.EnvironmentScope)
	return a.shown(s, v, err)
}

// variableFields has the field names of ci.Variable.
type variableFields struct {
	rest.Into[ci.Variable]
	VariableType     rest.Opt[string] `param:"variable_type" oneof:"env_var file"`
	EnvironmentScope rest.Opt[string] `param:"environment_scope"`
	Description      rest.Opt[string] `param:"description"`
	Protected        rest.Opt[bool]   `param:"protected"`
	Masked           rest.Opt[bool]   `param:"masked"`
	Raw              rest.Opt[bool]   `param:"raw"`
}

func (in variableFields) into(v *ci.Variable) error {
	rest.Merge(v, in, ci.Variable{VariableType: "env_var", EnvironmentScope: "*"})
	if v.Container == (db.Container{}) {
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

func (in variableNew) into(v *ci.Variable) error {
	if err := in.variableFields.into(v); err != nil {
		return err
	}
	v.Key = in.Key
	if in.MaskedAndHidden && v.Container != (db.Container{}) {
		v.Masked, v.Hidden = true, true
	}
	return nil
}

func (a variables) create(ctx context.Context, s scope.Container, in variableNew) (variableView, error) {
	v, err := ci.CreateVariable(ctx, s.Store, s.Container, ci.VariableEdit{Into: in.into, Value: &in.Value})
	return a.shown(s, v, err)
}

type variableChange struct {
	variableID
	Value rest.Opt[string] `param:"value"`
	variableFields
}

func (a variables) update(ctx context.Context, s scope.Container, in variableChange) (variableView, error) {
	edit := ci.VariableEdit{Into: in.into, Value: rest.TextIfGiven(in.Value)}
	v, err := ci.ChangeVariable(ctx, s.Store, s.Container, in.Key, in.Filter.EnvironmentScope, edit)
	return a.shown(s, v, err)
}

func (variables) delete(ctx context.Context, s scope.Container, in variableID) (rest.None, error) {
	v, err := ci.VariableOf(ctx, s.Store, s.Container, in.Key, in.Filter.EnvironmentScope)
	if err != nil {
		return rest.None{}, err
	}
	return rest.None{}, ci.Variables(s.Store, s.Container).Delete(ctx, db.ByID(v.ID), rest.Unmodified)
}
