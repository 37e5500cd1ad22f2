package hook_test

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/db"
	"hew/server/hook"
)

// A flag has one name: as a column, where it is shown, and as a parameter.
func TestFlagsHaveOneName(t *testing.T) {
	t.Parallel()
	for _, f := range reflect.VisibleFields(reflect.TypeFor[hook.Flags[bool]]()) {
		require.NotEmpty(t, f.Tag.Get("db"), f.Name)
		require.Equal(t, f.Tag.Get("db"), f.Tag.Get("json"), f.Name)
		require.Equal(t, f.Tag.Get("db"), f.Tag.Get("param"), f.Name)
	}
}

// The columns default to what NewHook says.
func TestHookDefaults(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	alice := w.User("alice")
	site := w.Project("site", alice.NamespaceID, alice.ID)
	w.exec(fmt.Sprintf(
		`insert into hooks (project_id, url) values (%d, 'https://example.com')`, site.ID))
	hooks, _, err := hook.Hooks(w.Store, site.Container()).List(t.Context(), db.Page{Limit: 1})
	require.NoError(t, err)
	require.Len(t, hooks, 1)

	want, err := hook.NewHook(t.Context(), w.Store, site.Container())
	require.NoError(t, err)
	require.Equal(t, want.Flags, hooks[0].Flags)
	require.Equal(t, want.BranchFilterStrategy, hooks[0].BranchFilterStrategy)
}
