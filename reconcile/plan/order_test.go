package plan_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/zclconf/go-cty/cty"

	"hew/reconcile/addr"
	"hew/reconcile/config"
	"hew/reconcile/ledger"
	"hew/reconcile/plan"
	"hew/schema"
)

// TestOrder checks the order in which changes start, one at a time.
func TestOrder(t *testing.T) {
	t.Parallel()
	named := func(path string) schema.Object {
		return object(group, "1", values{"path": cty.StringVal(path), "full_path": cty.StringVal(path)})
	}
	level := func(id string, n int64) schema.Object {
		return object(member, id, values{"level": cty.NumberIntVal(n), "user": schema.RefVal(&schema.Ref{ID: id})})
	}
	in := schema.Collection{Path: "groups/1/members"}
	create := func(kind, name string, needs ...addr.Instance) plan.Change {
		return plan.Change{Addr: at(kind, name), Kind: thing, Action: plan.Create, Needs: needs,
			Origin: plan.FromBlock{Desired: &config.Desired{}}}
	}
	remove := func(name string, needs ...addr.Instance) plan.Change {
		return plan.Change{
			Addr: at("thing", name), Kind: thing, Action: plan.Delete, Entry: &ledger.Entry{DependsOn: needs},
		}
	}
	people := func(name string, action plan.Action, before, after schema.Object) plan.Change {
		return plan.Change{Addr: at("member", name), Kind: member, Action: action, Before: before, After: after,
			Collection: in, Paths: make([]plan.PathChange, 1)}
	}
	labels := &schema.Kind{Name: "label", Collection: "groups/{group}/labels", Match: schema.ByKey("name"),
		Unique: []schema.Unique{{Attrs: []string{"name"}, InAncestry: "label"}},
		Attrs:  []schema.Attr{{Name: "name", Type: cty.String, Mode: schema.Required}}}
	label := func(name, owner, before, after string) plan.Change {
		is := func(name string) schema.Object { return object(labels, "1", values{"name": cty.StringVal(name)}) }
		return plan.Change{Addr: at("label", name), Kind: labels, Action: plan.Update, Owner: owner, Before: is(before),
			After: is(after), Paths: make([]plan.PathChange, 1), Origin: plan.FromBlock{Desired: &config.Desired{}}}
	}
	for name, tt := range map[string]struct {
		changes []plan.Change
		order   string
		err     string
	}{
		"what a value comes from goes first": {
			[]plan.Change{create("thing", "a", at("thing", "b")), create("thing", "b")}, "b a", "",
		},
		"through something that does not change": {[]plan.Change{
			create("thing", "a", at("thing", "b")),
			{Addr: at("thing", "b"), Kind: thing, Action: plan.NoOp, Needs: []addr.Instance{at("thing", "c")},
				Origin: plan.FromBlock{Desired: &config.Desired{}}},
			create("thing", "c"),
		}, "c b a", ""},
		"children go before their owner": {
			[]plan.Change{remove("owner"), remove("child", at("thing", "owner"))}, "child owner", "",
		},
		"what needs a whole block goes before any of it": {[]plan.Change{
			{Addr: keyed("owner", "1"), Kind: thing, Action: plan.Delete, Entry: &ledger.Entry{}},
			{Addr: keyed("owner", "2"), Kind: thing, Action: plan.Delete, Entry: &ledger.Entry{}},
			remove("child", at("thing", "owner")),
		}, "child owner owner", ""},
		"after a whole block": {[]plan.Change{
			{Addr: at("thing", "a"), Kind: thing, Action: plan.Create,
				Origin: plan.FromBlock{
					Desired: &config.Desired{DependsOnBlocks: []addr.Block{at("thing", "b").Block}},
				}},
			{Addr: keyed("b", "1"), Kind: thing, Action: plan.Create,
				Origin: plan.FromBlock{Desired: &config.Desired{}}},
			{Addr: keyed("b", "2"), Kind: thing, Action: plan.Create,
				Origin: plan.FromBlock{Desired: &config.Desired{}}},
		}, "b b a", ""},
		"after what triggers it": {[]plan.Change{
			{Addr: at("thing", "a"), Kind: thing, Action: plan.Replace,
				Origin: plan.FromBlock{Desired: &config.Desired{Triggers: []config.Trigger{{Addr: at("thing", "b")}}}}},
			{Addr: keyed("b", "1"), Kind: thing, Action: plan.Update,
				Origin: plan.FromBlock{Desired: &config.Desired{}}},
			{Addr: keyed("b", "2"), Kind: thing, Action: plan.Update,
				Origin: plan.FromBlock{Desired: &config.Desired{}}},
		}, "b b a", ""},
		"what is superseded goes once all know its successor": {[]plan.Change{
			{Addr: at("thing", "a").Depose("7"), Kind: thing, Action: plan.Delete, Entry: &ledger.Entry{},
				Origin: plan.FromLedger{Successor: at("thing", "a")}},
			create("thing", "user", at("thing", "a")),
			{Addr: at("thing", "waits"), Kind: thing, Action: plan.Create,
				Origin: plan.FromBlock{
					Desired: &config.Desired{DependsOnBlocks: []addr.Block{at("thing", "a").Block}},
				}},
			create("thing", "a"),
		}, "a user waits a", ""},
		"what is superseded does not hold up what its successor needs": {[]plan.Change{
			{Addr: at("thing", "a").Depose("7"), Kind: thing, Action: plan.Delete,
				Entry:  &ledger.Entry{DependsOn: []addr.Instance{at("thing", "b")}},
				Origin: plan.FromLedger{Successor: at("thing", "a")}},
			create("thing", "a", at("thing", "b")),
			{Addr: at("thing", "b"), Kind: thing, Action: plan.Replace, Entry: &ledger.Entry{},
				Origin: plan.FromBlock{Desired: &config.Desired{}}},
		}, "b a a", ""},
		"a freed path before its taker": {[]plan.Change{
			{Addr: at("group", "a"), Kind: group, Action: plan.Create, After: named("x"),
				Origin: plan.FromBlock{Desired: &config.Desired{}}},
			{Addr: at("group", "b"), Kind: group, Action: plan.Update, Before: named("x"), After: named("y"),
				Origin: plan.FromBlock{Desired: &config.Desired{}}},
		}, "b a", ""},
		"members come before others leave": {[]plan.Change{
			people("a", plan.Delete, level("7", 30), schema.Object{}),
			people("b", plan.Update, level("8", 40), level("8", 20)),
			people("c", plan.Update, level("9", 20), level("9", 40)),
			people("d", plan.Create, schema.Object{}, level("10", 10)),
		}, "c d a b", ""},
		"paths cannot swap": {[]plan.Change{
			{Addr: at("group", "a"), Kind: group, Action: plan.Update, Before: named("x"), After: named("y"),
				Origin: plan.FromBlock{Desired: &config.Desired{}}},
			{Addr: at("group", "b"), Kind: group, Action: plan.Update, Before: named("y"), After: named("x"),
				Origin: plan.FromBlock{Desired: &config.Desired{}}},
		}, "", "temporary name"},
		"names cannot swap along a tree": {[]plan.Change{
			label("up", "acme", "a", "b"), label("down", "acme/web", "b", "a"),
		}, "", `exchange names: label.up takes name "b" from label.down, label.down takes name "a" from label.up. ` +
			"Hosts cannot"},
		"a circle through deletions of what needs a block": {[]plan.Change{
			{Addr: keyed("owner", "1"), Kind: thing, Action: plan.Delete,
				Entry: &ledger.Entry{DependsOn: []addr.Instance{at("thing", "last")}}},
			remove("child", at("thing", "owner")), remove("last", at("thing", "child")),
		}, "", `each other: thing.owner[1] -> thing.child -> thing.last -> thing.owner[1]. Remove`},
		"what moves out of something before that goes": {[]plan.Change{
			{Addr: at("group", "a"), Kind: group, Action: plan.Delete, Before: named("x"), Entry: &ledger.Entry{}},
			{Addr: at("group", "b"), Kind: group, Action: plan.Update, Before: named("x/b/c"), After: named("y/c"),
				Paths: make([]plan.PathChange, 1), Origin: plan.FromBlock{Desired: &config.Desired{}}},
		}, "b a", ""},
		"what moves within something that is made anew comes after it": {[]plan.Change{
			{Addr: at("group", "b"), Kind: group, Action: plan.Update, Before: named("x/b"), After: named("x/new/b"),
				Paths: make([]plan.PathChange, 1), Needs: []addr.Instance{at("group", "a")},
				Origin: plan.FromBlock{Desired: &config.Desired{}}},
			{Addr: at("group", "a"), Kind: group, Action: plan.Replace, Before: named("x"), After: named("x"),
				Origin: plan.FromBlock{Desired: &config.Desired{}}},
		}, "a b", ""},
		"a circle": {[]plan.Change{create("thing", "a", at("thing", "b")), create("thing", "b", at("thing", "a"))}, "",
			"depend on each other"},
		"owners come before owners go": {[]plan.Change{
			people("old", plan.Delete, level("2", 50), schema.Object{}),
			people("lowered", plan.Update, level("3", 50), level("3", 30)),
			people("raised", plan.Update, level("4", 30), level("4", 50)),
		}, "raised old lowered", ""},
		"oneself goes last": {[]plan.Change{
			people("me", plan.Update, level("9", 50), level("9", 40)),
			people("dev", plan.Delete, level("5", 30), schema.Object{}),
			people("new", plan.Create, schema.Object{}, level("6", 30)),
		}, "new dev me", ""},
		"oneself goes after all else, but for what waits for that": {[]plan.Change{
			people("me", plan.Update, level("9", 50), level("9", 30)),
			create("thing", "mine", at("member", "me")), create("thing", "last", at("thing", "mine")),
			create("thing", "other"),
			{Addr: at("member", "there"), Kind: member, Action: plan.Create,
				Origin: plan.FromBlock{Desired: &config.Desired{}, CreatorMembership: true}, After: level("9", 30),
				Collection: schema.Collection{Path: "groups/2/members"}},
			create("thing", "more", at("thing", "other")),
		}, "other more me mine last there", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g, err := plan.Order(tt.changes, schema.Self{ID: "9"})
			if tt.err != "" {
				require.ErrorContains(t, err, tt.err)
				return
			}
			require.NoError(t, err)
			order, err := g.Sort()
			require.NoError(t, err)
			var names []string
			for _, a := range order {
				if slices.ContainsFunc(tt.changes, func(c plan.Change) bool { return c.Addr == a }) {
					names = append(names, a.Name)
				}
			}
			require.Equal(t, tt.order, strings.Join(names, " "))
		})
	}
}

