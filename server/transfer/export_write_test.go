package transfer_test

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"hew/server/blob"
	"hew/server/db"
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

// What an export and an import of any size may have in memory, in bytes.
const (
	heapLimit   = 48 << 20
	importLimit = 64 << 20
)

// TestWriteArchiveBounded: memory does not grow with the number of issues.
func TestWriteArchiveBounded(t *testing.T) {
	s := servertest.Fresh(t)
	w := s.World(t)
	u := w.User("alice")
	p := w.Project("web", u.NamespaceID, u.ID)
	crowd(t, s, u.ID, p.ID, 20_000) // some 100 MB of documents
	var out counter
	grown, _ := heapDuring(t, func() {
		require.NoError(t, transfer.WriteArchive(t.Context(), s.Store, p, t.TempDir(), &out))
	})
	require.Greater(t, out.Load(), int64(200_000))
	require.Less(t, grown, int64(heapLimit))
}

// BenchmarkWriteArchive exports 10,000 and 100,000 issues within the same limit.
func BenchmarkWriteArchive(b *testing.B) {
	for _, n := range []int{10_000, 100_000} {
		b.Run(fmt.Sprint(n, " issues"), func(b *testing.B) {
			s := servertest.Fresh(b)
			w := s.World(b)
			u := w.User("alice")
			p := w.Project("web", u.NamespaceID, u.ID)
			crowd(b, s, u.ID, p.ID, n)
			for b.Loop() {
				var out counter
				grown, took := heapDuring(b, func() {
					require.NoError(b, transfer.WriteArchive(b.Context(), s.Store, p, b.TempDir(), &out))
				})
				b.ReportMetric(float64(grown>>20), "MB-heap")
				b.ReportMetric(float64(out.Load()>>20), "MB-archive")
				b.ReportMetric(float64(took.Milliseconds())/float64(n), "ms/issue")
				require.Less(b, grown, int64(heapLimit))
			}
		})
	}
}

// BenchmarkImportArchive imports 10,000 and 100,000 issues within a limit of memory.
func BenchmarkImportArchive(b *testing.B) {
	for _, n := range []int{10_000, 100_000} {
		b.Run(fmt.Sprint(n, " issues"), func(b *testing.B) {
			s := servertest.Fresh(b)
			w := s.World(b)
			u := w.User("alice")
			p := w.Project("web", u.NamespaceID, u.ID)
			crowd(b, s, u.ID, p.ID, n)
			file, err := os.Create(filepath.Join(b.TempDir(), "archive"))
			require.NoError(b, err)
			defer file.Close()
			require.NoError(b, transfer.WriteArchive(b.Context(), s.Store, p, b.TempDir(), file))
			for i := 0; b.Loop(); i++ {
				_, err := file.Seek(0, io.SeekStart)
				require.NoError(b, err)
				var copied tree.Project
				grown, took := heapDuring(b, func() { copied = bring(b, s, u, fmt.Sprint("copy-", i), file) })
				b.ReportMetric(float64(grown>>20), "MB-heap")
				b.ReportMetric(float64(took.Milliseconds())/float64(n), "ms/issue")
				stored, err := db.Value[int](b.Context(), s.Store, `select count(*) from issues where project_id = @id`,
					pgx.NamedArgs{"id": copied.ID})
				require.NoError(b, err)
				require.Equal(b, n, stored)
				require.Less(b, grown, int64(importLimit))
			}
		})
	}
}

// bring imports an archive, and returns the project after the import has ended.
func bring(t testing.TB, s *servertest.Server, by tree.User, path string, archive io.Reader) tree.Project {
	t.Helper()
	ref, err := blob.Put(t.Context(), s.Store, archive, blob.NoLimit)
	require.NoError(t, err)
	p, err := transfer.StartImport(t.Context(), s.Store, transfer.NewImport{
		By: by, Path: path, Archive: &ref,
		FindSpace: func(ctx context.Context, st *db.Store) (tree.Group, error) {
			return tree.Namespace(ctx, st, by.NamespaceID)
		},
	})
	require.NoError(t, err)
	require.NoError(t, s.Jobs.Drain(t.Context()))
	p, err = tree.FindProject(t.Context(), s.Store, p.ID)
	require.NoError(t, err)
	require.Equal(t, "finished", p.ImportStatus, "%v", p.ImportError)
	return p
}

// heapDuring returns by how much the heap in use grew at most while something was done, in bytes,
// and how long that took.
func heapDuring(t testing.TB, do func()) (grown int64, took time.Duration) {
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
	do()
	took = time.Since(start)
	close(done)
	<-stopped
	t.Logf("heap grew by %d MB, %v", (most-before)>>20, took)
	return most - before, took
}

// counter counts what is written to it.
type counter struct{ atomic.Int64 }

func (c *counter) Write(p []byte) (int, error) {
	c.Add(int64(len(p)))
	return len(p), nil
}
