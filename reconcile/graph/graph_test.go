package graph_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/reconcile/graph"
)

// parse builds a graph from "a b<a c<a,b": the nodes in order, each with what it needs.
func parse(text string) *graph.Graph[string] {
	g := &graph.Graph[string]{}
	for _, word := range strings.Fields(text) {
		node, needs, _ := strings.Cut(word, "<")
		g.AddNode(node)
		for need := range strings.SplitSeq(needs, ",") {
			if need != "" {
				g.AddEdge(node, need)
			}
		}
	}
	return g
}

func TestSort(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ graph, order, cycle string }{
		{"", "", ""},
		{"a", "a", ""},
		{"c a b", "c a b", ""},
		{"a<b b<c c", "c b a", ""},
		{"a<z b z", "z a b", ""}, // z was added with the edge, so before b
		{"a b<d c d", "a d b c", ""},
		{"top<l,r l<base r<base base", "base l r top", ""},
		{"a<b,b b", "b a", ""},
		{"a<a", "", "a -> a"},
		{"a<b b<a", "", "a -> b -> a"},
		{"x<a a<b b<c c<a y", "", "a -> b -> c -> a"},
		{"x y<x a<x,b b<a", "", "a -> b -> a"},
	} {
		t.Run(tt.graph, func(t *testing.T) {
			order, err := parse(tt.graph).Sort()
			if tt.cycle != "" {
				var cycle *graph.CycleError[string]
				require.ErrorAs(t, err, &cycle)
				require.Equal(t, strings.Split(tt.cycle, " -> "), cycle.Path)
				require.ErrorContains(t, err, tt.cycle)
				return
			}
			require.NoError(t, err)
			require.Equal(t, strings.Fields(tt.order), order)
		})
	}
}

func TestCycles(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"a b<a c<a,b":               "",
		"a<a b":                     "a: a -> a",
		"a<b b<a c<d d<c":           "a,b: a -> b -> a; c,d: c -> d -> c",
		"c<d d<c a<b b<a":           "c,d: c -> d -> c; a,b: a -> b -> a",
		"x<a a<b b<c c<a y<x,d d<y": "a,b,c: a -> b -> c -> a; y,d: y -> d -> y",
		"a<b b<a,c c<b":             "a,b,c: a -> b -> a", // two ways around, one of them is shown
		"a<b,c b<d c<d d<a":         "a,b,c,d: a -> b -> d -> a",
	} {
		t.Run(text, func(t *testing.T) {
			t.Parallel()
			var got []string
			for _, c := range parse(text).Cycles() {
				got = append(got, strings.Join(c.Nodes, ",")+": "+strings.Join(c.Path, " -> "))
			}
			require.Equal(t, want, strings.Join(got, "; "))
		})
	}
}

func TestNeighbours(t *testing.T) {
	t.Parallel()
	g := parse("a b c<b,a,b d<c")
	require.Equal(t, []string{"a", "b"}, g.Needs("c"))
	require.Empty(t, g.Needs("a"))
	require.Empty(t, g.Needs("nowhere"))
	require.Equal(t, []string{"a", "b", "c", "d"}, g.Nodes())
	require.True(t, g.Has("d"))
}

// wide returns a graph of n nodes, each of which needs up to ten others, added in an order that
// does not already satisfy the needs.
func wide(n int) *graph.Graph[int] {
	g := &graph.Graph[int]{}
	for i := n - 1; i >= 0; i-- {
		g.AddNode(i)
	}
	for i := range n {
		for e := 1; e <= 10 && i > 0; e++ {
			g.AddEdge(i, i*e/11)
		}
	}
	return g
}

func TestSortKeepsEveryNeed(t *testing.T) {
	t.Parallel()
	g := wide(2000)
	order, err := g.Sort()
	require.NoError(t, err)
	place := map[int]int{}
	for i, k := range order {
		place[k] = i
	}
	require.Len(t, place, len(g.Nodes()))
	for _, k := range g.Nodes() {
		for _, need := range g.Needs(k) {
			require.Less(t, place[need], place[k], fmt.Sprintf("%d needs %d", k, need))
		}
	}
}

func BenchmarkSort(b *testing.B) {
	g := wide(10_000)
	for b.Loop() {
		if _, err := g.Sort(); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkBuild(b *testing.B) {
	for b.Loop() {
		wide(10_000)
	}
}
