package addr_test

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/reconcile/addr"
)

func block(mode addr.Mode, kind, name string) addr.Block {
	return addr.Block{Mode: mode, Kind: kind, Name: name}
}

func TestText(t *testing.T) {
	t.Parallel()
	hook := block(addr.Resource, "project_hook", "ci")
	members := block(addr.Resource, "group_members", "platform")
	strays := block(addr.Exclusive, "project_hook", "platform")
	for _, c := range []struct {
		inst        addr.Instance
		text, exact string
	}{
		{addr.Instance{Block: block(addr.Resource, "group", "acme")}, `group.acme`, `group.acme`},
		{addr.Instance{Block: addr.Block{Module: "x", Kind: "group", Name: "acme"}}, `module.x.group.acme`,
			`module.x.group.acme`},
		{addr.Instance{Block: addr.Block{Module: `x["a.b"].y`, Kind: "group", Name: "acme"}},
			`module.x["a.b"].module.y.group.acme`, `module.x["a.b"].module.y.group.acme`},
		{addr.Instance{Block: block(addr.Data, "projects", "p")}, `data.projects.p`, `data.projects.p`},
		{addr.Instance{Block: hook, Key: `"acme/api"`}, `project_hook.ci["acme/api"]`, `project_hook.ci["acme/api"]`},
		{addr.Instance{Block: hook, Key: addr.StringKey(`a"]#`)}, `project_hook.ci["a\"]#"]`,
			`project_hook.ci["a\"]#"]`},
		{addr.Instance{Block: hook, Key: addr.StringKey("\x1b\a\\x1b\u202e")}, `project_hook.ci["\u001b\u0007\\x1b\u202e"]`,
			`project_hook.ci["\u001b\u0007\\x1b\u202e"]`}, // escapes of HCL
		{addr.Instance{Block: hook, Key: addr.IndexKey(0)}, `project_hook.ci[0]`, `project_hook.ci[0]`},
		{addr.Instance{Block: members, Elem: "bob"}, `group_members.platform["bob"]`, `group_members.platform#"bob"`},
		{addr.Instance{Block: members, Elem: "7"}, `group_members.platform["7"]`, `group_members.platform#"7"`},
		{addr.Instance{Block: members, Key: `"a"`, Elem: "bob"}, `group_members.platform["a"]["bob"]`,
			`group_members.platform["a"]#"bob"`},
		{addr.Instance{Block: members, Elem: "bob"}.Depose("7"), `group_members.platform["bob"] (replaced object, id 7)`,
			`group_members.platform#"bob~7"`},
		{addr.Instance{Block: strays, Key: `"acme/api"`, Elem: "71"},
			`exclusive.project_hook.platform["acme/api"]#71`, `exclusive.project_hook.platform["acme/api"]#71`},
		{addr.Instance{Block: strays, Elem: "x y"}, `exclusive.project_hook.platform#"x y"`,
			`exclusive.project_hook.platform#"x y"`},
	} {
		require.Equal(t, c.text, c.inst.String())
		exact, err := c.inst.MarshalText()
		require.NoError(t, err)
		require.Equal(t, c.exact, string(exact))
		back, err := addr.Parse(c.exact)
		require.NoError(t, err)
		require.Equal(t, c.inst, back, c.exact)
		again, err := addr.Parse(c.text)
		require.NoError(t, err)
		require.Equal(t, c.text, again.String())
	}
}

func TestTextOfMapKeys(t *testing.T) {
	t.Parallel()
	in := map[addr.Instance]int{{Block: block(addr.Resource, "group_members", "p"), Elem: "bob"}: 1}
	b, err := json.Marshal(in)
	require.NoError(t, err)
	require.JSONEq(t, `{"group_members.p#\"bob\"": 1}`, string(b))
	var out map[addr.Instance]int
	require.NoError(t, json.Unmarshal(b, &out))
	require.Equal(t, in, out)
}

func TestParseErrors(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		``:                  "a name is missing",
		`group`:             "expected KIND.NAME",
		`group.`:            "a name is missing",
		`group.a.b`:         `did not expect ".b"`,
		`group.a[x]`:        "a key must be a number or a quoted string",
		`group.a[-1]`:       "a key must be a number or a quoted string",
		`group.a["x"`:       "a ] is missing",
		`group.a#`:          "nothing follows the #",
		`group.a#"x`:        "is not a quoted string",
		`group.a["x"][0]`:   "is not a quoted string",
		`module.group.acme`: "expected KIND.NAME",
		`module.`:           "a name is missing",
		`module.x.`:         "a name is missing",
		`module.x["a"]#1`:   "expected KIND.NAME",
		`module.x["a"`:      "a ] is missing",
	} {
		_, err := addr.Parse(text)
		require.ErrorContains(t, err, want, text)
	}
	_, err := addr.ParseBlock(`group.a["x"]`)
	require.ErrorContains(t, err, "did not expect")
}

func TestOrder(t *testing.T) {
	t.Parallel()
	want := []string{`group.a`, `group.b[2]`, `group.b[10]`, `group.b["a"]`, `group.b["a"]["x"]`, `group.b["b"]`,
		`project.a`, `data.group.a`, `exclusive.group.a`, `module.m`, `module.m.group.a`, `module.m.module.n`,
		`module.m[2].group.a`, `module.m[10].group.a`, `module.m["a"].group.a`}
	var insts []addr.Instance
	for _, text := range want {
		i, err := addr.Parse(text)
		require.NoError(t, err)
		insts = append(insts, i)
	}
	slices.Reverse(insts)
	slices.SortFunc(insts, addr.Instance.Compare)
	var got []string
	for _, i := range insts {
		got = append(got, i.String())
	}
	require.Equal(t, want, got)
	require.True(t, insts[0].Less(insts[1]))
}

func FuzzRoundTrip(f *testing.F) {
	for _, s := range []string{`group.acme`, `module.x["a"].module.y.data.p.q[0]`, `group_members.p["a"]#"b"`,
		`exclusive.h.p["a/b"]#71`, `a.b#"\xff"`,
		`0.0#~`, `a.b["x"]["y"] (replaced object, id 7)`, `module.x`, `module.x["a"]`, `module.x["]."].module.y[0]`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		i, err := addr.Parse(s)
		if err != nil {
			return
		}
		text, err := i.MarshalText()
		require.NoError(t, err)
		back, err := addr.Parse(string(text))
		require.NoError(t, err, string(text))
		require.Equal(t, i, back)
		_, err = addr.Parse(i.String())
		require.NoError(t, err, i.String())
	})
}
