package schema

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/zclconf/go-cty/cty"
)

func TestReferences(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		stated cty.Value
		want   Ref
		ok     bool
	}{
		{cty.NumberIntVal(12), Ref{ID: "12"}, true},
		{cty.StringVal("12"), Ref{ID: "12"}, true},
		{cty.StringVal("/acme/web/"), Ref{Path: "acme/web"}, true},
		{cty.StringVal("acme").Mark(Secret), Ref{Path: "acme"}, true},
		{RefVal(&Ref{ID: "1", Path: "x"}), Ref{ID: "1", Path: "x"}, true},
		{cty.StringVal(""), Ref{}, false},
		{cty.NullVal(cty.String), Ref{}, false},
		{cty.UnknownVal(cty.Number), Ref{}, false},
		{cty.True, Ref{}, false},
	} {
		got, ok := RefOf(c.stated)
		require.Equal(t, c.ok, ok, "%#v", c.stated)
		require.Equal(t, c.want, got, "%#v", c.stated)
	}
	id, path, both := &Ref{ID: "1"}, &Ref{Path: "Acme"}, &Ref{ID: "1", Path: "acme"}
	require.True(t, id.Same(both))
	require.True(t, path.Same(both))
	require.False(t, id.Same(path), "nothing tells")
	require.False(t, both.Same(&Ref{ID: "2", Path: "acme"}), "ids decide")
}

func TestEqualComparesCanonicalForms(t *testing.T) {
	t.Parallel()
	text := &Attr{Name: "text", Type: cty.String}
	require.True(t, text.Equal(cty.NullVal(cty.String), cty.StringVal("")))
	require.True(t, text.Equal(cty.StringVal("x").Mark(Secret), cty.StringVal("x")))
	require.False(t, text.Equal(cty.UnknownVal(cty.String), cty.UnknownVal(cty.String)))
	flag := &Attr{Name: "flag", Type: cty.Bool}
	require.False(t, flag.Equal(cty.NullVal(cty.Bool), cty.False))
	require.True(t, flag.Equal(cty.NullVal(cty.Bool), cty.NullVal(cty.Bool)))
}

func TestSparse(t *testing.T) {
	t.Parallel()
	a, b := &Attr{Name: "a"}, &Attr{Name: "b"}
	var s Sparse
	s.Grow(2)
	s.Set(a, cty.True)
	copied := s.Clone()
	s.Set(b, cty.StringVal("x"))
	s.Set(a, cty.False)
	require.Equal(t, 2, s.Len())
	v, ok := copied.Get("a")
	require.True(t, ok)
	require.True(t, v.True(), "a clone goes its own way")
	_, ok = copied.Get("b")
	require.False(t, ok)
}
