package addr_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"hew/reconcile/addr"
)

func parse(t *testing.T, text string) addr.Instance {
	t.Helper()
	i, err := addr.Parse(text)
	require.NoError(t, err)
	return i
}

func TestCalls(t *testing.T) {
	t.Parallel()
	for text, module := range map[string]string{
		`module.x`:                           `x`,
		`module.x["a.b"]`:                    `x["a.b"]`,
		`module.x.module.y[0]`:               `x.y[0]`,
		`module.x["]\""].module.y["module"]`: `x["]\""].y["module"]`,
	} {
		want := addr.Block{Module: module}
		i := parse(t, text)
		require.Equal(t, addr.Instance{Block: want}, i, text)
		require.True(t, i.IsCall())
		require.Equal(t, text, i.String())
		var back addr.Instance
		exact, err := i.MarshalText()
		require.NoError(t, err)
		require.NoError(t, back.UnmarshalText(exact))
		require.Equal(t, i, back)
		b, err := addr.ParseBlock(text)
		require.NoError(t, err)
		require.Equal(t, want, b)
	}
	require.False(t, parse(t, `module.x.group.a`).IsCall())
	require.False(t, addr.Block{}.IsCall())
	require.Empty(t, addr.Instance{}.String())
}

func TestContains(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		outer string
		in    []string
		out   []string
	}{
		{`module.x`,
			[]string{`module.x`, `module.x["a"]`, `module.x.group.b`, `module.x["a"].group.b["k"]`,
				`module.x[0].module.y.data.group.b`},
			[]string{`group.x`, `module.xx.group.b`, `module.y.module.x.group.b`}},
		{`module.x["a"]`, []string{`module.x["a"].group.b`, `module.x["a"].module.y`},
			[]string{`module.x`, `module.x.group.b`, `module.x["b"].group.b`}},
		{`module.x.module.y[0]`, []string{`module.x["a"].module.y[0].group.b`},
			[]string{`module.x.module.y.group.b`, `module.x.group.b`}},
		{`module.x.group.b`, []string{`module.x["a"].group.b[1]`},
			[]string{`module.x["a"].group.c`, `module.x.module.y.group.b`, `group.b`}},
		{`group.b`, []string{`group.b`, `group.b[0]`, `group.b["k"]`},
			[]string{`group.c`, `data.group.b`, `module.x.group.b`, `module.x`}},
		{`group.b["k"]`, []string{`group.b["k"]`}, []string{`group.b`, `group.b["l"]`}},
		{`group_members.p`, []string{`group_members.p#"bob"`, `group_members.p["a"]#"bob"`}, nil},
		{`group_members.p["a"]`, []string{`group_members.p["a"]#"bob"`},
			[]string{`group_members.p["b"]#"bob"`, `group_members.p#"bob"`}},
		{`group_members.p["bob"]`, []string{`group_members.p#"bob"`, `group_members.p#"Bob"`},
			[]string{`group_members.p["a"]#"bob"`, `group_members.p#"eve"`}},
		{`group_members.p#"bob"`, []string{`group_members.p#"bob"`, `group_members.p#"bob~7"`,
			`group_members.p["a"]#"bob"`}, []string{`group_members.p`, `group_members.p#"eve"`}},
		{`group_member.a#"~7"`, []string{`group_member.a#"~7"`}, []string{`group_member.a`, `group_member.a#"~8"`}},
		{`exclusive.project_hook.p`, []string{`exclusive.project_hook.p["a/b"]#71`}, []string{`project_hook.p`}},
	} {
		for _, in := range c.in {
			require.True(t, parse(t, c.outer).Contains(parse(t, in)), "%s contains %s", c.outer, in)
		}
		for _, out := range c.out {
			require.False(t, parse(t, c.outer).Contains(parse(t, out)), "%s does not contain %s", c.outer, out)
		}
	}
	require.True(t, addr.Block{Module: "x"}.Contains(addr.Block{Module: `x["a"]`, Kind: "group", Name: "b"}))
	require.True(t, addr.Block{Kind: "group", Name: "b"}.Contains(addr.Block{Kind: "group", Name: "b"}))
	require.False(t, addr.Block{Kind: "group", Name: "b"}.Contains(addr.Block{Module: "x", Kind: "group", Name: "b"}))
}

func TestUnkeyed(t *testing.T) {
	t.Parallel()
	for keyed, bare := range map[string]string{
		`group.a`:                                `group.a`,
		`module.x["."].module.y[0].data.group.a`: `module.x.module.y.data.group.a`,
		`module.x["]"]`:                          `module.x`,
	} {
		require.Equal(t, bare, parse(t, keyed).Block.WithoutKeys().String())
	}
}

