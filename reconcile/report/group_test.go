package report

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/zclconf/go-cty/cty"

	"hew/reconcile/addr"
	"hew/reconcile/plan"
	"hew/reconcile/report/reporttest"
	"hew/schema"
)

// update returns a change of one argument of the object i of a kind.
func update(k *schema.Kind, i int, name string, before, after cty.Value) plan.Change {
	a := addr.Instance{Block: addr.Block{Kind: k.Name, Name: "x"}, Key: addr.StringKey(fmt.Sprint(i))}
	return plan.Change{Addr: a, Kind: k, Action: plan.Update, Title: fmt.Sprintf("acme/%d", i), Cause: plan.ByConfig,
		Paths: []plan.PathChange{reporttest.Path(k, name, before, after, plan.ByConfig, "")}}
}

// names returns the groups of changes as they are printed: sign, name and changes.
func names(changes ...plan.Change) (all []string) {
	for _, g := range Groups(recorded(&plan.Plan{Changes: changes}), Grouped) {
		all = append(all, strings.TrimSpace(fmt.Sprintf("%c %s %s", g.Sign, g.Name, g.Gist())))
	}
	return all
}

// TestGroupsOfEqualChanges: changes of one kind and action with the same values are one entry, in
// whatever order they come, and only from three on.
func TestGroupsOfEqualChanges(t *testing.T) {
	t.Parallel()
	var changes []plan.Change
	for i := range 4 {
		changes = append(changes,
			update(reporttest.GroupKind, i, "visibility", reporttest.Str("internal"), reporttest.Str("private")),
			update(reporttest.GroupKind, 10+i, "visibility", reporttest.Str("public"), reporttest.Str("private")),
			update(reporttest.HookKind, i, "push_events", cty.True, cty.False))
	}
	for i := range 2 {
		changes = append(changes,
			update(reporttest.GroupKind, 20+i, "visibility", reporttest.Str("internal"), reporttest.Str("public")))
	}
	drifted := update(reporttest.GroupKind, 30, "visibility", reporttest.Str("internal"), reporttest.Str("private"))
	drifted.Cause, drifted.Paths[0].Cause = plan.ByDrift, plan.ByDrift
	moved := update(reporttest.GroupKind, 31, "visibility", reporttest.Str("internal"), reporttest.Str("private"))
	moved.Action, moved.Before = plan.Adopt, schema.Object{Kind: reporttest.GroupKind, ID: "7"}
	changes = append(changes, drifted, moved)
	want := []string{
		`~ 4 × group visibility "internal" -> "private"`, `~ 4 × group visibility "public" -> "private"`,
		`~ 4 × project_hook push_events true -> false`,
		`~ group.x["20"] acme/20, visibility "internal" -> "public"`,
		`~ group.x["21"] acme/21, visibility "internal" -> "public"`,
		`~ group.x["30"] acme/30, visibility "internal" -> "private"`,
		`= group.x["31"] adopts acme/31, group 7, visibility "internal" -> "private"`,
	}
	shuffle := rand.New(rand.NewPCG(1, 2))
	for range 20 {
		require.ElementsMatch(t, want, names(changes...))
		shuffle.Shuffle(len(changes), func(i, j int) { changes[i], changes[j] = changes[j], changes[i] })
	}
	require.Len(t, Groups(recorded(&plan.Plan{Changes: changes}), Whole), len(changes))
}

