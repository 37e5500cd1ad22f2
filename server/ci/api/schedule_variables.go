package api

import (
	"context"

	"hew/server/ci"
	"hew/server/ci/expression"
	"hew/server/rest"
	"hew/server/scope"
)

// variableRoutes are the routes of variables of schedules.
func (a schedules) variableRoutes(one string, run rest.Guard[scope.InProject]) []rest.Route {
	const key = "/variables/{key}"
	return []rest.Route{
		rest.Post(one+"/variables", run, a.createVariable),
		rest.Put(one+key, run, a.updateVariable),
		rest.Delete(one+key, run, a.deleteVariable).Status(202),
	}
}

// givenVariable is a variable that somebody gave a pipeline, schedule or job.
type givenVariable struct {
	Type  string `json:"variable_type"`
	Key   string `json:"key"`
	Value string `json:"value"`
	Raw   bool   `json:"raw"`
}

func givenView(v expression.Variable) givenVariable {
	kind := envVar
	if v.File {
		kind = fileVar
	}
	return givenVariable{Type: kind, Key: v.Key, Value: v.Value, Raw: v.Raw}
}

// givenViews shows variables; not nil.
func givenViews(list []expression.Variable) []givenVariable {
	views := make([]givenVariable, len(list))
	for n, v := range list {
		views[n] = givenView(v)
	}
	return views
}

// The types of variables.
const (
	envVar  = "env_var"
	fileVar = "file"
)

type scheduleVariableNew struct {
	scheduleID
	Key   string `param:"key,required,notempty"`
	Value string `param:"value,required"`
	Type  string `param:"variable_type" default:"env_var" oneof:"env_var file"`
}

func (schedules) createVariable(
	ctx context.Context, s scope.InProject, in scheduleVariableNew,
) (givenVariable, error) {
	row, err := in.forChange(ctx, s)
	if err != nil {
		return givenVariable{}, err
	}
	return rest.Show(givenView)(ci.CreateScheduleVariable(ctx, s.Store, row,
		expression.Variable{Key: in.Key, Value: in.Value, File: in.Type == fileVar}))
}

type scheduleVariableID struct {
	scheduleID
	Key string `param:"key"`
}

type scheduleVariableChange struct {
	scheduleVariableID
	Value rest.Opt[string] `param:"value"`
	Type  rest.Opt[string] `param:"variable_type" oneof:"env_var file"`
}

func (in scheduleVariableChange) into(v *expression.Variable) {
	in.Value.Into(&v.Value)
	if kind, given := in.Type.Value(); given {
		v.File = kind == fileVar
	}
}

func (schedules) updateVariable(
	ctx context.Context, s scope.InProject, in scheduleVariableChange,
) (givenVariable, error) {
	row, err := in.forChange(ctx, s)
	if err != nil {
		return givenVariable{}, err
	}
	return rest.Show(givenView)(ci.ChangeScheduleVariable(ctx, s.Store, row, in.Key, in.into))
}

func (schedules) deleteVariable(
	ctx context.Context, s scope.InProject, in scheduleVariableID,
) (givenVariable, error) {
	row, err := in.forChange(ctx, s)
	if err != nil {
		return givenVariable{}, err
	}
	return rest.Show(givenView)(ci.DeleteScheduleVariable(ctx, s.Store, row, in.Key))
}
