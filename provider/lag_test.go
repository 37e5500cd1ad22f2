package provider

import (
	"context"
	"errors"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hew/schema"
)

// refuse answers times requests with first, and those after them with then.
func refuse(times int32, first, then says) says {
	var n atomic.Int32
	return says{do: func(w http.ResponseWriter, r *http.Request) {
		if n.Add(1) <= times {
			reply(w, first.status, first.body)
			return
		}
		reply(w, then.status, then.body)
	}}
}

// lagging returns a host that has just created group 3, and answers the first creations of labels
// in it with 404, and the first one in group 12.
func lagging(t *testing.T, times int32) *host {
	t.Helper()
	missing := says{status: 404, body: `{"message":"404 Group Not Found"}`}
	created := says{status: 201, body: `{"id":9,"name":"bug","color":"#ff0000"}`}
	h := serve(t, script{
		"POST /groups":           {status: 201, body: `{"id":3,"path":"web","full_path":"web","name":"web"}`},
		"POST /groups/3/labels":  refuse(times, missing, created),
		"POST /groups/12/labels": refuse(1, missing, created),
	})
	o, err := h.Create(t.Context(), declared(the(group), "path", "web"))
	require.NoError(t, err)
	require.Equal(t, "3", o.ID)
	return h
}

func labelIn(owner *schema.Ref) schema.Object {
	return declared(the(groupLabel), "group", owner, "name", "bug", "color", "#ff0000")
}

// TestNewOwners checks which writes in a group that the host does not know are sent again: those in
// a group that the run has created, for half a minute, as long as there are waits.
func TestNewOwners(t *testing.T) {
	t.Parallel()
	web := &schema.Ref{ID: "3", Path: "web"}
	for name, tt := range map[string]struct {
		owner *schema.Ref
		times int32 // how often the host answers 404
		age   time.Duration
		sent  int
		ok    bool
	}{
		"known to replicas after a while":      {web, 2, 0, 3, true},
		"after all waits":                      {web, 3, newOwnerPeriod - 1, 4, true},
		"unknown for longer than all waits":    {web, 4, 0, 4, false},
		"no longer new":                        {web, 1, newOwnerPeriod, 1, false},
		"an owner that the run did not create": {acme, 1, 0, 1, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := lagging(t, tt.times)
			later := time.Now().Add(tt.age)
			for c := range h.lag.created {
				h.lag.created[c] = later.Add(-tt.age)
			}
			h.lag.now = func() time.Time { return later }
			o, err := h.Create(t.Context(), labelIn(tt.owner))
			require.Len(t, h.asked, 1+tt.sent)
			if tt.ok {
				require.NoError(t, err)
				require.Equal(t, "9", o.ID)
				return
			}
			require.ErrorContains(t, err, "404 Group Not Found")
		})
	}
}

// TestLagEndsWithContext checks that a wait ends with the context, with the answer of the host.
func TestLagEndsWithContext(t *testing.T) {
	t.Parallel()
	l := newLag()
	l.waits = []time.Duration{time.Hour}
	ctx, cancel := context.WithCancel(t.Context())
	sent := 0
	answer := errors.New("404 Group Not Found")
	err := l.retryLag(ctx, func() error {
		sent++
		cancel()
		return answer
	}, func(error) bool { return true })
	require.ErrorIs(t, err, answer)
	require.Equal(t, 1, sent)
}

// A deploy key that another project gets at the same time collides once, and then is the same key.
// A label that is taken stays taken.
func TestSharedObjectsAreSentAgain(t *testing.T) {
	t.Parallel()
	key := "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIHqkXkF0dGVzdGtleXRlc3RrZXl0ZXN0a2V5dGVzdGtl"
	h := serve(t, script{
		"POST /projects/7/deploy_keys": refuse(1,
			says{status: 400, body: `{"message":{"fingerprint_sha256":["has already been taken"]}}`},
			says{status: 201, body: `{"id":5,"title":"ci","key":"` + key + `","can_push":false}`}),
		"GET /projects/7/deploy_keys": list(),
		"GET /projects/7/labels":      list(),
		"POST /projects/7/labels": refuse(
			1, says{status: 409, body: `{"message":"Label already exists"}`}, says{status: 201},
		),
	})
	o, err := h.Create(t.Context(), declared(the(deployKey), "project", api, "title", "ci", "key", key))
	require.NoError(t, err)
	require.Equal(t, "5", o.ID)

	_, err = h.Create(t.Context(), declared(the(projectLabel), "project", api, "name", "bug", "color", "#ff0000"))
	require.ErrorContains(t, err, "Label already exists")
}
