package hook_test

import (
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"hew/server/db"
	"hew/server/event"
	"hew/server/group"
	"hew/server/hook"
	"hew/server/jobs"
	"hew/server/policy"
	"hew/server/servertest"
	"hew/server/setting"
	"hew/server/tree"
)

// Removing a member or a group tells what is below with as many statements for twenty groups and
// projects as for one.
func TestStatementsOfTreeEvents(t *testing.T) {
	t.Parallel()
	fewLeft, fewGone := tellRemovals(t, 1)
	left, gone := tellRemovals(t, 20)
	requireConstant(t, fewLeft, left)
	requireConstant(t, fewGone, gone)
}

// requireConstant fails if a statement was executed more often for 20 than for 1. The pool and the
// queue of jobs may add one of their own at any time.
func requireConstant(t *testing.T, few, many map[string]int) {
	t.Helper()
	for statement, n := range many {
		require.LessOrEqual(t, n, few[statement]+2, statement)
	}
}

// tellRemovals removes a member and a group with n groups and projects below. It returns how often
// each statement was executed.
func tellRemovals(t *testing.T, n int) (member, removal map[string]int) {
	s := servertest.Fresh(t)
	w, ctx := s.World(t), t.Context()
	bob := w.User("bob")
	acme := w.Group("acme", nil, 1)
	web := w.Group("web", &acme, 1)
	w.Member(group.NewMember(tree.InGroup(acme), bob.ID, 30))
	for i := range n {
		below := w.Group(fmt.Sprint("below", i), &web, 1)
		w.Project(fmt.Sprint("project", i), below.ID, 1)
		w.Member(group.NewMember(tree.InGroup(below), bob.ID, 40))
	}
	h, err := hook.NewHook(ctx, s.Store, acme.Container())
	require.NoError(t, err)
	// The server delivers meanwhile. A hook whose deliveries fail is disabled, and told nothing
	// more.
	require.NoError(t, setting.Set(ctx, s.Store, "allow_local_requests_from_web_hooks_and_services", true))
	receiver := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	t.Cleanup(receiver.Close)
	h.URL, h.MemberEvents, h.ProjectEvents, h.SubgroupEvents = receiver.URL, true, true, true
	_, err = hook.Hooks(s.Store, acme.Container()).Create(ctx, h)
	require.NoError(t, err)

	c := s.Counted(t)
	event.Attach(c.Store, hook.Listeners("http://localhost"))
	_, err = jobs.Open(c.DB().(*pgxpool.Pool), c.Store, hook.Jobs(&hook.Sender{}), nil, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	by := group.Roster{
		Source: tree.InGroup(acme), By: policy.Who{ID: 1, Admin: true},
		Need: policy.Ability{Name: "any", Min: policy.Owner},
	}
	member = c.During(t, func() {
		require.NoError(t, group.RemoveMember(ctx, c.Store, by, group.Departure{UserID: bob.ID}))
	})
	removal = c.During(t, func() { require.NoError(t, event.Emit(ctx, c.Store, group.BeforeRemoval{Group: web})) })
	deliveries, err := db.Value[int](ctx, c.Store, `select count(*) from river_job where kind = @kind`,
		pgx.NamedArgs{"kind": hook.DeliveryJob{}.Kind()})
	require.NoError(t, err)
	require.Equal(t, 3*n+2, deliveries, "of members, projects and groups")
	return member, removal
}
