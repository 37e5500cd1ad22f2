package ci_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hew/server/auth"
	"hew/server/ci"
	"hew/server/db"
	"hew/server/fault"
	"hew/server/group"
	"hew/server/project"
	"hew/server/servertest"
	"hew/server/tree"
)

// The rules of a runner are checked after it is locked, whatever the caller has read before.
func TestRunnerRules(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ctx := t.Context()
	ann := s.User(t, "ann")
	user, err := tree.FindUser(ctx, s.Store, ann.ID)
	require.NoError(t, err)
	annCaller, admin := auth.Caller{User: user}, auth.Caller{User: tree.User{ID: 1, Admin: true}}
	space := s.Store
	g, err := group.InsertGroup(ctx, space, tree.NewGroup("Acme", "runner-rules", nil), ann.ID)
	require.NoError(t, err)
	pr := func(name string) db.Container {
		p, err := project.InsertProject(ctx, space, tree.NewProject(name, name, g.ID), ann.ID)
		require.NoError(t, err)
		return p.Container()
	}
	site, docs := pr("site"), pr("docs")
	runner := func(in db.Container, locked bool) int64 {
		r, err := ci.CreateRunner(ctx, space, in, func(r *ci.Runner) error { r.Locked = locked; return nil })
		require.NoError(t, err)
		return r.ID
	}
	may := func(ci.FoundRunner) error { return nil }
	mayNot := func(ci.FoundRunner) error { return fault.Forbidden("No access granted") }
	assign := func(id int64, by auth.Caller, may func(ci.FoundRunner) error) error {
		_, err := ci.AssignRunner(ctx, space, id, docs.ID(), by, may)
		return err
	}
	unchanged := func(context.Context, time.Time) error { return nil }

	locked, open := runner(site, true), runner(site, false)
	for _, tt := range []struct {
		name, refusal string
		err           error
	}{
		{"the instance's", "Runner is shared", assign(runner(db.Container{}, false), admin, may)},
		{"a group's", "Runner is a group runner", assign(runner(g.Container(), false), admin, may)},
		{"a locked one", "Runner is locked", assign(locked, annCaller, may)},
		{"a locked one, by an administrator", "", assign(locked, admin, may)},
		{"somebody else's", "No access granted", assign(open, annCaller, mayNot)},
		{"an own one", "", assign(open, annCaller, may)},
		{"one of two projects goes", "Runner associated with more than one project",
			ci.DeleteRunner(ctx, space, open, annCaller, unchanged)},
		{"one of two projects goes, by an administrator", "", ci.DeleteRunner(ctx, space, open, admin, unchanged)},
		{"one of two projects goes by itself", "", ci.UnregisterRunner(ctx, space, locked, unchanged)},
		{"one of one project goes", "", ci.DeleteRunner(ctx, space, runner(docs, false), annCaller, unchanged)},
	} {
		if tt.refusal == "" {
			require.NoError(t, tt.err, tt.name)
			continue
		}
		require.Equal(t, fault.CodeForbidden, fault.CodeOf(tt.err), tt.name)
		require.ErrorContains(t, tt.err, tt.refusal, tt.name)
	}
}