// TestSum checks that the digest of a plan depends on every relevant change and on nothing else.
func TestSum(t *testing.T) {
	t.Parallel()
	sum := func(edit func(*plan.Plan)) string {
		text := &thing.Attrs[2]
		p := &plan.Plan{Changes: []plan.Change{{
			Addr: at("thing", "a"), Kind: thing, Action: plan.Update, Before: schema.Object{ID: "7"},
			Paths: []plan.PathChange{
				{Attr: text, Before: cty.StringVal("a"), After: cty.StringVal("b"), Cause: plan.ByConfig},
			},
		}}}
		edit(p)
		p.Sum(digester{})
		return p.Digest
	}
	same := sum(func(*plan.Plan) {})
	require.Equal(t, same, sum(func(p *plan.Plan) { p.Stats.Requests, p.Notes, p.User = 99, []string{"x"}, "alice" }))
	for name, edit := range map[string]func(*plan.Plan){
		"value":   func(p *plan.Plan) { p.Changes[0].Paths[0].After = cty.StringVal("c") },
		"before":  func(p *plan.Plan) { p.Changes[0].Paths[0].Before = cty.StringVal("c") },
		"host":    func(p *plan.Plan) { p.Host = "https://other.example" },
		"cause":   func(p *plan.Plan) { p.Changes[0].Paths[0].Cause = plan.ByDrift },
		"action":  func(p *plan.Plan) { p.Changes[0].Action = plan.Replace },
		"id":      func(p *plan.Plan) { p.Changes[0].Before.ID = "8" },
		"address": func(p *plan.Plan) { p.Changes[0].Addr = at("thing", "b") },
		"blocked": func(p *plan.Plan) { p.Blocked = []config.Blocked{{Addr: at("thing", "c"), Reason: "403"}} },
		"guard":   func(p *plan.Plan) { p.Guards = []plan.Finding{{Code: "last-owner"}} },
	} {
		require.NotEqual(t, same, sum(edit), name)
	}
}
