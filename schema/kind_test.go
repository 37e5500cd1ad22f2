package schema

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/zclconf/go-cty/cty"
)

func TestCollections(t *testing.T) {
	t.Parallel()
	groups := &Kind{Collection: "groups/{parent}/subgroups", Root: "groups", Attrs: []Attr{{Name: "parent"}}}
	projects := &Kind{Collection: "groups/{namespace}/projects?with_shared=false", Attrs: []Attr{{Name: "namespace"}}}
	runners := &Kind{Collection: "runners/all?status=online"}

	require.Equal(t, Collection{Path: "groups/12/subgroups"}, groups.In("12"))
	require.Equal(t, Collection{Path: "groups"}, groups.In(""))
	require.Equal(t, Collection{}, projects.In(""), "there are no projects without a namespace")
	require.Equal(t, Collection{"runners/all", "status=online"}, runners.In(""),
		"what belongs to the instance has no owner")
	require.Equal(t, "groups/12/projects?with_shared=false", projects.In("12").String())
	require.Equal(t, "parent", groups.Owner().Name)
	require.Nil(t, runners.Owner())

	below := &Data{Of: "project", Deep: "groups/{group}/projects?include_subgroups=true"}
	require.Equal(t, projects.In("12"), below.In(projects, "12", false), "one reading serves both")
	require.Equal(t, Collection{"groups/12/projects", "include_subgroups=true"}, below.In(projects, "12", true))
}

func TestCatalog(t *testing.T) {
	t.Parallel()
	resource, source, user := &Kind{Name: "group"}, &Kind{Name: "group"}, &Kind{Name: "user"}
	c, err := NewCatalog([]*Kind{resource}, []*Kind{source, user})
	require.NoError(t, err)
	require.Same(t, resource, c.Named("group"))
	require.Same(t, user, c.Named("user"))
	require.Nil(t, c.Named("gruop"))
	require.Equal(t, []string{"group"}, c.Names())
	require.Equal(t, []string{"group", "user"}, c.SourceNames())
	_, err = NewCatalog([]*Kind{resource, source}, nil)
	require.ErrorContains(t, err, `two kinds named "group"`)
}

func TestMatchTakesTheFirstStatedKey(t *testing.T) {
	t.Parallel()
	k := &Kind{Attrs: []Attr{{Name: "name", Type: cty.String}, {Name: "url", Type: cty.String}},
		Match: ByKey("name", "url").OnTwins(Lowest)}
	o := Object{Kind: k}
	_, _, ok := k.Match.Key(o)
	require.False(t, ok)

	o.Value.Set(k.Attr("url"), cty.UnknownVal(cty.String))
	a, _, ok := k.Match.Key(o)
	require.Equal(t, "url", a.Name)
	require.False(t, ok, "not known yet")

	o.Value.Set(k.Attr("name"), cty.StringVal("ci").Mark(Secret))
	a, v, ok := k.Match.Key(o)
	require.True(t, ok)
	require.Equal(t, "name", a.Name)
	require.Equal(t, "ci", v.AsString(), "without marks")
}
