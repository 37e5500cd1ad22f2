package client

import (
	"net"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestWrites: a client that only reads sends what it is made for, and its views
// nothing of it.
func TestWrites(t *testing.T) {
	t.Parallel()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { reply(w, 201, `{}`) }))
	t.Cleanup(s.Close)
	c := open(t, Config{BaseURL: s.URL, ReadOnly: true, Writes: []string{"POST projects/{project}/issues"}})
	issues := To("projects/{project}/issues", "acme/api")
	_, err := c.Post(t.Context(), issues, nil, nil)
	require.NoError(t, err)
	for _, refused := range []func() (Reply, error){
		func() (Reply, error) { return c.Put(t.Context(), issues, nil, nil) },
		func() (Reply, error) {
			return c.Post(t.Context(), To("projects/{project}/hooks", "acme/api"), nil, nil)
		},
		func() (Reply, error) { return c.Post(t.Context(), To("projects/acme%2Fapi/issues"), nil, nil) },
		func() (Reply, error) { return c.ReadOnly().Post(t.Context(), issues, nil, nil) },
	} {
		_, err := refused()
		require.ErrorIs(t, err, ErrReadOnly)
	}
	require.Equal(t, map[string]int{"POST": 1}, c.Stats().Requests)
}

// TestReadOnlyView: a view reads by the connection of its client and counts for
// itself; it never writes, and its client still does.
func TestReadOnlyView(t *testing.T) {
	t.Parallel()
	var connections atomic.Int32
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter,
		_ *http.Request) {
		reply(w, 200, `[1]`)
	}))
	s.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			connections.Add(1)
		}
	}
	s.Start()
	t.Cleanup(s.Close)
	c := open(t, Config{BaseURL: s.URL})
	view := c.ReadOnly()
	ctx, path := t.Context(), To("projects")

	for method, do := range writes(view) {
		_, err := do(ctx, path, nil, nil)
		require.ErrorIs(t, err, ErrReadOnly, method)
	}
	l, err := view.List(ctx, path, nil)
	require.NoError(t, err)
	for _, err := range Items[int](l) {
		require.NoError(t, err)
	}
	_, err = c.Post(ctx, path, nil, nil)
	require.NoError(t, err)

	require.Equal(t, map[string]int{"GET": 1}, view.Stats().Requests)
	require.Equal(t, map[string]int{"POST": 1}, c.Stats().Requests)
	require.Positive(t, view.Stats().Received)
	require.Same(t, c.limit, view.limit)
	require.EqualValues(t, 1, connections.Load())
}
