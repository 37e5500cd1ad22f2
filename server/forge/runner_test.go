package forge_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hew/server/auth"
	"hew/server/fault"
	"hew/server/forge"
	"hew/server/servertest"
	"hew/server/store"
)

// What may be done with a runner is judged by what it is when it is held, whatever the caller has seen of it before.
func TestRunnerRules(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ctx := t.Context()
	ann := s.User(t, "ann")
	user, err := s.Store.User(ctx, ann.ID)
	require.NoError(t, err)
	annCaller, admin := auth.Caller{User: user}, auth.Caller{User: store.User{ID: 1, Admin: true}}
	space := s.Store
	group, err := space.CreateGroup(ctx, store.NewGroup("Acme", "runner-rules", nil), ann.ID)
	require.NoError(t, err)
	project := func(name string) store.Container {
		p, err := space.CreateProject(ctx, store.NewProject(name, name, group.ID), ann.ID)
		require.NoError(t, err)
		return p.Container()
	}
	site, docs := project("site"), project("docs")
	runner := func(in store.Container, locked bool) int64 {
		r, err := forge.CreateRunner(ctx, space, in, func(r *store.Runner) error { r.Locked = locked; return nil })
		require.NoError(t, err)
		return r.ID
	}
	may := func(store.FoundRunner) error { return nil }
	mayNot := func(store.FoundRunner) error { return fault.Forbidden("No access granted") }
	assign := func(id int64, by auth.Caller, may func(store.FoundRunner) error) error {
		_, err := forge.AssignRunner(ctx, space, id, docs.ID(), by, may)
		return err
	}
	unchanged := func(context.Context, time.Time) error { return nil }

	locked, open := runner(site, true), runner(site, false)
	for _, tt := range []struct {
		name, refusal string
		err           error
	}{
		{"the instance's", "Runner is shared", assign(runner(store.Container{}, false), admin, may)},
		{"a group's", "Runner is a group runner", assign(runner(group.Container(), false), admin, may)},
		{"a locked one", "Runner is locked", assign(locked, annCaller, may)},
		{"a locked one, by an administrator", "", assign(locked, admin, may)},
		{"somebody else's", "No access granted", assign(open, annCaller, mayNot)},
		{"an own one", "", assign(open, annCaller, may)},
		{"one of two projects goes", "Runner associated with more than one project", forge.DeleteRunner(ctx, space, open, annCaller, unchanged)},
		{"one of two projects goes, by an administrator", "", forge.DeleteRunner(ctx, space, open, admin, unchanged)},
		{"one of two projects goes by itself", "", forge.Unregister(ctx, space, locked, unchanged)},
		{"one of one project goes", "", forge.DeleteRunner(ctx, space, runner(docs, false), annCaller, unchanged)},
	} {
		if tt.refusal == "" {
			require.NoError(t, tt.err, tt.name)
			continue
		}
		require.Equal(t, fault.CodeForbidden, fault.CodeOf(tt.err), tt.name)
		require.ErrorContains(t, tt.err, tt.refusal, tt.name)
	}
}