// TestGroupsOfSecrets: all hidden values are equal, and different from every visible value.
func TestGroupsOfSecrets(t *testing.T) {
	t.Parallel()
	secret := func(s string) cty.Value { return reporttest.Str(s).Mark(schema.Secret) }
	var changes []plan.Change
	for i, token := range []string{"one", "two", "two"} { // equal secrets look like different ones
		changes = append(changes, update(reporttest.HookKind, i, "token", secret("old"), secret(token)))
	}
	for i, filter := range []cty.Value{secret("a"), secret("b"), secret("b"), reporttest.Str("b"),
		reporttest.Str("(secret)")} {
		changes = append(changes, update(reporttest.HookKind, 10+i, "branch_filter", reporttest.Str("a"), filter))
	}
	require.Equal(t, []string{
		"~ 3 × project_hook token (secret)", `~ 3 × project_hook branch_filter (secret)`,
		`~ project_hook.x["13"] acme/13, branch_filter "a" -> "b"`,
		`~ project_hook.x["14"] acme/14, branch_filter "a" -> "(secret)"`,
	}, names(changes...))
}

// TestGroupsOfUnknowns: values known after apply are equal if they look equal. The addresses of two
// objects to be created are not.
func TestGroupsOfUnknowns(t *testing.T) {
	t.Parallel()
	unborn := func(at string) cty.Value { return schema.RefVal(&schema.Ref{Addr: at}) }
	var changes []plan.Change
	for i := range 3 {
		changes = append(
			changes, update(reporttest.HookKind, i, "url", reporttest.Str("a"), cty.UnknownVal(cty.String)),
		)
	}
	for i := range 3 {
		changes = append(
			changes, update(reporttest.GroupKind, i, "parent", unborn("group.a"), unborn(fmt.Sprintf("group.b%d", i))),
		)
	}
	require.Equal(t, []string{"~ 3 × project_hook url \"a\" -> (known after apply)"}, names(changes...)[:1])
	require.Len(t, names(changes...), 4)
}

// TestGroupsOfNewObjects: arguments that only have the key or the owner of an object do not prevent
// a group, and are left out of it.
func TestGroupsOfNewObjects(t *testing.T) {
	t.Parallel()
	var hooks []plan.Change
	for i := range 6 {
		project := fmt.Sprintf("acme/%d", i)
		at := schema.RefVal(&schema.Ref{ID: fmt.Sprint(i), Path: project})
		if i > 2 {
			at = schema.RefVal(&schema.Ref{Addr: fmt.Sprintf("project.all[%q]", project)})
		}
		o := schema.Object{Kind: reporttest.HookKind}
		o.Value.Set(reporttest.HookKind.Attr("project"), at)
		o.Value.Set(reporttest.HookKind.Attr("url"), reporttest.Str("https://ci"))
		c := plan.Change{Addr: reporttest.At(reporttest.HookKind, "ci", project, ""), Kind: reporttest.HookKind,
			Action: plan.Create, Title: "https://ci",
			Owner: project, After: o, Cause: plan.ByConfig}
		for a, v := range o.Value.All() {
			c.Paths = append(
				c.Paths, reporttest.Path(reporttest.HookKind, a.Name, cty.NullVal(a.Type), v, plan.ByConfig, ""),
			)
		}
		hooks = append(hooks, c)
	}
	require.Equal(t, []string{`+ 3 × project_hook https://ci, url "https://ci", (not set) push_events = true`,
		`+ 3 × project_hook https://ci, project project.all[…], url "https://ci", (not set) push_events = true`},
		names(hooks...))
}

// TestGroupsHideNothingThatGoes: ten deletions are named. An item that a guard names is not
// grouped, but a deletion that a guard names is listed with the others.
func TestGroupsHideNothingThatGoes(t *testing.T) {
	t.Parallel()
	var gone, changed []plan.Change
	for i := range 12 {
		c := update(reporttest.GroupKind, i, "visibility", reporttest.Str("internal"), reporttest.Str("private"))
		changed = append(changed, c)
		c.Addr.Name, c.Action, c.Paths = "gone", plan.Delete, nil
		gone = append(gone, c)
	}
	require.Len(t, names(gone[:10]...), 10)
	p := &plan.Plan{Changes: slices.Concat(gone, changed),
		Guards: []plan.Finding{{Code: "g", Objects: []string{gone[11].Addr.String(), changed[3].Addr.String()}}}}
	groups := Groups(recorded(p), Grouped)
	require.Len(t, groups, 3)
	require.Len(t, groups[0].Listed, 10)
	require.Equal(t, 2, groups[0].Hidden)
	require.Equal(t, gone[0].Addr.String(), groups[0].Listed[0].Name)
	require.Equal(t, changed[3].Addr.String(), groups[2].Name)
	require.True(t, groups[2].IsAlone())
}

