package graph_test

import (
	"encoding/binary"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hew/server/git/graph"
	"hew/server/git/object"
)

// big returns a graph of so many commits, every tenth a merge, and its tip.
func big(b *testing.B, commits int) (g *graph.Graph, tip object.ID) {
	g = graph.New(commits)
	random := rand.New(rand.NewPCG(1, 1))
	var ids []object.ID
	for n := range commits {
		c := graph.Commit{Committed: time.Unix(int64(1_600_000_000+n), 0)}
		binary.LittleEndian.PutUint64(c.ID[:], random.Uint64())
		if n > 0 {
			c.Parents = append(c.Parents, ids[n-1])
		}
		if n > 20 && n%10 == 0 {
			c.Parents = append(c.Parents, ids[n-2-random.IntN(15)])
		}
		require.NoError(b, g.Add(c))
		ids = append(ids, c.ID)
	}
	return g, ids[len(ids)-1]
}

func BenchmarkGraph(b *testing.B) {
	const commits = 10_000
	g, tip := big(b, commits)
	from := []object.ID{tip}
	older := g.ID(commits / 2)
	rare := func(n int32) (uint16, bool) { return 0xffff, n%500 == 0 }
	for name, run := range map[string]func() int{
		"log of 20": func() (count int) {
			for range g.Log(from, graph.Options{}) {
				if count++; count == 20 {
					break
				}
			}
			return count
		},
		"topological log": func() (count int) {
			for range g.Log(from, graph.Options{Order: graph.OrderTopo}) {
				count++
			}
			return count
		},
		"history of a rare path": func() (count int) {
			for range g.History(from, graph.Options{}, rare) {
				count++
			}
			return count
		},
		"merge base":   func() int { return len(g.MergeBases(older, tip)) },
		"ahead behind": func() int { ahead, _ := g.AheadBehind(tip, older); return ahead },
		"contains":     func() int { return len(g.Contains(from, older)) },
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if run() == 0 {
					b.Fatal("nothing was found")
				}
			}
		})
	}
}
