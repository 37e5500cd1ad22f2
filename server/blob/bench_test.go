package blob_test

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"runtime/metrics"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"
	"github.com/stretchr/testify/require"

	"hew/server/blob"
	"hew/server/db"
	"hew/server/servertest"
)

// The bars of content on Postgres. Where a bare statement is slower than the first, because the
// machine is busy or slow, a part of its rate is the bar: Put and readers may cost that much.
const (
	megabytesPerSecond = 150
	ofBare             = 0.8
	heapMiB            = 64
)

// BenchmarkBlob stores and reads one GiB on Postgres, each after a bare statement that does the
// same without hashes and checksums, and fails where it misses a bar. With go test -short it is a
// quarter of that.
func BenchmarkBlob(b *testing.B) {
	size := int64(1 << 30)
	if testing.Short() {
		size /= 4
	}
	on := servertest.Machine()
	h := ownDatabase(b)
	var out string
	defer func() { fmt.Fprintf(b.Output(), "\n%s\n%s", on, out) }() // of a failure, too
	beside := func(what, statement string, bare, do func() error) {
		took, _ := measure(b, bare)
		possible := float64(size) / 1e6 / took.Seconds()
		took, heap := measure(b, do)
		rate, least := float64(size)/1e6/took.Seconds(), min(megabytesPerSecond, ofBare*possible)
		out += fmt.Sprintf("%-4s %5.0f MB/s (at least %.0f; a bare %s %.0f), %d MiB of heap (at most %d)\n", what, rate,
			least, statement, possible, heap>>20, heapMiB)
		b.ReportMetric(rate, what+"-MB/s")
		if rate < least || heap>>20 > heapMiB {
			b.Errorf("%s: a bar is missed", what)
		}
	}
	for range b.N {
		var ref blob.Ref
		beside("in", "COPY", func() error { return copyBare(b.Context(), h, size) }, func() (err error) {
			ref, err = blob.Put(b.Context(), h, &pattern{left: size}, blob.NoLimit)
			return err
		})
		beside("out", "select", func() error { return readBare(b.Context(), h) },
			func() error { return readAll(b, h, ref) })
	}
}

// copyBare stores chunks in a table of their own, in one statement.
func copyBare(ctx context.Context, h *db.Store, size int64) error {
	if _, err := h.DB().Exec(ctx, `
		drop table if exists bare;
		create table bare (number integer primary key, data bytea not null);
		alter table bare alter column data set storage external`); err != nil {
		return err
	}
	chunk, from, number := make([]byte, blob.ChunkSize), &pattern{left: size}, int32(0)
	return h.Copy(ctx, "bare", []string{"number", "data"}, pgx.CopyFromFunc(func() ([]any, error) {
		if n, _ := io.ReadFull(from, chunk); n == 0 {
			return nil, nil
		}
		number++
		return []any{number, chunk}, nil
	}))
}

// readBare reads what copyBare has stored, in one statement.
func readBare(ctx context.Context, h *db.Store) error {
	return h.Each(ctx, `select data from bare order by number`, nil,
		func(row pgx.CollectableRow) error { return row.Scan(new(pgtype.DriverBytes)) })
}

// readAll reads a blob to its end and compares the size.
func readAll(t testing.TB, h *db.Store, ref blob.Ref) error {
	r, err := blob.Open(t.Context(), h, ref, 0)
	if err != nil {
		return err
	}
	n, err := io.Copy(onlyWriter{io.Discard}, r)
	require.Equal(t, ref.Size, n)
	return err
}

// onlyWriter hides what else a writer can do, as a connection has it.
type onlyWriter struct{ io.Writer }

// measure returns how long do took, and the most that the heap held while it ran.
func measure(t testing.TB, do func() error) (took time.Duration, heap int64) {
	t.Helper()
	runtime.GC()
	stop, most := make(chan struct{}), make(chan int64)
	go func() {
		sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
		poll := time.NewTicker(5 * time.Millisecond)
		defer poll.Stop()
		var peak int64
		for {
			metrics.Read(sample)
			peak = max(peak, int64(sample[0].Value.Uint64()))
			select {
			case <-poll.C:
			case <-stop:
				most <- peak
				return
			}
		}
	}()
	start := time.Now()
	err := do()
	took = time.Since(start)
	close(stop)
	heap = <-most
	require.NoError(t, err)
	return took, heap
}

// pattern is content that costs little to make. Its batches differ from each other.
type pattern struct {
	left  int64
	block []byte
	next  byte
}

func (p *pattern) Read(b []byte) (int, error) {
	if p.left == 0 {
		return 0, io.EOF
	}
	if p.block == nil {
		p.block = make([]byte, 1<<16)
		_, _ = rand.NewChaCha8([32]byte{}).Read(p.block) // never fails
	}
	p.block[0], p.next = p.next, p.next+1
	n := copy(b[:min(int64(len(b)), p.left)], p.block)
	p.left -= int64(n)
	return n, nil
}
