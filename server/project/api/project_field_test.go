package api

import (
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/tree"
)

// apart are the settings that no parameter of the same name and type sets.
var apart = map[string]string{
	"RepositoryObjectFormat":    "said once, when the project is made",
	"ContainerExpirationPolicy": "its parameter has another name, and parts",
	"CIInboundTokenScope":       "has routes of its own: job_token_scope",
}

// Every setting has its parameter, of the same name on the wire, and every parameter a setting.
func TestProjectFieldsAreTheSettings(t *testing.T) {
	t.Parallel()
	params := map[string]reflect.StructField{}
	for _, in := range []any{projectSettingFields{}, projectLateFields{}} {
		for f := range fields(in) {
			params[f.Name] = f
		}
	}
	for f := range fields(tree.ProjectSettings{}) {
		if apart[f.Name] != "" {
			require.NotContains(t, params, f.Name)
			continue
		}
		param, ok := params[f.Name]
		require.True(t, ok, "no parameter sets %s", f.Name)
		require.Equal(t, f.Tag.Get("json"), wireName(param), f.Name)
		require.Equal(t, plain(f.Type), plain(valueOf(param.Type)), f.Name)
		delete(params, f.Name)
	}
	require.Empty(t, params, "parameters that set nothing")

	for f := range fields(tree.ExpirationPolicy{}) {
		param, ok := reflect.TypeFor[projectExpiration]().FieldByName(f.Name)
		require.True(t, ok, "no parameter sets %s", f.Name)
		require.Equal(t, f.Tag.Get("json"), wireName(param))
	}
}

// fields walks the fields of a struct.
func fields(of any) func(func(reflect.StructField) bool) {
	return func(yield func(reflect.StructField) bool) {
		for i := range reflect.TypeOf(of).NumField() {
			if f := reflect.TypeOf(of).Field(i); !f.Anonymous && !yield(f) {
				return
			}
		}
	}
}

func wireName(f reflect.StructField) string {
	name, _, _ := strings.Cut(f.Tag.Get("param"), ",")
	return name
}

// valueOf is the T of an Opt[T].
func valueOf(opt reflect.Type) reflect.Type {
	value, _ := opt.MethodByName("Value")
	return value.Type.Out(0)
}

func plain(t reflect.Type) reflect.Type {
	if t.Kind() == reflect.Pointer {
		return t.Elem()
	}
	return t
}
