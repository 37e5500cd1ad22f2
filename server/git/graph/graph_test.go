package graph_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hew/server/git/gittest"
	"hew/server/git/graph"
	"hew/server/git/object"
)

// A world is a random repository and its graph.
type world struct {
	gittest.Repo
	graph  *graph.Graph
	random *rand.Rand
	ids    []string
}

func newWorld(t *testing.T, seed uint64, repo gittest.Repo) world {
	w := world{Repo: repo, graph: graph.New(0), random: rand.New(rand.NewPCG(seed, 2))}
	for _, line := range w.Lines("rev-list", "--all", "--reverse", "--topo-order", "--parents", "--timestamp") {
		fields := strings.Fields(line)
		seconds, err := strconv.ParseInt(fields[0], 10, 64)
		require.NoError(t, err)
		c := graph.Commit{ID: w.ID(fields[1]), Committed: time.Unix(seconds, 0)}
		for _, parent := range fields[2:] {
			c.Parents = append(c.Parents, w.ID(parent))
		}
		require.NoError(t, w.graph.Add(c))
		w.ids = append(w.ids, fields[1])
	}
	require.Equal(t, len(w.ids), w.graph.Len())
	return w
}

// pick returns up to n commits, mostly late ones.
func (w world) pick(n int) (digits []string, ids []object.ID) {
	for range n {
		back := min(w.random.IntN(len(w.ids)), w.random.IntN(len(w.ids)))
		id := w.ids[len(w.ids)-1-back]
		digits = append(digits, id)
		ids = append(ids, w.ID(id))
	}
	return digits, ids
}

// names returns the ids of numbers.
func (w world) names(numbers func(func(int32) bool)) (ids []string) {
	for n := range numbers {
		ids = append(ids, w.graph.ID(n).String())
	}
	return ids
}

// orders are the options of git for each order.
var orders = map[graph.Order]string{
	graph.OrderDate: "--date-order", graph.OrderTopo: "--topo-order", graph.OrderDefault: "--pretty=oneline",
}

// revList asks git for a log and returns its ids.
func (w world) revList(o graph.Options, from, not []string, more ...string) (ids []string) {
	args := []string{"rev-list", orders[o.Order]}
	if o.FirstParent {
		args = append(args, "--first-parent")
	}
	args = append(args, from...)
	for _, id := range not {
		args = append(args, "^"+id)
	}
	for _, line := range w.Lines(append(args, more...)...) {
		id, _, _ := strings.Cut(line, " ")
		ids = append(ids, id)
	}
	return ids
}

func TestLog(t *testing.T) {
	t.Parallel()
	for seed := range uint64(2) {
		w := newWorld(t, 50+seed, gittest.Random(t, 50+seed, 150))
		for order := range orders {
			for i := range 8 {
				from, fromIDs := w.pick(1 + i%3)
				not, notIDs := w.pick(i / 2 % 3)
				o := graph.Options{Order: order, FirstParent: i%5 == 0, Not: notIDs}
				want := w.revList(o, from, not)
				require.Equal(t, want, w.names(w.graph.Log(fromIDs, o)), "%s %v ^%v", orders[order], from, not)
			}
		}
	}
}

// TestLogOfSkewedClocks asks git only what it answers without looking at times.
func TestLogOfSkewedClocks(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 53, gittest.RandomSkewed(t, 53, 150))
	for order := range orders {
		for i := range 6 {
			from, fromIDs := w.pick(1 + i%3)
			o := graph.Options{Order: order, FirstParent: i%5 == 0}
			require.Equal(t, w.revList(o, from, nil), w.names(w.graph.Log(fromIDs, o)), "%s %v", orders[order], from)
		}
	}
	for range 40 {
		_, from := w.pick(2)
		_, not := w.pick(2)
		excluded := w.names(w.graph.Log(not, graph.Options{}))
		want := slices.DeleteFunc(w.names(w.graph.Log(from, graph.Options{})), func(id string) bool {
			return slices.Contains(excluded, id)
		})
		require.Equal(t, want, append([]string{}, w.names(w.graph.Log(from, graph.Options{Not: not}))...))
	}
}

func TestLogBeginsAtOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 54, gittest.Random(t, 54, 100))
	from, ids := w.pick(1)
	for order := range orders {
		log := w.graph.Log(ids, graph.Options{Order: order})
		for range 2 { // an iterator can be used again
			var got []string
			for n := range log {
				if got = append(got, w.graph.ID(n).String()); len(got) == 5 {
					break
				}
			}
			require.Equal(t, w.revList(graph.Options{Order: order}, from, nil)[:5], got)
		}
	}
	require.Empty(t, w.names(w.graph.Log([]object.ID{{1}}, graph.Options{})))
}

func TestMergeBases(t *testing.T) {
	t.Parallel()
	several := 0
	for seed := range uint64(2) {
		w := newWorld(t, 60+seed, gittest.Random(t, 60+seed, 150))
		for range 12 {
			digits, ids := w.pick(2)
			out, err := w.Try("", "merge-base", "--all", digits[0], digits[1])
			want := strings.Fields(out) // and exit status 1 if there is none
			require.Equal(t, err != nil, len(want) == 0)
			var got []string
			for _, id := range w.graph.MergeBases(ids[0], ids[1]) {
				got = append(got, id.String())
			}
			require.ElementsMatch(t, want, got)
			several += len(want) / 2

			counts := strings.Fields(w.Git("", "rev-list", "--left-right", "--count", digits[0]+"..."+digits[1]))
			ahead, behind := w.graph.AheadBehind(ids[0], ids[1])
			require.Equal(t, counts, []string{strconv.Itoa(ahead), strconv.Itoa(behind)})
			require.Equal(t, slices.Contains(want, digits[0]), w.graph.IsAncestor(ids[0], ids[1]))
		}
	}
	require.Positive(t, several, "no criss-cross merge")
}

