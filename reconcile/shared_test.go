package reconcile_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"hew/reconcile"
	"hew/reconcile/config"
	"hew/schema"
)

// oneByOne is a host that handles one call at a time.
type oneByOne struct {
	*host
	mu *sync.Mutex
}

func (o oneByOne) Read(ctx context.Context, queries []schema.Query) []schema.Reading {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.host.Read(ctx, queries)
}

func (o oneByOne) Find(ctx context.Context, asks []schema.Ask) []schema.Reading {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.host.Find(ctx, asks)
}

func (o oneByOne) Requests() int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.host.Requests()
}

// TestSharedReadings checks that concurrent runs read each object once, with all attributes that
// any of them needs, and that an apply reads again.
func TestSharedReadings(t *testing.T) {
	t.Parallel()
	const runs = 8
	h, err := newHost([]byte(`{"lists": {"groups": [{"id": 1, "path": "acme", "full_path": "acme", "description": "live"}], "groups/1/members": []}, "users": {"alice": 7}}`))
	require.NoError(t, err)
	var cfgs []*config.Config
	for i := range runs {
		text := `resource "group" "acme" {
  path = "acme"
}
resource "group_member" "alice" {
  group        = group.acme.id
  user         = "alice"
  access_level = 30
}`
		if i%2 == 0 {
			text = `resource "group" "acme" {
  path        = "acme"
  description = "declared"
}`
		}
		cfg, diags := config.Load(t.Context(),
			fstest.MapFS{"config.hcl": {Data: []byte(text)}}, ".", h.kinds, config.Vars{})
		require.False(t, diags.HasErrors(), "%v", diags)
		cfgs = append(cfgs, cfg)
	}
	shared := reconcile.Share(oneByOne{h, new(sync.Mutex)}, cfgs...)
	plans := make([]*reconcile.Run, runs)
	var wait sync.WaitGroup
	for i, cfg := range cfgs {
		wait.Go(func() {
			eng := &reconcile.Engine{Provider: shared, Writer: h, Host: "https://host.test", Who: fmt.Sprint(i)}
			plans[i], _ = eng.Plan(t.Context(), cfg, reconcile.Options{})
		})
	}
	wait.Wait()
	reads := map[string]int{}
	for _, r := range h.reads {
		reads[r]++
	}
	require.NotEmpty(t, reads)
	for what, n := range reads {
		require.Equal(t, 1, n, what)
	}
	for i, r := range plans {
		require.NotNil(t, r, i)
		require.Equal(t, 1, r.Plan.Sends(), i)
	}

	_, diags := plans[0].Apply(t.Context())
	require.False(t, diags.HasErrors(), "%v", diags)
	again := shared.Read(t.Context(),
		[]schema.Query{
			{Collection: schema.Collection{Path: "groups/1/members"}, Kind: h.kinds.Resources["group_member"]},
		})
	require.Len(t, again, 1)
	require.Greater(t, len(h.reads), len(reads), "an apply looks for itself")
}
