package config_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/reconcile/addr"
	"hew/reconcile/config"
)

// TestOwnerIDs: a block that refers to another one for the id of its owner alone is not evaluated
// again when that id is known. Whatever else is made of the id needs it.
func TestOwnerIDs(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		hcl   string
		again bool
	}{
		"id":       {`parent = group.a.id`, false},
		"instance": {`parent = group.k["x"].id`, false},
		"each":     {"for_each = toset([\"x\"])\n parent = group.k[each.key].id", false},
		"owner above": {"parent = group.a.id\n}\nresource \"group\" \"below\" {\n path = \"below\"\n" +
			"parent = group.n.id", false},
		"path":        {`parent = group.a.full_path`, true},
		"whole":       {`parent = group.a`, true},
		"in brackets": {`parent = (group.a.id)`, true},
		"expression":  {`parent = coalesce(group.a.id, 1)`, true},
		"local":       {"parent = local.a\n}\nlocals {\n a = group.a.id", true},
		"another use": {"parent = group.a.id\n description = \"below ${group.a.id}\"", true},
		"for_each":    {"parent = group.a.id\n for_each = toset(group.a.id == 0 ? [] : [\"x\"])", true},
		"precondition": {"parent = group.a.id\n lifecycle {\n precondition {\n condition = group.a.id != 0\n" +
			"error_message = \"no\"\n }\n }", true},
		"depends_on": {"parent = group.a.id\n depends_on = [group.a]", true},
		"reader":     {"parent = group.a.id\n}\noutput \"o\" {\n value = group.n.parent", true},
		"list":       {`users = [group.a.id]`, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cfg := load(t, map[string]string{"main.hcl": `
				resource "group" "a" { path = "a" }
				resource "group" "k" {
					for_each = toset(["x"])
					path     = each.key
				}
				resource "group" "n" {
					path = "n"
					` + c.hcl + "\n}"})
			o := oracle{Objects: map[string]map[string]json.RawMessage{}, Stopped: map[string]string{},
				asked: map[addr.Instance]int{}}
			ev := cfg.NewEval()
			_, diags := ev.Run(t.Context(), o)
			require.False(t, diags.HasErrors(), diags.Error())
			for _, of := range []string{"group.a", `group.k["x"]`} {
				o.Objects[of] = map[string]json.RawMessage{"id": json.RawMessage("7"),
					"full_path": json.RawMessage(`"a"`)}
			}
			res, diags := ev.Run(t.Context(), o, addr.Block{Kind: "group", Name: "a"}, addr.Block{Kind: "group", Name: "k"})
			require.False(t, diags.HasErrors(), diags.Error())
			for _, d := range res.Instances {
				if d.Addr.Name == "n" {
					again := d.Object.Get("parent").IsWhollyKnown() && d.Object.Get("users").IsWhollyKnown()
					require.Equal(t, c.again, again)
					require.Equal(t, again, d.Origin["parent"] == addr.Instance{}, "else the world resolves it")
				}
			}
		})
	}
}

// TestOwnerIDsOfBlocked: a block is blocked with its owner.
func TestOwnerIDsOfBlocked(t *testing.T) {
	t.Parallel()
	cfg := load(t, map[string]string{"main.hcl": `
		resource "group" "a" { path = "a" }
		resource "group" "n" {
			path   = "n"
			parent = group.a.id
		}`})
	o := oracle{Objects: map[string]map[string]json.RawMessage{}, Stopped: map[string]string{},
		asked: map[addr.Instance]int{}}
	ev := cfg.NewEval()
	res, diags := ev.Run(t.Context(), o)
	require.False(t, diags.HasErrors(), diags.Error())
	require.Empty(t, res.Blocked)
	o.Stopped["group.a"] = "forbidden"
	res, diags = ev.Run(t.Context(), o, addr.Block{Kind: "group", Name: "a"})
	require.False(t, diags.HasErrors(), diags.Error())
	require.Equal(t, []addr.Instance{{Block: addr.Block{Kind: "group", Name: "n"}}}, addressesOf(res.Blocked))
}

func addressesOf(blocked []config.Blocked) (all []addr.Instance) {
	for _, b := range blocked {
		all = append(all, b.Addr)
	}
	return all
}
