package store_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/fault"
	"hew/server/store"
)

// A new project begins with the rule of the nearest group that has one, as a copy.
func TestInheritPushRule(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx := t.Context()
	alice := w.user("alice")
	acme := w.group("acme", nil, alice.ID)
	web := w.group("web", &acme, alice.ID)
	deep := w.group("deep", &web, alice.ID)
	w.group("other", nil, alice.ID)

	inherited := func(p store.Project) string {
		t.Helper()
		require.NoError(t, w.InheritPushRule(ctx, p))
		r, err := w.PushRules(p.Container()).One(ctx, store.Only)
		if fault.CodeOf(err) == fault.CodeNotFound {
			return "none"
		}
		require.NoError(t, err)
		return r.BranchNameRegex
	}
	rule := func(c store.Container, branches string) store.PushRule {
		t.Helper()
		r, err := w.PushRules(c).Create(ctx, store.PushRule{Container: c, BranchNameRegex: branches, MaxFileSize: 7, MemberCheck: true})
		require.NoError(t, err)
		return r
	}
	require.Equal(t, "none", inherited(w.project("a", deep.ID, alice.ID)))
	rule(acme.Container(), "far")
	require.Equal(t, "far", inherited(w.project("b", deep.ID, alice.ID)))
	near := rule(web.Container(), "near")
	c := w.project("c", deep.ID, alice.ID)
	require.Equal(t, "near", inherited(c))
	require.Equal(t, "none", inherited(w.project("mine", alice.NamespaceID, alice.ID)))

	copied, err := w.PushRules(c.Container()).One(ctx, store.Only)
	require.NoError(t, err)
	copied.ID, copied.Container, copied.CreatedAt, copied.UpdatedAt = near.ID, near.Container, near.CreatedAt, near.UpdatedAt
	require.Equal(t, near, copied, "everything is taken over")
}
