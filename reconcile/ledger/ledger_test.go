package ledger

import (
	"testing"

	"github.com/stretchr/testify/require"

	"hew/reconcile/addr"
)

func at(t testing.TB, text string) addr.Instance {
	t.Helper()
	a, err := addr.Parse(text)
	require.NoError(t, err)
	return a
}

func TestLedgerFollowsLiveObjects(t *testing.T) {
	group, hook, renamed := at(t, "group.acme"), at(t, `project_hook.ci["a"]`), at(t, `project_hook.build["a"]`)
	l := newLedger()
	find := func(collection, id string) string {
		a, ok := l.Find(collection, id)
		if !ok {
			return ""
		}
		return a.String()
	}
	require.Equal(t, "", find("groups", "7"))
	l.Set(group, Entry{Kind: "group", Collection: "groups", ID: "7"})
	l.Set(
		hook,
		Entry{Kind: "project_hook", Collection: "projects/3/hooks", ID: "7", DependsOn: []addr.Instance{group},
			ReplacedFor: group},
	)
	require.Equal(t, "group.acme", find("groups", "7"))
	require.Equal(t,
		`project_hook.ci["a"]`,
		find("projects/3/hooks", "7"),
		"an id means something in its collection only",
	)

	l.Set(group, Entry{Kind: "group", Collection: "groups", ID: "8"})
	require.Equal(t, "", find("groups", "7"), "replaced")
	require.Equal(t, "group.acme", find("groups", "8"))

	entry := l.Entries[hook]
	require.Equal(t, []Delta{{Addr: renamed, Entry: &entry}, {Addr: hook}}, l.Move(hook, renamed))
	require.Equal(t, `project_hook.build["a"]`, find("projects/3/hooks", "7"))
	require.Nil(t, l.Move(hook, renamed), "gone from there")

	top := at(t, "group.top")
	moves := l.Move(group, top)
	require.Len(t, moves, 3)
	require.Equal(t, []addr.Instance{top}, l.Entries[renamed].DependsOn)
	require.Equal(t, top, l.Entries[renamed].ReplacedFor)
	require.Equal(t, []addr.Instance{top, renamed}, l.Sorted())

	require.Equal(t, Delta{Addr: renamed}, l.Remove(renamed))
	require.Equal(t, "", find("projects/3/hooks", "7"))
	require.Equal(t, "", find("", ""), "what has no id yet is not found by it")
}

func TestFindTakesTheFirstOfTwins(t *testing.T) {
	e := Entry{Kind: "group", Collection: "groups", ID: "7"}
	l := &Ledger{Entries: map[addr.Instance]Entry{at(t, "group.b"): e, at(t, "group.a"): e}}
	a, ok := l.Find("groups", "7")
	require.True(t, ok)
	require.Equal(t, "group.a", a.String())
}