func TestContains(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 64, gittest.Random(t, 64, 200))
	var refs []string
	var tips []object.ID
	create := ""
	for i := range 60 {
		digits, ids := w.pick(1)
		ref := fmt.Sprintf("refs/tips/%02d", i)
		refs, tips = append(refs, ref), append(tips, ids[0])
		create += "create " + ref + " " + digits[0] + "\n"
	}
	w.Git(create, "update-ref", "--stdin")
	named := func(which []bool) (names []string) {
		for i, yes := range which {
			if yes {
				names = append(names, refs[i])
			}
		}
		return names
	}
	all := func(option, id string) []string {
		return w.Lines("for-each-ref", "--format=%(refname)", option, id, "refs/tips/")
	}
	within := func(tip object.ID, ids []object.ID) (answers []bool) {
		is := w.graph.Within(tip)
		for _, id := range ids {
			answers = append(answers, is(id))
		}
		return answers
	}
	for range 12 {
		digits, ids := w.pick(1)
		require.ElementsMatch(t, all("--contains", digits[0]), named(w.graph.Contains(tips, ids[0])))
		require.ElementsMatch(t, all("--merged", digits[0]), named(within(ids[0], tips)))
	}
	none := object.ID{1}
	require.NotContains(t, w.graph.Contains(tips, none), true)
	require.NotContains(t, within(none, tips), true)
	require.Equal(t, []bool{false, true}, w.graph.Contains([]object.ID{none, tips[0]}, tips[0]))
	require.Equal(t, []bool{false, true}, within(tips[0], []object.ID{none, tips[0]}))
	require.False(t, w.graph.IsAncestor(none, tips[0]) || w.graph.IsAncestor(tips[0], none))
	require.Empty(t, w.graph.MergeBases(none, tips[0]))
	ahead, behind := w.graph.AheadBehind(tips[0], none)
	require.Equal(t, len(w.revList(graph.Options{}, []string{tips[0].String()}, nil)), ahead)
	require.Zero(t, behind)
}

func TestAdd(t *testing.T) {
	t.Parallel()
	g := graph.New(2)
	id := func(n byte) object.ID { return object.ID{0, n} }
	require.NoError(t, g.Add(graph.Commit{ID: id(1)}, graph.Commit{ID: id(2), Parents: []object.ID{id(1)}}))
	require.NoError(t, g.Add(graph.Commit{ID: id(2), Parents: []object.ID{id(9)}}), "it is there already")
	orphan := graph.Commit{ID: id(4), Parents: []object.ID{id(3), id(9)}}
	err := g.Add(graph.Commit{ID: id(3)}, orphan, graph.Commit{ID: id(5)})
	require.EqualError(t, err, "add commit 0004000000000000000000000000000000000000: "+
		"its parent 0009000000000000000000000000000000000000 was not added before")
	require.Equal(t, 3, g.Len())
	_, ok := g.Number(id(4))
	require.False(t, ok)

	g.Skip(10)
	g.Skip(5)
	require.NoError(t, g.Add(graph.Commit{ID: id(6), Parents: []object.ID{id(2), id(3)}}))
	n, ok := g.Number(id(6))
	require.True(t, ok)
	require.Equal(t, int32(10), n)
	require.Equal(t, []int32{1, 2}, g.Parents(10))
	require.True(t, g.ID(5).IsZero())
	_, ok = g.Number(object.ID{})
	require.False(t, ok)
	require.True(t, g.IsAncestor(id(1), id(6)))
	for i := range 200 { // through several sizes of the table
		require.NoError(t, g.Add(graph.Commit{ID: object.ID{1, byte(i)}, Parents: []object.ID{id(6)}}))
	}
	for i := range 200 {
		n, ok := g.Number(object.ID{1, byte(i)})
		require.True(t, ok)
		require.Equal(t, int32(11+i), n)
	}
}

// TestReadingWhileAdding is for the race detector, and for what readers must see.
func TestReadingWhileAdding(t *testing.T) {
	t.Parallel()
	g := graph.New(0)
	id := func(n int) object.ID { return object.Hash(object.KindBlob, []byte(strconv.Itoa(n))) }
	require.NoError(t, g.Add(graph.Commit{ID: id(0)}))
	const commits = 2000
	var readers sync.WaitGroup
	for range 2 {
		readers.Go(func() {
			for tip := 0; tip < commits-1; tip = g.Len() - 1 {
				count := 0
				for range g.Log([]object.ID{id(tip)}, graph.Options{}) {
					if count++; count > 20 {
						break
					}
				}
				if !g.IsAncestor(id(tip/2), id(tip)) || count != min(tip+1, 21) {
					t.Errorf("commit %d: %d commits", tip, count)
					return
				}
			}
		})
	}
	for n := 1; n < commits; n++ {
		c := graph.Commit{ID: id(n), Parents: []object.ID{id(n - 1)}, Committed: time.Unix(int64(n), 0)}
		require.NoError(t, g.Add(c))
	}
	readers.Wait()
}
