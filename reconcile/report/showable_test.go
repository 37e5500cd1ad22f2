package report

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/zclconf/go-cty/cty"

	"hew/reconcile/plan"
	"hew/reconcile/report/reporttest"
	"hew/schema"
)

// TestLiveURLsAreMasked: the url of a live hook may hold a secret that no configuration shows, also
// if the hook is declared. Parts that the configuration shows remain.
func TestLiveURLsAreMasked(t *testing.T) {
	t.Parallel()
	hook := reporttest.HookKind
	live := schema.Object{Kind: hook, ID: "7"}
	live.Value.Set(hook.Attr("url"), cty.StringVal("https://ci.example.com/hook?token=abc"))
	wanted := schema.Object{Kind: hook}
	wanted.Value.Set(hook.Attr("url"), cty.StringVal("https://ci.example.com/hook?job=build"))
	drifted := update(hook, 1, "url", live.Get("url"), wanted.Get("url"))
	drifted.Before, drifted.After = live, wanted
	deleted := plan.Change{Addr: drifted.Addr, Kind: hook, Action: plan.Delete, Cause: plan.ByConfig, Before: live}

	for _, c := range []plan.Change{drifted, deleted} {
		var b bytes.Buffer
		require.NoError(t, Write(&b, []Part{{Document: recorded(&plan.Plan{Changes: []plan.Change{c}})}}))
		require.NotContains(t, b.String(), "abc")
		require.Contains(t, b.String(), "https://ci.example.com/hook?token=…")
	}
	c := recorded(&plan.Plan{Changes: []plan.Change{drifted}}).Changes[0]
	require.Equal(t, "https://ci.example.com/hook?token=…", c.Paths[0].Before)
	require.Equal(t, "https://ci.example.com/hook?job=build", c.Paths[0].After)

	list := func(urls ...string) cty.Value {
		var all []cty.Value
		for _, u := range urls {
			all = append(all, cty.StringVal(u))
		}
		return cty.ListVal(all)
	}
	shown := concealURLs(list("https://a/?x=1", "https://b/?x=1"), list("https://b/?x=1"))
	require.True(t, shown.RawEquals(list("https://a/?x=…", "https://b/?x=1")), "%#v", shown)
}