func TestRebase(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ from, to, at, becomes string }{
		{`group.a`, `group.b`, `group.a`, `group.b`},
		{`group.a`, `group.b`, `group.a["k"]`, `group.b["k"]`},
		{`group.a`, `group.b`, `group.c`, ``},
		{`group.a`, `group.a["k"]`, `group.a`, `group.a["k"]`},
		{`group.a`, `group.a["k"]`, `group.a["j"]`, ``},
		{`group.a[0]`, `group.a["k"]`, `group.a[0]`, `group.a["k"]`},
		{`group.a[0]`, `group.b`, `group.a[0]`, `group.b`},
		{`group.a[0]`, `group.b`, `group.a`, ``},
		{`group_members.a`, `group_members.b["k"]`, `group_members.a#"bob"`, `group_members.b["k"]#"bob"`},
		{`group_members.a["k"]#"bob"`, `group_member.bob`, `group_members.a["k"]#"bob"`, `group_member.bob`},
		{`group_members.a["k"]#"bob"`, `group_member.bob`, `group_members.a["k"]#"eve"`, ``},
		{`module.a`, `module.b`, `module.a["x"].group.g[0]`, `module.b["x"].group.g[0]`},
		{`module.a`, `module.b`, `module.a.module.c["y"].group.g`, `module.b.module.c["y"].group.g`},
		{`module.a`, `module.b`, `group.a`, ``},
		{`module.a`, `module.a["x"]`, `module.a.group.g`, `module.a["x"].group.g`},
		{`module.a`, `module.a["x"]`, `module.a["y"].group.g`, ``},
		{`module.a["x"]`, `module.b`, `module.a["x"].group.g`, `module.b.group.g`},
		{`module.a["x"]`, `module.b`, `module.a["y"].group.g`, ``},
		{`module.a`, `module.b.module.a`, `module.a.group.g`, `module.b.module.a.group.g`},
		{`module.b.module.a`, `module.a`, `module.b.module.a.group.g`, `module.a.group.g`},
		{`module.b.module.a`, `module.a`, `module.b.module.a["k"].group.g`, `module.a["k"].group.g`},
		{`module.a`, `module.b.module.a`, `module.a["k"].group.g`, `module.b.module.a["k"].group.g`},
		{`module.b.module.a`, `module.a`, `module.b["k"].module.a.group.g`, ``},
		{`group.g`, `module.m.group.g`, `group.g["k"]`, `module.m.group.g["k"]`},
		{`module.m.group.g`, `group.g`, `module.m.group.g`, `group.g`},
		{`module.m.group.g`, `group.g`, `module.m["k"].group.g`, ``},
		{`module.m["k"].group.g`, `group.g["k"]`, `module.m["k"].group.g`, `group.g["k"]`},
		{`module.m.group.g`, `module.m.group.h`, `module.m["k"].group.g`, `module.m["k"].group.h`},
	} {
		got, ok := parse(t, c.at).Rebase(parse(t, c.from), parse(t, c.to))
		if c.becomes == "" {
			require.False(t, ok, "%s -> %s speaks of %s", c.from, c.to, c.at)
			continue
		}
		require.True(t, ok, "%s -> %s does not speak of %s", c.from, c.to, c.at)
		require.Equal(t, parse(t, c.becomes), got, "%s -> %s", c.from, c.to)
	}
}

func TestCutCall(t *testing.T) {
	t.Parallel()
	for path, want := range map[string][3]string{
		"":                      {},
		"web":                   {"web"},
		"web.hooks":             {"web", "", "hooks"},
		"web[0].hooks":          {"web", "0", "hooks"},
		`web["a.b]\"["].x["y"]`: {"web", `"a.b]\"["`, `x["y"]`},
	} {
		name, key, rest := addr.CutCall(path)
		require.Equal(t, want, [3]string{name, key, rest}, path)
	}
	require.Equal(t, "web.hooks", addr.JoinCalls("web", "hooks"))
	require.Equal(t, "web", addr.JoinCalls("web", ""))
	require.Equal(t, "hooks", addr.JoinCalls("", "hooks"))
}

func TestShortest(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ from, to, wantFrom, wantTo string }{
		{`group.a`, `group.b`, `group.a`, `group.b`},
		{`module.m["a"].group.g`, `module.m["b"].group.g`, `module.m["a"]`, `module.m["b"]`},
		{`module.m["a"].group.g["k"]`, `module.m["b"].group.g["l"]`, `module.m["a"].group.g["k"]`,
			`module.m["b"].group.g["l"]`},
		{`module.m["a"].module.n["x.y"].group.g`, `module.w.module.n["x.y"].group.g`, `module.m["a"]`, `module.w`},
		{`module.m.module.n[0].group.g`, `module.m.module.n[1].group.g`, `module.m.module.n[0]`,
			`module.m.module.n[1]`},
		{`group.g`, `module.m.group.g`, `group.g`, `module.m.group.g`},
	} {
		from, to := addr.Shortest(parse(t, c.from), parse(t, c.to))
		require.Equal(t, c.wantFrom, from.String())
		require.Equal(t, c.wantTo, to.String())
	}
}
