package hook_test

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/hook"
	"hew/server/tree"
)

const chain = "7a2d4a44-6c0a-4d8e-9f2c-1d9a3f0c5b11"

// hooked is a world with a group, and a hook of it that wants events of members.
func hooked(t *testing.T) (world, tree.Group, hook.Hook) {
	w := newWorld(t)
	acme := w.Group("acme", nil, w.User("alice").ID)
	h, err := hook.NewHook(t.Context(), w.Store, acme.Container())
	require.NoError(t, err)
	h.URL, h.MemberEvents = "https://example.com", true
	h, err = hook.Hooks(w.Store, h.Container).Create(t.Context(), h)
	require.NoError(t, err)
	return w, acme, h
}

// deliver records a delivery that was answered with a status.
func (w world) deliver(h hook.Hook, status int) hook.Log {
	l, err := hook.BeginLog(w.t.Context(), w.Store, hook.Log{
		HookID: h.ID, Trigger: "member_hooks", URL: h.URL, EventUUID: chain, IdempotencyKey: chain,
		RequestHeaders: map[string]string{"X": "y"}, RequestData: json.RawMessage(`{"text": "\u0000 <&>"}`),
	})
	require.NoError(w.t, err)
	l.ResponseStatus, l.ResponseHeaders, l.ResponseBody = &status, map[string]string{"A": "b"}, "body"
	require.NoError(w.t, hook.EndLog(w.t.Context(), w.Store, l))
	return l
}

// From the fourth failure in a row on a hook pauses, twice as long each time up to a day, and at
// the fortieth it stops.
func TestFailuresDisableHooks(t *testing.T) {
	t.Parallel()
	w, acme, h := hooked(t)
	ctx := t.Context()
	minutes := map[int]float64{4: 1, 5: 2, 6: 4, 14: 1024, 15: 24 * 60, 39: 24 * 60}
	for n := 1; n <= 41; n++ {
		w.deliver(h, 500)
		now, err := hook.Hooks(w.Store, acme.Container()).One(ctx, db.ByID(h.ID))
		require.NoError(t, err)
		switch {
		case n < 4:
			require.Equal(t, "executable", now.AlertStatus, n)
			require.Nil(t, now.DisabledUntil, n)
		case n < 40:
			require.Equal(t, "temporarily_disabled", now.AlertStatus, n)
			if want := minutes[n]; want > 0 {
				require.InDelta(t, want, time.Until(*now.DisabledUntil).Minutes(), 1, n)
			}
		default:
			require.Equal(t, "disabled", now.AlertStatus, n)
			require.Nil(t, now.DisabledUntil, n)
		}
		hooks, err := hook.AudienceOf(ctx, w.Store, "member_events", acme.ID, "")
		require.NoError(t, err)
		require.Equal(t, n < 4, len(hooks) == 1, n)
	}
	w.deliver(h, 302)
	now, err := hook.FindHook(ctx, w.Store, h.ID)
	require.NoError(t, err)
	require.Equal(t, "executable", now.AlertStatus)
	require.Zero(t, now.Failures)

	w.exec(fmt.Sprintf(`update hooks set failures = 4, disabled_until = now() - interval '1 s' where id = %d`, h.ID))
	now, err = hook.FindHook(ctx, w.Store, h.ID)
	require.NoError(t, err)
	require.Equal(t, "executable", now.AlertStatus, "the pause is over")
}

func TestLogs(t *testing.T) {
	t.Parallel()
	w, _, h := hooked(t)
	ctx := t.Context()
	ids := map[int]int64{}
	for _, status := range []int{200, 302, 404, 500, 0} {
		ids[status] = w.deliver(h, status).ID
	}
	open, err := hook.BeginLog(ctx, w.Store, hook.Log{
		HookID: h.ID, Trigger: "x", EventUUID: chain, IdempotencyKey: chain,
		RequestHeaders: map[string]string{}, RequestData: json.RawMessage(`{}`),
	})
	require.NoError(t, err)
	for _, tt := range []struct {
		filter hook.LogFilter
		want   []int
	}{
		{hook.LogFilter{}, []int{0, 500, 404, 302, 200}}, // the latest first; not what is on its way
		{hook.LogFilter{Statuses: []int{404, 200}}, []int{404, 200}},
		{hook.LogFilter{Ranges: [][2]int{{500, 599}, {0, 0}}}, []int{0, 500}},
		{hook.LogFilter{Statuses: []int{200}, Ranges: [][2]int{{400, 499}}}, []int{404, 200}},
		{hook.LogFilter{Statuses: []int{201}}, nil},
	} {
		list, total, err := hook.Logs(ctx, w.Store, h.ID, tt.filter, db.Page{Limit: 10})
		require.NoError(t, err)
		var got []int
		for _, l := range list {
			got = append(got, *l.ResponseStatus)
		}
		require.Equal(t, tt.want, got, "%+v", tt.filter)
		require.Equal(t, len(tt.want), total)
	}
	l, err := hook.FindLog(ctx, w.Store, h.ID, ids[200])
	require.NoError(t, err)
	require.Equal(t, `{"text": "\u0000 <&>"}`, string(l.RequestData), "as it was sent")
	require.Equal(t, map[string]string{"A": "b"}, l.ResponseHeaders)
	for ho, id := range map[int64]int64{h.ID: open.ID, h.ID + 1: ids[200]} {
		_, err = hook.FindLog(ctx, w.Store, ho, id)
		require.Equal(t, fault.CodeNotFound, fault.CodeOf(err))
	}

	w.exec(fmt.Sprintf(`update hook_logs set created_at = now() - interval '8 days' where id = %d`, ids[404]))
	_, total, err := hook.Logs(ctx, w.Store, h.ID, hook.LogFilter{}, db.Page{Limit: 10})
	require.NoError(t, err)
	require.Equal(t, 4, total)
	require.NoError(t, hook.RemoveOldLogs(ctx, w.Store, hook.SweepJob{}))
	require.Equal(t, 5, w.count(`select count(*) from hook_logs`))
}

