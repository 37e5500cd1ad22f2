package blob

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"hew/server/db"
)

// Reader reads a blob. It reads ahead once it was read beyond its first chunk, since many requests
// are for a few bytes. Content that is damaged or missing is an error before any byte of its chunk
// is read.
type Reader struct {
	ctx    context.Context
	h      *db.Store
	stores *stores
	size   int64 // of the blob
	blob   row   // only for fetch, which looks it up again when it was moved

	offset int64        // of what is read next
	rest   []byte       // of a batch, at offset
	memory [2][]byte    // of the batch that is read, and of the one after it
	chunks int          // of the batch that comes next
	ahead  chan batchOf // the batch after rest; nil if nothing is read ahead
}

// batchOf is a batch that was read ahead.
type batchOf struct {
	data []byte
	err  error
}

// Open returns a reader of a blob that begins at offset and can seek, as net/http.ServeContent
// wants it. It is for one goroutine, and the context must last as long as the reader. With a store
// that is bound to a transaction it reads by the connection of that, and nothing ahead: a second
// connection could be waited for by all who have one.
func Open(ctx context.Context, h *db.Store, r Ref, offset int64) (*Reader, error) {
	b, err := load(ctx, h, r.ID)
	if err != nil {
		return nil, err
	}
	reader := newReader(ctx, h, b)
	if _, err := reader.Seek(offset, io.SeekStart); err != nil {
		return nil, err
	}
	return reader, nil
}

func newReader(ctx context.Context, h *db.Store, b row) *Reader {
	return &Reader{ctx: ctx, h: h, stores: storesOf(h), size: b.Size, blob: b}
}

// Read implements io.Reader.
func (r *Reader) Read(p []byte) (int, error) {
	if err := r.fill(); err != nil {
		return 0, err
	}
	n := copy(p, r.rest)
	r.advance(n)
	return n, nil
}

// WriteTo implements io.WriterTo: io.Copy gives whole batches to w.
func (r *Reader) WriteTo(w io.Writer) (written int64, err error) {
	for {
		if err := r.fill(); err != nil {
			if errors.Is(err, io.EOF) {
				err = nil
			}
			return written, err
		}
		n, err := w.Write(r.rest)
		r.advance(n)
		written += int64(n)
		if err != nil {
			return written, err
		}
	}
}

func (r *Reader) advance(n int) {
	r.rest = r.rest[n:]
	r.offset += int64(n)
	r.stores.stats.Out.Add(int64(n))
}

// Seek implements io.Seeker. An offset beyond the end is none of its errors: Read returns io.EOF
// there.
func (r *Reader) Seek(offset int64, whence int) (int64, error) {
	switch whence {
	case io.SeekCurrent:
		offset += r.offset
	case io.SeekEnd:
		offset += r.size
	}
	if offset < 0 {
		return 0, fmt.Errorf("seek in a blob: the offset %d is negative", offset)
	}
	if offset != r.offset {
		r.dropAhead()
		r.offset, r.rest, r.chunks = offset, nil, 0
	}
	return offset, nil
}

// Close implements io.Closer. It waits for what is read ahead, which is a short statement.
func (r *Reader) Close() error {
	r.dropAhead()
	r.offset, r.rest, r.memory = r.size, nil, [2][]byte{}
	return nil
}

func (r *Reader) dropAhead() {
	if r.ahead != nil {
		<-r.ahead
		r.ahead = nil
	}
}

// fill returns with a part of the content in rest, or with io.EOF.
func (r *Reader) fill() error {
	if len(r.rest) > 0 {
		return nil
	}
	if r.offset >= r.size {
		return io.EOF
	}
	if err := r.ctx.Err(); err != nil {
		return err
	}
	start := r.offset / chunkSize * chunkSize
	var next batchOf
	if r.ahead != nil {
		next, r.ahead = <-r.ahead, nil
	} else {
		next.data, next.err = r.fetch(r.ctx, start)
	}
	if next.err != nil {
		return next.err
	}
	r.rest = next.data[r.offset-start:]
	end := start + int64(len(next.data))
	if r.chunks > 1 && end < r.size && !r.h.InTx() {
		r.readAhead(end)
	}
	return nil
}

// readAhead fetches a batch while the one before it is consumed. The end of a request does not
// interrupt it, because a connection whose statement is interrupted is lost.
func (r *Reader) readAhead(start int64) {
	ahead := make(chan batchOf, 1)
	r.ahead = ahead
	go func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(r.ctx), time.Minute)
		defer cancel()
		data, err := r.fetch(ctx, start)
		ahead <- batchOf{data, err}
	}()
}

// fetch reads the batch at start: one chunk first, then twice as many each time. It swaps the two
// memories: while one is filled, the other is read.
func (r *Reader) fetch(ctx context.Context, start int64) ([]byte, error) {
	r.chunks = min(max(1, 2*r.chunks), batchSize/chunkSize)
	size := int(min(int64(r.chunks)*chunkSize, r.size-start))
	memory := slices.Grow(r.memory[1][:0], size)[:size]
	r.memory[0], r.memory[1] = memory, r.memory[0]
	err := r.blob.read(ctx, r.h, start, memory)
	if errors.Is(err, errMissing) { // it was moved to another backend
		b, failed := load(ctx, r.h, r.blob.ID)
		if failed == nil && b.Key != r.blob.Key {
			r.blob = b
			err = b.read(ctx, r.h, start, memory)
		}
	}
	return memory, err
}

// read fills p with the content from start on, which is the beginning of a chunk, and compares the
// checksums.
func (b row) read(ctx context.Context, h *db.Store, start int64, p []byte) error {
	in, err := storesOf(h).named(b.Backend)
	if _, here := in.(postgres); here && h.InTx() {
		in = postgres{h}
	}
	if err == nil {
		err = in.read(ctx, b.Key, start, p)
	}
	if err != nil {
		return fmt.Errorf("read %s on %s from byte %d: %w", b, b.Backend, start, err)
	}
	sums := appendChecksums(nil, p)
	want := b.Checksums[start/chunkSize*4:]
	if !bytes.Equal(sums, want[:len(sums)]) {
		return fmt.Errorf("read %s on %s from byte %d: %w", b, b.Backend, start, errDamaged)
	}
	return nil
}

// errDamaged says that a backend has other content than was put.
var errDamaged = errors.New("the content is damaged: its checksum differs")
