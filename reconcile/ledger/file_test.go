package ledger

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/reconcile/addr"
)

const host = "https://a.example/api/v4"

// delta returns a change that sets entry i.
func delta(i int) Delta {
	return Delta{Addr: addr.Instance{Block: addr.Block{Kind: "project", Name: "p"}, Key: fmt.Sprint(i)},
		Entry: &Entry{Kind: "project", Collection: "groups/1/projects", ID: fmt.Sprint(i), Created: true}}
}

// opened returns a file backend in a new directory that holds the first n deltas.
func opened(t testing.TB, n int) *fileBackend {
	t.Helper()
	return reopened(t, filepath.Join(t.TempDir(), ".hew", "ledger.json"), n)
}

func reopened(t testing.TB, path string, n int) *fileBackend {
	t.Helper()
	b := File(path, testKey).(*fileBackend)
	_, _, err := Open(t.Context(), b, host)
	require.NoError(t, err)
	for i := range n {
		require.NoError(t, b.Append(t.Context(), delta(i)))
	}
	return b
}

// stored loads the file as another run would.
func stored(t testing.TB, f *fileBackend) (*Ledger, []string) {
	t.Helper()
	other := File(f.path, "")
	l, err := other.Load(t.Context())
	require.NoError(t, err)
	return l, other.Notes()
}

func content(t testing.TB, f *fileBackend) string {
	t.Helper()
	text, err := os.ReadFile(f.path)
	require.NoError(t, err)
	return string(text)
}

func TestFileKeepsWhatIsAppended(t *testing.T) {
	b := opened(t, 0)
	require.NoDirExists(t, filepath.Dir(b.path), "opening writes nothing")
	require.NoError(t, b.Compact(t.Context()))
	require.NoDirExists(t, filepath.Dir(b.path), "no history, nothing to compact")

	require.NoError(t, b.Append(t.Context(), delta(2), delta(1), delta(10)))
	require.NoError(t, b.Append(t.Context()))
	require.NoError(t, b.Append(t.Context(), Delta{Addr: delta(2).Addr}))
	l, notes := stored(t, b)
	require.Empty(t, notes)
	require.Equal(t, host, l.Host)
	require.Equal(t, uint64(4), l.Serial)
	require.Equal(t, []addr.Instance{delta(1).Addr, delta(10).Addr}, l.Sorted())

	require.NoError(t, b.Compact(t.Context()))
	compact := content(t, b)
	require.Equal(t, 3, strings.Count(compact, "\n"))
	again, _ := stored(t, b)
	require.Equal(t, l, again)
	require.NoError(t, b.Compact(t.Context()))
	require.NoError(t, reopened(t, b.path, 0).Compact(t.Context()))
	require.Equal(t, compact, content(t, b), "stable bytes")
	require.NoError(t, b.Append(t.Context(), delta(3)))
	l, _ = stored(t, b)
	require.Len(t, l.Entries, 3)
	require.Empty(t, l.KeyFingerprint, "no secret was digested")
}

func TestFileRecordsTheKeyOnceItIsUsed(t *testing.T) {
	b := File(filepath.Join(t.TempDir(), "ledger.json"), "")
	_, d, err := Open(t.Context(), b, host)
	require.NoError(t, err)
	require.NoError(t, b.Append(t.Context(), delta(1)))
	d.Secret("hunter2")
	require.NoError(t, b.Append(t.Context(), delta(2)))
	require.NoError(t, b.Append(t.Context(), delta(3)))
	l, _ := stored(t, b.(*fileBackend))
	require.NotEmpty(t, l.KeyFingerprint)
	require.Equal(t, uint64(4), l.Serial, "three entries and one header")
	require.NotContains(t, content(t, b.(*fileBackend)), "hunter2")
}

func TestCompactKeepsModeAndLink(t *testing.T) {
	b := opened(t, 1)
	require.NoError(t, os.Chmod(b.path, 0o600))
	link := filepath.Join(t.TempDir(), "ledger.json")
	require.NoError(t, os.Symlink(b.path, link))
	linked := reopened(t, link, 3)
	require.NoError(t, linked.Compact(t.Context()))
	info, err := os.Lstat(b.path)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode(), "a file still, and its mode kept")
	info, err = os.Lstat(link)
	require.NoError(t, err)
	require.Equal(t, os.ModeSymlink, info.Mode().Type())
	require.NoFileExists(t, b.path+nextSuffix)
	require.NoError(t, linked.Append(t.Context(), delta(4)))
}

// TestAppendsShareFlushes: callers that arrive during a flush share the next one.
func TestAppendsShareFlushes(t *testing.T) {
	const others = 31
	b := opened(t, 0)
	flushes, underWay := 0, make(chan struct{})
	b.sync = func(f *os.File) error {
		if flushes++; flushes == 1 {
			close(underWay)
			for waiting := 0; waiting < others; runtime.Gosched() {
				b.batchMu.Lock()
				if b.next != nil {
					waiting = len(b.next.lines)
				}
				b.batchMu.Unlock()
			}
		}
		return f.Sync()
	}
	var wg sync.WaitGroup
	for i := range 1 + others {
		wg.Go(func() {
			if err := b.Append(t.Context(), delta(i)); err != nil {
				t.Error(err)
			}
		})
		if i == 0 {
			<-underWay
		}
	}
	wg.Wait()
	require.Equal(t, 2, flushes)
	l, notes := stored(t, b)
	require.Empty(t, notes)
	require.Len(t, l.Entries, 1+others)
}

