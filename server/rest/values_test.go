package rest_test

import (
	"context"
	"net/http"
	"reflect"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hew/server/rest"
)

// sizes is a table of parameters.
type sizes struct{}

func (sizes) Columns() []rest.Column {
	return []rest.Column{
		{Name: "wide", Type: reflect.TypeFor[int64]()},
		{Name: "deep", Type: reflect.TypeFor[bool]()},
		{Name: "name", Type: reflect.TypeFor[string](), OneOf: []string{"s", "m"}},
		{Name: "tags", Type: reflect.TypeFor[[]string](), Comma: true},
		{Name: "parts", Type: reflect.TypeFor[map[string]int64]()},
	}
}

type sized struct {
	Colour string `param:"colour"`
	rest.Values[sizes]
	_ struct{} `atleast:"*"`
}

func TestValues(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]rest.Values[sizes]{
		`{"colour": "red"}`: nil,
		`{"wide": "7", "deep": 1, "name": "m", "high": 1}`: {"wide": int64(7), "deep": true, "name": "m"},
		`{"wide": null, "deep": "", "name": null}`:         {"wide": nil, "deep": nil, "name": nil},
		`wide=7&tags=a,b&parts[x]=1`: {
			"wide": int64(7), "tags": []string{"a", "b"}, "parts": map[string]int64{"x": 1},
		},
		`tags=`: {"tags": []string{}},
	} {
		in, err := decode[sized](body)
		require.NoError(t, err, body)
		require.Equal(t, want, in.Values, body)
	}
	for body, want := range map[string]string{
		`{}`: "colour, wide, deep, name, tags, parts are missing, at least one " +
			"parameter must be provided",
		`{"wide": "x", "deep": "maybe"}`: "wide is invalid, deep is invalid",
		`{"name": "l"}`:                  "name does not have a valid value",
		`{"parts": 7}`:                   "parts is invalid",
	} {
		_, err := decode[sized](body)
		require.ErrorContains(t, err, want, body)
	}
}

// few are some of them.
type few struct{}

func (few) Columns() []rest.Column { return sizes{}.Columns()[:4] }

// A route tells what it takes, from objects and tables too.
func TestParameters(t *testing.T) {
	t.Parallel()
	type part struct {
		Key  string    `param:"key,alias=name"`
		When time.Time `param:"when"`
	}
	type whole struct {
		ID     int64            `param:"id"`
		Parts  rest.Opt[[]part] `param:"parts"`
		One    *part            `param:"one"`
		Colour string           `param:"colour"`
		rest.Values[few]
	}
	route := rest.Put("/x/{id}",
		rest.Guard[rest.None]{Need: "nothing", Open: func(context.Context, *http.Request) (rest.None, error) {
			return rest.None{}, nil
		}}, func(context.Context, rest.None, whole) (rest.None, error) { return rest.None{}, nil })
	require.Equal(t, []string{
		"id", "parts", "parts.key", "parts.name", "parts.when", "one", "one.key", "one.name", "one.when",
		"colour", "wide", "deep", "name", "tags",
	}, route.Parameters())
}
