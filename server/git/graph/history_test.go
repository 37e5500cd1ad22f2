package graph_test

import (
	"flag"
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/git/gittest"
	"hew/server/git/graph"
	"hew/server/git/object"
	"hew/server/git/tree"
)

var sample = flag.Int("paths", 24, "how many paths of each repository TestHistory asks git about")

// paths returns, for each path that ever was, from which parents it differs, by commit.
func paths(t *testing.T, w world) map[string]map[int32]uint16 {
	store := w.Objects()
	commit := func(id object.ID) *object.Commit {
		c, err := object.ReadCommit(t.Context(), store, id)
		require.NoError(t, err)
		return c
	}
	all := map[string]map[int32]uint16{}
	for n := range int32(w.graph.Len()) {
		c := commit(w.graph.ID(n))
		var parents []object.ID
		for _, parent := range c.Parents {
			parents = append(parents, commit(parent).Tree)
		}
		for d, err := range tree.Diffs(t.Context(), store, c.Tree, parents) {
			require.NoError(t, err)
			if all[d.Path] == nil {
				all[d.Path] = map[int32]uint16{}
			}
			all[d.Path][n] = d.Bits
		}
	}
	return all
}

func TestHistory(t *testing.T) {
	t.Parallel()
	asked, merges, moved := 0, 0, 0
	for seed := range uint64(3) {
		w := newWorld(t, 70+seed, gittest.Random(t, 70+seed, 150))
		all := paths(t, w)
		names := slices.Sorted(maps.Keys(all))
		require.Greater(t, len(names), 60)
		for i := range *sample {
			path := names[w.random.IntN(len(names))]
			from, fromIDs := w.pick(1 + i%2)
			not, notIDs := w.pick(i / 4 % 3)
			o := graph.Options{Order: graph.Order(i % 3), FirstParent: i%7 == 0, Not: notIDs}
			differs := func(n int32) (uint16, bool) {
				bits, ok := all[path][n]
				return bits, ok
			}
			got := w.names(w.graph.History(fromIDs, o, differs))
			want := w.revList(o, from, not, "--", ":(literal)"+path)
			if len(not) > 0 && !slices.Equal(want, got) {
				moved++
				require.Subset(t, got, want)
				continue
			}
			require.Equal(t, want, got, "%s %q %v ^%v", orders[o.Order], path, from, not)
			asked++
			for _, id := range got {
				n, _ := w.graph.Number(w.ID(id))
				merges += len(w.graph.Parents(n)) / 2
			}
		}
	}
	require.Greater(t, asked, 2**sample)
	require.LessOrEqual(t, moved, asked/50, "a range where git took a parent to be left out later than it could know")
	require.Positive(t, merges)
}
