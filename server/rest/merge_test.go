package rest_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/rest"
)

func TestMerge(t *testing.T) {
	t.Parallel()
	type settings struct {
		Method string
		Depth  *int
		Public bool
		Label  *string
		Kept   string
	}
	type late struct{ Depth rest.Opt[int] }
	type in struct {
		rest.Into[settings]
		Name   string // not an Opt
		Method rest.Opt[string]
		Public rest.Opt[bool]
		Label  rest.Opt[string]
		late
	}
	four, old := 4, "old"
	was := settings{Method: "ff", Depth: nil, Public: true, Label: &old, Kept: "kept"}
	defaults := settings{Method: "merge", Public: true}

	got := was
	rest.Merge(&got, in{Name: "x"}, defaults)
	require.Equal(t, was, got, "what was not given stays")

	rest.Merge(&got, in{Public: rest.Some(false), late: late{rest.Some(4)}}, defaults)
	require.Equal(t, settings{Method: "ff", Depth: &four, Label: &old, Kept: "kept"}, got)

	rest.Merge(&got, in{Method: rest.Null[string](), Label: rest.Null[string](), Public: rest.Null[bool]()}, defaults)
	require.Equal(
		t, settings{Method: "merge", Depth: &four, Public: true, Kept: "kept"}, got, "null is the default, or nothing",
	)
}

// A parameter without a field to set panics when the routes are created.
func TestIntoFits(t *testing.T) {
	t.Parallel()
	type settings struct {
		Method string
		Label  *string
	}
	type right struct {
		rest.Into[settings]
		Other  string           `param:"other"` // not an Opt
		Method rest.Opt[string] `param:"method"`
		Label  rest.Opt[string] `param:"label"`
	}
	require.NotPanics(t, func() { rest.Put("/x", anyone, takes[right]) })

	type misspelt struct {
		rest.Into[settings]
		Methd rest.Opt[string] `param:"method"`
	}
	require.PanicsWithValue(t,
		"rest: rest_test.misspelt.Methd cannot be merged into rest_test.settings, which has no such field",
		func() { rest.Put("/x", anyone, takes[struct{ misspelt }]) })

	type mistyped struct {
		rest.Into[settings]
		Label rest.Opt[int] `param:"label"`
	}
	require.PanicsWithValue(t,
		"rest: rest_test.mistyped.Label of type int cannot be merged into rest_test.settings, where it has type "+
			"*string",
		func() { rest.Put("/x", anyone, takes[mistyped]) })
}

func takes[In any](context.Context, rest.None, In) (rest.None, error) { return rest.None{}, nil }

func TestGiven(t *testing.T) {
	t.Parallel()
	type late struct{ Depth rest.Opt[int] }
	type in struct {
		Name  string
		Label rest.Opt[string]
		late
	}
	require.False(t, rest.Given(in{Name: "x"}))
	require.True(t, rest.Given(in{Label: rest.Null[string]()}))
	require.True(t, rest.Given(in{late: late{rest.Some(0)}}))
}
