package schema_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/zclconf/go-cty/cty"

	"hew/schema"
)

// TestAssigns: assignments are what the object is to be, and say what differs. One
// that takes away what the object does not state is null.
func TestAssigns(t *testing.T) {
	t.Parallel()
	kind := &schema.Kind{Name: "thing", Attrs: []schema.Attr{
		{Name: "name", Type: cty.String}, {Name: "open", Type: cty.Bool}, {Name: "note", Type: cty.String},
	}}
	to := schema.Object{Kind: kind}
	to.Value.Set(kind.Attr("name"), cty.StringVal("a"))
	to.Value.Set(kind.Attr("open"), cty.True)
	live := schema.Object{Kind: kind, ID: "7", State: schema.PendingDeletion}

	list := schema.Assigns(to, "note", "open")
	require.Len(t, list, 3)
	want, differing := schema.Assigned(live, list)
	require.Equal(t, []string{"open", "note"}, differing)
	require.Equal(t, "7", want.ID)
	require.Equal(t, schema.PendingDeletion, want.State)
	require.Equal(t, "a", want.Get("name").AsString())
	require.True(t, want.Get("open").True())
	require.True(t, want.Get("note").IsNull())
	require.Equal(t, cty.String, want.Get("note").Type())
}