// A thousand deliveries of a hook are kept, even if they are fast.
func TestLogsAreBounded(t *testing.T) {
	t.Parallel()
	w, _, h := hooked(t)
	ctx := t.Context()
	first := w.deliver(h, 200)
	w.exec(`
		insert into hook_logs (hook_id, trigger, url, event_uuid, idempotency_key, request_headers, request_data)
		select hook_id, trigger, url, event_uuid, idempotency_key, request_headers, request_data
		from hook_logs, generate_series(1, 999)`)
	_, err := hook.FindLog(ctx, w.Store, h.ID, first.ID)
	require.NoError(t, err)
	w.deliver(h, 200)
	_, err = hook.FindLog(ctx, w.Store, h.ID, first.ID)
	require.Equal(t, fault.CodeNotFound, fault.CodeOf(err))
	require.Equal(t, 1000, w.count(`select count(*) from hook_logs`))

	// A chain of that length has nobody left to tell, though a hook was never in it.
	other, err := hook.NewHook(ctx, w.Store, h.Container)
	require.NoError(t, err)
	other.URL, other.MemberEvents = "https://example.com/other", true
	_, err = hook.Hooks(w.Store, h.Container).Create(ctx, other)
	require.NoError(t, err)
	for uuid, want := range map[string]int{chain: 0, "00000000-6c0a-4d8e-9f2c-1d9a3f0c5b11": 2, "": 2} {
		hooks, err := hook.AudienceOf(ctx, w.Store, "member_events", *h.NamespaceID, uuid)
		require.NoError(t, err)
		require.Len(t, hooks, want, uuid)
	}
	w.exec(`delete from hook_logs where id not in (select max(id) from hook_logs)`)
	hooks, err := hook.AudienceOf(ctx, w.Store, "member_events", *h.NamespaceID, chain)
	require.NoError(t, err)
	require.Len(t, hooks, 1, "the one that was not in it")
}

// All hooks below one top group share what a minute may have.
func TestCallsPerMinute(t *testing.T) {
	t.Parallel()
	w, acme, h := hooked(t)
	ctx := t.Context()
	alice := w.User("bob")
	site := w.Project("site", w.Group("web", &acme, alice.ID).ID, alice.ID)
	below, err := hook.NewHook(ctx, w.Store, site.Container())
	require.NoError(t, err)
	mine, err := hook.NewHook(ctx, w.Store, w.Project("mine", alice.NamespaceID, alice.ID).Container())
	require.NoError(t, err)
	w.exec(fmt.Sprintf(`insert into hook_calls values (%d, now() + interval '1 hour', 7)`, acme.ID)) // another minute
	// In which it is one moment.
	require.NoError(t, w.Tx(ctx, func(st *db.Store) error {
		for i, tt := range []struct {
			hook hook.Hook
			want bool
		}{{h, true}, {below, true}, {h, false}, {mine, true}} {
			ok, err := hook.CountCall(ctx, st, tt.hook, 2)
			require.NoError(t, err)
			require.Equal(t, tt.want, ok, i)
		}
		return nil
	}))
}

func TestListenersByFlag(t *testing.T) {
	t.Parallel()
	w, acme, _ := hooked(t)
	hooks, err := hook.AudienceOf(t.Context(), w.Store, "subgroup_events", acme.ID, "")
	require.NoError(t, err)
	require.Empty(t, hooks)
	_, err = hook.AudienceOf(t.Context(), w.Store, "true or h.push_events", acme.ID, "")
	require.ErrorContains(t, err, "hooks have no flag")
}