// TestGroupsTellEveryChange: every change of every plan is in one group, however it is arranged.
func TestGroupsTellEveryChange(t *testing.T) {
	t.Parallel()
	for name, p := range reporttest.Plans {
		d := recorded(p)
		for _, detail := range []Detail{Grouped, Whole} {
			told := map[string]int{}
			for _, g := range Groups(d, detail) {
				for _, c := range g.Changes() {
					told[c.Address]++
				}
			}
			require.Len(t, told, len(d.Changes), name)
			for i := range d.Changes {
				require.Equal(t, 1, told[d.Changes[i].Address], "%s: %s", name, d.Changes[i].Address)
			}
		}
	}
}

// TestTable: the counts of a table are those of the summary, and small plans have none.
func TestTable(t *testing.T) {
	t.Parallel()
	require.Empty(t, TableOf(recorded(reporttest.Plans["sample"])).Rows)
	require.Empty(t, TableOf(recorded(reporttest.Equal(20))).Rows, "one kind is counted by the last line")
	table := TableOf(recorded(reporttest.Plans["equal"]))
	require.Equal(t, Table{Actions: []plan.Action{plan.Create, plan.Update, plan.Delete}, Rows: []TableRow{
		{"group", []int{0, 6, 0}}, {"group_member", []int{0, 18, 0}}, {"project_hook", []int{4, 0, 13}}}}, table)
}

// TestNoteOfSuspendedRemovals: the note is at the set, or among the other notes if the set has no
// entry.
func TestNoteOfSuspendedRemovals(t *testing.T) {
	t.Parallel()
	d := recorded(reporttest.Plans["equal"])
	at := func() (names []string) {
		for _, g := range Groups(d, Grouped) {
			if g.Note != "" {
				require.Equal(t, d.Suspended[0].Note, g.Note)
				names = append(names, g.Name)
			}
		}
		return names
	}
	require.Equal(t, []string{"group_members.all"}, at())
	require.Equal(t, []string{"Another note."}, d.OtherNotes())
	d.Suspended[0].Address = "exclusive.group_member.all" // a block of its own: at the first member of the group
	require.Equal(t, []string{"group_members.all"}, at())
	d.Suspended[0].Owner = "acme/other"
	require.Empty(t, at())
	require.Equal(t, d.Notes, d.OtherNotes())
	require.Contains(t, d.Notes, d.Suspended[0].Note, "programs find it where it was")
}

// TestErrorsBeforeWarnings: people and programs get the errors first, each sort in the order of
// files.
func TestErrorsBeforeWarnings(t *testing.T) {
	t.Parallel()
	all := []Diagnostic{{Severity: "warning", Summary: "a"}, {Severity: "error", Summary: "b"},
		{Severity: "warning", Summary: "c"}, {Severity: "error", Summary: "d"}}
	var order string
	for _, d := range BySeverity(all) {
		order += d.Summary
	}
	require.Equal(t, "bdac", order)
}

// newHook is a new hook whose block has the given key.
func newHook(key, project, url string) plan.Change {
	k := reporttest.HookKind
	o := schema.Object{Kind: k}
	o.Value.Set(k.Attr("project"), schema.RefVal(&schema.Ref{ID: "1", Path: project}))
	o.Value.Set(k.Attr("url"), reporttest.Str(url))
	c := plan.Change{Addr: reporttest.At(k, "h", key, ""), Kind: k, Action: plan.Create, Title: url,
		Owner: project, After: o, Cause: plan.ByConfig}
	for a, v := range o.Value.All() {
		c.Paths = append(c.Paths, reporttest.Path(k, a.Name, cty.NullVal(a.Type), v, plan.ByConfig, ""))
	}
	return c
}

