package api_test

import (
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hew/server/code"
	"hew/server/git/gittest"
	"hew/server/servertest"
	"hew/server/tree"
)

// BenchmarkCommits makes commits of one file by the API, each client on a branch of its own, beside
// pgbench -N in the same Postgres, which updates one row and inserts another in each transaction.
func BenchmarkCommits(b *testing.B) {
	during := 5 * time.Second
	if testing.Short() {
		during = time.Second
	}
	s := servertest.Start(b)
	alice := s.User(b, "benchcommit")
	on := servertest.Machine()
	fmt.Fprintf(b.Output(), "\n%s\n", on)
	for _, clients := range []int{1, 8} {
		b.Run(fmt.Sprint(clients, " clients"), func(b *testing.B) {
			var ours, theirs float64
			const turns = 3
			for range turns { // whatever else the machine does, it does to both
				ours += commitsPerSecond(b, s, alice, clients, during/turns)
				theirs += servertest.PgBench(b, clients, during/turns)
			}
			const least = 0.25
			fmt.Fprintf(b.Output(), "%d clients: %.0f commits/s, pgbench -N %.0f/s: %.2f, bar %.2f\n",
				clients, ours/turns, theirs/turns, ours/theirs, least)
			if ours/theirs < least {
				b.Errorf("%d clients: %.2f of pgbench -N, and the bar is %.2f", clients, ours/theirs, least)
			}
		})
	}
}

func commitsPerSecond(
	b *testing.B, s *servertest.Server, by servertest.Persona, clients int, during time.Duration,
) float64 {
	b.Helper()
	var p servertest.Made
	s.Do(b, by.Token, "POST", "/projects", map[string]any{
		"name": fmt.Sprint("commits ", time.Now().UnixNano()), "initialize_with_readme": true,
	}).Into(b, &p)
	base := fmt.Sprintf("/projects/%d/repository/", p.ID)
	for i := range clients {
		made := s.Do(b, by.Token, "POST", base+fmt.Sprintf("branches?branch=b%d&ref=main", i), nil)
		require.Equal(b, http.StatusCreated, made.Status)
	}
	var n atomic.Int64
	var all sync.WaitGroup
	begun := time.Now()
	for i := range clients {
		all.Go(func() {
			for k := 0; time.Since(begun) < during; k++ {
				r := s.Do(b, by.Token, "POST", base+"files/"+fmt.Sprintf("src%%2Ff%d", k), map[string]any{
					"branch": fmt.Sprint("b", i), "commit_message": "Add a file", "content": fmt.Sprint("text ", k),
				})
				if r.Status != http.StatusCreated {
					b.Errorf("commit %d: %d %s", k, r.Status, r.Body)
					return
				}
				n.Add(1)
			}
		})
	}
	all.Wait()
	return float64(n.Load()) / time.Since(begun).Seconds()
}

// BenchmarkRead reads a log of a rarely changed path among 10,000 commits, and lists a tree of
// 3,000 files, both warm.
func BenchmarkRead(b *testing.B) {
	h := newHost(b, "benchread")
	shape := gittest.Shape{Commits: 10_000, Merges: 500, Files: 3000}
	if testing.Short() {
		shape = gittest.Shape{Commits: 200, Merges: 10, Files: 300}
	}
	from := gittest.Large(b, shape)
	at := gittest.ClientIn(b, from.Dir)
	at.Git("push", "-q", h.address(h.user.Token), "main")
	// As autovacuum does within a minute; until then the log takes up to ten times as long.
	require.NoError(b, h.s.Store.Exec(b.Context(), `analyze`, nil))
	p, err := tree.FindProject(b.Context(), h.s.Store, h.project.ID)
	require.NoError(b, err)
	rare := "src/module01/part01/file0001.go"
	for _, c := range []struct {
		name string
		read func(g *code.Git) error
	}{
		{"log of a rare path", func(g *code.Git) error {
			f := code.LogFilter{Path: rare, Limit: 20}
			if err := g.FromRange(b.Context(), "Commit", "main", &f); err != nil {
				return err
			}
			_, err := g.Log(b.Context(), f)
			return err
		}},
		{"recursive tree", func(g *code.Git) error {
			files, err := g.ListTree(b.Context(), code.Listing{Revision: "main", Recursive: true})
			if err == nil && len(files) < shape.Files {
				err = fmt.Errorf("%d files", len(files))
			}
			return err
		}},
	} {
		b.Run(c.name, func(b *testing.B) {
			const most = 2 * time.Millisecond
			var took []time.Duration
			for range 50 {
				begun := time.Now()
				g, err := code.Open(b.Context(), h.s.Store, p)
				require.NoError(b, err)
				require.NoError(b, c.read(g))
				took = append(took, time.Since(begun))
			}
			fmt.Fprintf(b.Output(), "%s: %v, bar %v\n", c.name, median(took), most)
			if m := median(took); m > most {
				b.Errorf("%s takes %v, and the bar is %v", c.name, m, most)
			}
		})
	}
}