func TestStaleWritesAreRefused(t *testing.T) {
	for _, tt := range []struct {
		name      string
		n         int
		meanwhile func(t *testing.T, path string)
	}{
		{"made by another run", 0, func(t *testing.T, path string) { reopened(t, path, 1) }},
		{"appended to", 2, func(t *testing.T, path string) {
			require.NoError(t, reopened(t, path, 0).Append(t.Context(), delta(7)))
		}},
		{"compacted", 2, func(t *testing.T, path string) {
			require.NoError(t,
				reopened(t, path, 0).Compact(t.Context()))
		}},
		{"removed", 2, func(t *testing.T, path string) { require.NoError(t, os.Remove(path)) }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := opened(t, tt.n)
			tt.meanwhile(t, b.path)
			before, _ := os.ReadFile(b.path)
			var stale *StaleError
			require.ErrorAs(t, b.Append(t.Context(), delta(9)), &stale)
			require.Equal(t, uint64(tt.n), stale.Serial)
			if tt.n > 0 {
				require.ErrorAs(t, b.Compact(t.Context()), &stale)
			}
			after, _ := os.ReadFile(b.path)
			require.Equal(t, string(before), string(after))

			_, err := b.Load(t.Context())
			require.NoError(t, err)
			b.Bind(host, "")
			require.NoError(t, b.Append(t.Context(), delta(9)), "once it knows, it goes on")
		})
	}
}

func TestTornLineIsDroppedAndWrittenOver(t *testing.T) {
	for _, tt := range []struct {
		name, tail string
		notes      int
	}{
		{"half a line", `{"serial":3,"addr":"proj`, 1},
		{"zeros", strings.Repeat("\x00", 5000), 1},
		{"a whole line but for its break", `{"serial":3,"addr":"project.p[0]","removed":true}`, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := opened(t, 2)
			require.NoError(t, os.WriteFile(b.path, []byte(content(t, b)+tt.tail), 0o644))
			b = reopened(t, b.path, 0)
			require.Len(t, b.Notes(), tt.notes)
			require.True(t, strings.HasSuffix(content(t, b), tt.tail), "reading changes nothing")
			require.NoError(t, b.Append(t.Context(), delta(5)))
			l, notes := stored(t, b)
			require.Empty(t, notes)
			require.Len(t, l.Entries, 2+tt.notes)
		})
	}
	t.Run("header", func(t *testing.T) {
		b := opened(t, 0)
		require.NoError(t, os.MkdirAll(filepath.Dir(b.path), 0o755))
		require.NoError(t, os.WriteFile(b.path, []byte(`{"hew_le`), 0o644))
		b = reopened(t, b.path, 1)
		require.Len(t, b.Notes(), 1)
		l, _ := stored(t, b)
		require.Len(t, l.Entries, 1)
	})
}

// TestFailedFlush: after a failed flush the content of the disk is unknown, so nothing more is
// written, and the lines from before are intact.
func TestFailedFlush(t *testing.T) {
	b := opened(t, 2)
	full := errors.New("disk failure")
	b.sync = func(*os.File) error { return full }
	err := b.Append(t.Context(), delta(3))
	require.ErrorIs(t, err, full)
	require.ErrorContains(t, err, "run the command again")
	b.sync = (*os.File).Sync
	require.ErrorIs(t, b.Append(t.Context(), delta(4)), full)
	require.ErrorIs(t, b.Compact(t.Context()), full)
	l, _ := stored(t, b)
	require.Contains(t, l.Entries, delta(1).Addr)
	require.NotContains(t, l.Entries, delta(4).Addr)

	require.NoError(t, reopened(t, b.path, 0).Append(t.Context(), delta(4)))
}

func TestDamageStopsLoad(t *testing.T) {
	b := opened(t, 2)
	require.NoError(t, os.WriteFile(b.path, []byte(strings.Replace(content(t, b), "project", "pro\nject", 1)), 0o644))
	var damage *DamageError
	_, _, err := Open(t.Context(), File(b.path, testKey), host)
	require.ErrorAs(t, err, &damage)
	require.Equal(t, b.path, damage.Where)
	require.Equal(t, 2, damage.Line)
}

func BenchmarkLoad(b *testing.B) {
	f := opened(b, 1)
	l := large(10_000)
	l.Host = host
	text, err := l.encode()
	require.NoError(b, err)
	require.NoError(b, os.WriteFile(f.path, text, 0o644))
	b.SetBytes(int64(len(text)))
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	for b.Loop() {
		if l, err = f.Load(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	b.ReportMetric(float64(after.HeapAlloc)/1e6, "MB-live")
	runtime.KeepAlive(l)
}

// BenchmarkAppend makes 1,000 appends from 32 goroutines.
func BenchmarkAppend(b *testing.B) {
	f := opened(b, 1)
	flushes := 0
	f.sync = func(h *os.File) error { flushes++; return h.Sync() }
	for b.Loop() {
		var wg sync.WaitGroup
		for g := range 32 {
			wg.Go(func() {
				for i := g; i < 1000; i += 32 {
					if err := f.Append(b.Context(), delta(i)); err != nil {
						b.Error(err)
					}
				}
			})
		}
		wg.Wait()
	}
	b.ReportMetric(float64(flushes)/float64(b.N), "flushes/op")
}

func BenchmarkCompact(b *testing.B) {
	f := opened(b, 1)
	l := large(10_000)
	text, err := l.encode()
	require.NoError(b, err)
	for b.Loop() {
		require.NoError(b, os.WriteFile(f.path, text, 0o644))
		_, err := f.Load(b.Context())
		require.NoError(b, err)
		f.Bind(host, "")
		require.NoError(b, f.Compact(b.Context()))
	}
}
