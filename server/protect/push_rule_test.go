package protect_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/db"
	"hew/server/event"
	"hew/server/fault"
	"hew/server/project"
	"hew/server/protect"
	"hew/server/servertest"
	"hew/server/tree"
)

// A new project begins with the rule of the nearest group that has one, as a copy.
func TestInheritPushRule(t *testing.T) {
	t.Parallel()
	w := servertest.NewWorld(t)
	event.Attach(w.Store, protect.Listeners)
	ctx := t.Context()
	alice := w.User("alice")
	acme := w.Group("acme", nil, alice.ID)
	web := w.Group("web", &acme, alice.ID)
	deep := w.Group("deep", &web, alice.ID)
	w.Group("other", nil, alice.ID)

	inherited := func(p tree.Project) string {
		t.Helper()
		require.NoError(t, event.Emit(ctx, w.Store, project.Created{Project: p}))
		r, err := protect.PushRules(w.Store, p.Container()).One(ctx, db.AnyRow)
		if fault.CodeOf(err) == fault.CodeNotFound {
			return "none"
		}
		require.NoError(t, err)
		return r.BranchNameRegex
	}
	rule := func(c db.Container, branches string) protect.PushRule {
		t.Helper()
		r, err := protect.PushRules(w.Store, c).Create(
			ctx, protect.PushRule{Container: c, BranchNameRegex: branches, MaxFileSize: 7, MemberCheck: true},
		)
		require.NoError(t, err)
		return r
	}
	require.Equal(t, "none", inherited(w.Project("a", deep.ID, alice.ID)))
	rule(acme.Container(), "far")
	require.Equal(t, "far", inherited(w.Project("b", deep.ID, alice.ID)))
	near := rule(web.Container(), "near")
	c := w.Project("c", deep.ID, alice.ID)
	require.Equal(t, "near", inherited(c))
	require.Equal(t, "none", inherited(w.Project("mine", alice.NamespaceID, alice.ID)))

	copied, err := protect.PushRules(w.Store, c.Container()).One(ctx, db.AnyRow)
	require.NoError(t, err)
	copied.ID, copied.Container, copied.CreatedAt, copied.UpdatedAt = near.ID, near.Container, near.CreatedAt,
		near.UpdatedAt
	require.Equal(t, near, copied, "everything is taken over")
}
