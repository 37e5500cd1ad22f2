package transfer_test

import (
	"io"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"hew/server/servertest"
	"hew/server/transfer"
	"hew/server/tree"
)

// crowd gives a project so many issues, each with two labels, an assignee and two notes.
func crowd(t testing.TB, s *servertest.Server, owner, project int64, n int) {
	t.Helper()
	args := pgx.NamedArgs{"project": project, "owner": owner, "n": n}
	for _, sql := range []string{
		`insert into labels (project_id, name, color) values (@project, 'a', '#ffffff'), (@project, 'b', '#ffffff')
		 on conflict do nothing`,
		`insert into issues (project_id, iid, title, description, author_id)
		 select @project, i, 'Issue ' || i, repeat('Text. ', 100), @owner
		 from generate_series((select coalesce(max(iid), 0) + 1 from issues where project_id = @project), @n) i`,
		`insert into issue_labels select i.id, l.id from issues i join labels l on l.project_id = @project
		 where i.project_id = @project on conflict do nothing`,
		`insert into issue_assignees select id, @owner from issues where project_id = @project on conflict do nothing`,
		`insert into notes (project_id, issue_id, discussion_id, body, author_id)
		 select @project, i.id, md5(i.id::text || n), repeat('Comment. ', 20), @owner
		 from issues i, generate_series(1, 2) n
		 where i.project_id = @project and not exists (select from notes o where o.issue_id = i.id)`,
	} {
		require.NoError(t, s.Store.Exec(t.Context(), sql, args))
	}
	require.NoError(t, s.Store.Exec(t.Context(), `analyze`, nil))
}

// TestWriteArchiveStatements: a page of documents costs one statement, whatever it holds.
func TestWriteArchiveStatements(t *testing.T) {
	t.Parallel()
	s := servertest.Fresh(t)
	w := s.World(t)
	u := w.User("alice")
	p := w.Project("web", u.NamespaceID, u.ID)
	counted := s.Counted(t)
	count := func() (n int) {
		write := func() {
			require.NoError(t, transfer.WriteArchive(t.Context(), counted.Store, p, t.TempDir(), io.Discard))
		}
		write() // fills the caches
		for _, times := range counted.During(t, write) {
			n += times
		}
		return n
	}
	crowd(t, s, u.ID, p.ID, 100)
	one := count()
	crowd(t, s, u.ID, p.ID, 500)
	require.Equal(t, one+4, count())
}

// heapLimit is what an export of any size may have in memory, in bytes.
const heapLimit = 48 << 20

// TestWriteArchiveBounded: memory does not grow with the number of issues.
func TestWriteArchiveBounded(t *testing.T) {
	s := servertest.Fresh(t)
	w := s.World(t)
	u := w.User("alice")
	p := w.Project("web", u.NamespaceID, u.ID)
	crowd(t, s, u.ID, p.ID, 20_000) // some 100 MB of documents
	grown, size, _ := exportHeap(t, s, p)
	require.Greater(t, size, int64(200_000))
	require.Less(t, grown, int64(heapLimit))
}

// BenchmarkWriteArchive exports 100,000 issues within the same limit.
func BenchmarkWriteArchive(b *testing.B) {
	s := servertest.Fresh(b)
	w := s.World(b)
	u := w.User("alice")
	p := w.Project("web", u.NamespaceID, u.ID)
	crowd(b, s, u.ID, p.ID, 100_000)
	for b.Loop() {
		grown, size, took := exportHeap(b, s, p)
		b.ReportMetric(float64(grown>>20), "MB-heap")
		b.ReportMetric(float64(size>>20), "MB-archive")
		b.ReportMetric(took.Seconds(), "s/op")
		require.Less(b, grown, int64(heapLimit))
	}
}

// exportHeap writes an archive, and returns by how much the heap in use grew meanwhile.
func exportHeap(t testing.TB, s *servertest.Server, p tree.Project) (grown, size int64, took time.Duration) {
	used := func() int64 {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int64(m.HeapInuse)
	}
	runtime.GC()
	before, most := used(), int64(0)
	done, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		every := time.NewTicker(5 * time.Millisecond)
		defer every.Stop()
		for {
			select {
			case <-done:
				return
			case <-every.C:
				most = max(most, used())
			}
		}
	}()
	start := time.Now()
	var out counter
	require.NoError(t, transfer.WriteArchive(t.Context(), s.Store, p, t.TempDir(), &out))
	took = time.Since(start)
	close(done)
	<-stopped
	t.Logf("%d bytes, heap grew by %d MB, %v", out.Load(), (most-before)>>20, took)
	return most - before, out.Load(), took
}

// counter counts what is written to it.
type counter struct{ atomic.Int64 }

func (c *counter) Write(p []byte) (int, error) {
	c.Add(int64(len(p)))
	return len(p), nil
}
