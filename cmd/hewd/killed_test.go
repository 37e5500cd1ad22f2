package main

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"hew/server"
	"hew/server/blob"
	"hew/server/git/gittest"
	"hew/server/servertest"
)

var (
	kills    = flag.Int("kills", 2, "how many times TestKilledHewd kills hewd")
	killSeed = flag.Uint64("kill-seed", 1, "what decides when")
)

// TestKilledHewd kills hewd while git clients push, the API makes commits and merges, and
// repositories are repacked. The next hewd has everything that was acknowledged, and nothing that
// is incomplete.
func TestKilledHewd(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(*killSeed, 0))
	env := map[string]string{
		"HEWD_DATABASE_URL": servertest.URL(t), "HEWD_SECRET_KEY": "a secret key that is long enough",
	}
	p := newProcess(t, env)
	p.start()
	t.Cleanup(func() { p.kill() })
	acks := make(chan struct{}, 1)
	var targets []*target
	for _, name := range []string{"one", "two", "three"} {
		g := newTarget(t, p, name, acks)
		g.commitOne(0)
		targets = append(targets, g)
	}
	n := 0
	for range *kills {
		n += 1000
		stop := make(chan struct{})
		var clients sync.WaitGroup
		for k, g := range targets {
			repeat(&clients, stop, func(i int) { g.pushOne([]int{3, 130}[(i+k)%2]) })
			repeat(&clients, stop, func(i int) { g.commitOne(n + i) })
			repeat(&clients, stop, func(i int) { g.mergeOne(n + i) })
			repeat(&clients, stop, func(int) {
				g.request("POST", fmt.Sprintf("/projects/%d/housekeeping", g.id), nil, nil)
			})
		}
		for range 1 + random.IntN(20) {
			<-acks
		}
		at := time.NewTimer(time.Duration(random.IntN(50_000)) * time.Microsecond) // any moment will do
		<-at.C
		p.kill()
		close(stop)
		clients.Wait()
		p.start()
		for _, g := range targets {
			g.checkKept()
		}
		p.checkCaches(1)
	}
	p.kill()
	p.checkCaches(1) // it was killed, too
	checkNothingLeft(t, env)
	kept := 0
	for _, g := range targets {
		kept += len(g.kept)
	}
	t.Logf("killed %d times; %d acknowledged commits are there", *kills, kept)
}

// checkCaches finds the copies of n processes: each process removes those of killed ones.
func (p *process) checkCaches(n int) {
	p.t.Helper()
	require.EventuallyWithT(p.t, func(c *assert.CollectT) {
		locks, err := filepath.Glob(filepath.Join(p.cache, "repositories-*.lock"))
		require.NoError(c, err)
		all, err := os.ReadDir(p.cache)
		require.NoError(c, err)
		require.Len(c, locks, n)
		require.Len(c, all, 2*n, "%v", all)
	}, 30*time.Second, 50*time.Millisecond)
}

// checkKept compares the repository with what was acknowledged, and the index with the objects.
func (g *target) checkKept() {
	g.t.Helper()
	dir := filepath.Join(g.t.TempDir(), "c")
	out, err := gittest.ClientIn(g.t, ".").Try("clone", "-q", "--mirror", g.remote(), dir)
	require.NoError(g.t, err, out)
	out, err = gittest.ClientIn(g.t, dir).Try("fsck", "--strict", "--no-progress")
	require.NoError(g.t, err, out)
	require.Empty(g.t, out)
	for branch, id := range g.acked {
		out, err := gittest.ClientIn(g.t, dir).Try("merge-base", "--is-ancestor", id, "refs/heads/"+branch)
		require.NoError(g.t, err, "%s lost %s, which was acknowledged: %s", branch, id, out)
	}
	for branch := range g.acked {
		want, err := gittest.ClientIn(g.t, dir).Try("rev-list", "refs/heads/"+branch)
		require.NoError(g.t, err, want)
		var got strings.Builder
		for page := 1; ; page++ {
			var list []struct{ ID string }
			require.Equal(g.t, 200, g.request("GET", fmt.Sprintf(
				"/projects/%d/repository/commits?ref_name=%s&per_page=100&page=%d", g.id, branch, page), nil, &list))
			for _, c := range list {
				fmt.Fprintln(&got, c.ID)
			}
			if len(list) < 100 {
				break
			}
		}
		require.Equal(g.t, want, got.String(), branch)
	}
	g.checkMerged(dir)
	require.NoError(g.t, os.RemoveAll(dir))
}

// checkNothingLeft sweeps as it is done a day later, and finds no content that is missing or that
// nobody uses. Housekeeping that was killed has left packs that no repository links.
func checkNothingLeft(t *testing.T, env map[string]string) {
	h, done, err := server.OpenBlobs(t.Context(), server.Config{
		DatabaseURL: env["HEWD_DATABASE_URL"], SecretKey: env["HEWD_SECRET_KEY"],
	})
	require.NoError(t, err)
	defer func() { require.NoError(t, done()) }()
	for _, later := range []string{
		`update blobs set used_at = used_at - interval '2 days'`,
		`update blob_uploads set touched_at = touched_at - interval '2 days'`,
		// as upkeep does
		`delete from packs p where not exists (select from repository_packs l where l.pack_id = p.id)`,
	} {
		require.NoError(t, h.Exec(t.Context(), later, nil))
	}
	rest, err := blob.Sweep(t.Context(), h, 0, time.Now().Add(time.Minute))
	require.NoError(t, err)
	require.Nil(t, rest)
	for _, left := range []string{
		`select count(*) from blob_uploads`,
		`select count(*) from blobs b where not exists (select from packs p where b.id in (p.pack, p.index))
			and not exists (select from job_artifacts a where a.blob_id = b.id)
			and not exists (select from uploads a where a.blob_id = b.id)
			and not exists (select from lfs_objects a where a.blob_id = b.id)
			and not exists (select from project_exports a where a.blob_id = b.id)`,
	} {
		rows, _ := h.DB().Query(t.Context(), left) // its error is that of the rows
		n, err := pgx.CollectExactlyOneRow(rows, pgx.RowTo[int])
		require.NoError(t, err)
		require.Zero(t, n, left)
	}
	out, err := run(env, "blob", "check", "-verify")
	require.NoError(t, err, out)
	require.Contains(t, out, "0 missing, 0 damaged, 0 orphaned")
}
