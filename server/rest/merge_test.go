package rest_test

import (
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
		Name   string // is no Opt
		Other  rest.Opt[string]
		Method rest.Opt[string]
		Public rest.Opt[bool]
		Label  rest.Opt[string]
		late
	}
	four, old := 4, "old"
	was := settings{Method: "ff", Depth: nil, Public: true, Label: &old, Kept: "kept"}
	defaults := settings{Method: "merge", Public: true}

	got := was
	rest.Merge(&got, in{Other: rest.Some("x")}, defaults)
	require.Equal(t, was, got, "what was not given stays")

	rest.Merge(&got, in{Public: rest.Some(false), late: late{rest.Some(4)}}, defaults)
	require.Equal(t, settings{Method: "ff", Depth: &four, Label: &old, Kept: "kept"}, got)

	rest.Merge(&got, in{Method: rest.Null[string](), Label: rest.Null[string](), Public: rest.Null[bool]()}, defaults)
	require.Equal(t, settings{Method: "merge", Depth: &four, Public: true, Kept: "kept"}, got, "null is the default, or nothing")
}

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