// TestGroupsHideNoContent: URLs are not in names, so a different one is not grouped and a common
// one is shown. The owner is left out only if the key contains it.
func TestGroupsHideNoContent(t *testing.T) {
	t.Parallel()
	hooks := []plan.Change{
		newHook("a", "acme/a", "https://ci"), newHook("b", "acme/b", "https://ci"),
		newHook("c", "acme/c", "https://ci"),
		newHook("d", "acme/d", "https://evil"), newHook("e", "evil/e", "https://ci"),
		newHook("f", "acme/x", "https://ci"),
	}
	got := names(hooks...)
	require.Len(t, got, 4)
	require.Equal(t, `+ 3 × project_hook https://ci, project acme/…, url "https://ci", (not set) push_events = true`,
		got[0])
	require.Contains(t, got[1], "https://evil")
	require.Contains(t, got[2], "evil/e")
	require.Contains(t, got[3], "acme/x")
}

// members returns changes of one set each, which give a user a level.
func members(action plan.Action, before, after int64, users ...string) (all []plan.Change) {
	k := reporttest.WithOpens(reporttest.MemberKind, "access_level", reporttest.HigherLevel)
	k.Members = &schema.Membership{Level: "access_level"}
	for i, user := range users {
		in := schema.Collection{Path: fmt.Sprintf("groups/%d/members", i)}
		at := reporttest.At(reporttest.MemberKind, fmt.Sprintf("s%02d", i), "", user)
		c := plan.Change{Addr: at, Kind: k, Action: action, Collection: in, Cause: plan.ByConfig, Title: user}
		if action == plan.Delete {
			c.Before = schema.Object{Kind: k}
			c.Before.Value.Set(k.Attr("access_level"), reporttest.Num(before))
		} else {
			c.Paths = []plan.PathChange{reporttest.Path(k, "access_level", reporttest.Num(before),
				reporttest.Num(after), plan.ByConfig, "")}
		}
		all = append(all, c)
	}
	return all
}

// TestGroupsOfSetsTellWho: sets that change the same user are grouped. A set with another user is
// not.
func TestGroupsOfSetsTellWho(t *testing.T) {
	t.Parallel()
	users := slices.Repeat([]string{"alice"}, 12)
	users[5] = "eve"
	got := names(members(plan.Update, 50, 30, users...)...)
	require.Equal(t, []string{"~ 11 × group_members 11 members, 11 × alice owner -> developer",
		"~ group_members.s05 1 of 1 member, eve owner -> developer"}, got)
}

// TestWiderAccessIsListed: members who get more access are listed like deletions, at least ten, and
// no list leaves out a single item.
func TestWiderAccessIsListed(t *testing.T) {
	t.Parallel()
	for n, hidden := range map[int]int{11: -1, 12: 2, 15: 5} {
		d := recorded(&plan.Plan{Changes: members(plan.Update, 30, 50, slices.Repeat([]string{"alice"}, n)...)})
		groups := Groups(d, Grouped)
		if hidden < 0 {
			require.Len(t, groups, n)
			continue
		}
		require.Len(t, groups, 1)
		require.True(t, groups[0].IsListed())
		require.Len(t, groups[0].Listed, 10)
		require.Equal(t, hidden, groups[0].Hidden)
	}
	for n, listed := range map[int]int{3: 3, 4: 4, 5: 3} {
		d := recorded(&plan.Plan{Changes: members(plan.Update, 50, 30, slices.Repeat([]string{"alice"}, n)...)})
		require.Len(t, Groups(d, Grouped)[0].Listed, listed)
	}
}

// TestRemovedOwnersComeFirst: of many removed members the owners are listed first, and the count
// of the others is right.
func TestRemovedOwnersComeFirst(t *testing.T) {
	t.Parallel()
	for n, cut := range map[int]int{11: 0, 12: 2, 31: 21} {
		var changes []plan.Change
		for i := range n {
			c := members(plan.Delete, 30, 0, fmt.Sprintf("u%02d", i))[0]
			if i == n-1 {
				c.Before.Value.Set(c.Kind.Attr("access_level"), reporttest.Num(50))
			}
			changes = append(changes, c)
		}
		g := Groups(recorded(&plan.Plan{Changes: changes}), Grouped)[0]
		require.Equal(t, cut, g.Cut)
		if cut > 0 {
			require.Equal(t, fmt.Sprintf("u%02d", n-1), g.Rows[0].Name)
			require.Equal(t, fmt.Sprintf("… %d more", cut), g.Rows[10].Name)
		}
	}
}

// TestNotesDoNotKeepSetsApart: sets that delete nothing for one reason are one group with one note.
// A set with another reason is not in it.
func TestNotesDoNotKeepSetsApart(t *testing.T) {
	t.Parallel()
	p := &plan.Plan{Changes: members(plan.Update, 50, 30, slices.Repeat([]string{"alice"}, 8)...)}
	for i := range p.Changes {
		at, why := p.Changes[i].Addr, "a url is not known."
		at.Elem = ""
		if i == 3 {
			why = "module.squad is blocked."
		}
		p.Suspended = append(p.Suspended, plan.Suspended{Addr: at, Kind: p.Changes[i].Kind,
			Note: at.String() + " deletes nothing in this run: " + why})
	}
	groups := Groups(recorded(p), Grouped)
	require.Len(t, groups, 2)
	require.Contains(t, groups[0].Note, "7 exclusive blocks delete nothing in this run. The first: group_members.s00 ")
	require.Contains(t, groups[0].Note, "a url is not known. Resolve that")
	require.Contains(t, groups[1].Note, "module.squad is blocked.")
}

// TestWiderVisibility: each step from private to public opens, and something new only if it is
// public.
func TestWiderVisibility(t *testing.T) {
	t.Parallel()
	visible := reporttest.WithOpens(reporttest.GroupKind, "visibility", reporttest.WiderVisibility)
	for _, c := range []struct {
		before, after string
		opens         bool
	}{{"private", "internal", true}, {"internal", "public", true}, {"private", "public", true},
		{"internal", "private", false}, {"", "internal", false}, {"", "public", true}} {
		before := cty.NullVal(cty.String)
		if c.before != "" {
			before = reporttest.Str(c.before)
		}
		u := update(visible, 1, "visibility", before, reporttest.Str(c.after))
		require.Equal(t, c.opens, opens(&u), "%s -> %s", c.before, c.after)
	}
}

// TestProtectionsOpenAsTheyGo: a new protection opens nothing; deleting or replacing one
// does, unless the protected object is deleted with it.
func TestProtectionsOpenAsTheyGo(t *testing.T) {
	t.Parallel()
	k := reporttest.WithOpens(reporttest.GroupKind, "visibility", reporttest.WiderVisibility)
	k.Protects = true
	made := update(k, 1, "visibility", cty.NullVal(cty.String), reporttest.Str("public"))
	require.True(t, opens(&made))
	made.Action = plan.Create
	require.False(t, opens(&made))

	gone := plan.Change{Kind: k, Action: plan.Delete}
	require.True(t, opens(&gone))
	gone.Action = plan.Replace
	require.True(t, opens(&gone))
	gone.Action, gone.Origin = plan.Delete, plan.FromLedger{Within: reporttest.At(k, "above", "", "")}
	require.False(t, opens(&gone))
	require.False(t, opens(&plan.Change{Kind: reporttest.GroupKind, Action: plan.Delete}))
	require.False(t, opens(&plan.Change{Kind: k, Action: plan.Move}))
}
