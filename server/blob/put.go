package blob

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"hash/crc32"
	"io"
	"sync"

	"hew/server/db"
	"hew/server/fault"
)

// NoLimit is the limit of content that may have any size.
const NoLimit = -1

// Put stores what r gives until io.EOF and returns the blob. More than limit bytes are a too-large
// fault. Each of also, such as an md5.New(), is given the content, too. The blob is kept for a day;
// by then a row must reference it.
//
// Put must be called outside of a transaction, which would last as long as the client. After an
// error nothing is left of the content, unless the process or the database died: then until the
// next sweep.
func Put(ctx context.Context, h *db.Store, r io.Reader, limit int64, also ...hash.Hash) (Ref, error) {
	if h.InTx() {
		return Ref{}, errors.New("put a blob: a transaction is open; put the blob before it begins")
	}
	s := storesOf(h)
	u := &upload{h: h, stores: s, backend: s.put, hash: sha256.New(), also: also, checksums: []byte{}}
	if limit >= 0 {
		r = io.LimitReader(r, limit+1)
	}
	ref, err := u.store(ctx, r, limit)
	if err != nil {
		return Ref{}, errors.Join(err, u.discard(context.WithoutCancel(ctx)))
	}
	s.stats.In.Add(ref.Size)
	return ref, nil
}

var batches = sync.Pool{New: func() any { return new([batchSize]byte) }}

// store reads r and binds what it gave. A batch is written while the next one is read and hashed.
func (u *upload) store(ctx context.Context, r io.Reader, limit int64) (Ref, error) {
	reading, writing := batches.Get().(*[batchSize]byte), batches.Get().(*[batchSize]byte)
	written := make(chan error, 1)
	written <- nil // there is no batch before the first
	defer func() {
		<-written // a batch that is being written is still read from
		batches.Put(reading)
		batches.Put(writing)
	}()
	for first, last := true, false; !last; first = false {
		var n int
		var err error
		if n, last, err = readBatch(r, reading[:]); err == nil {
			err = ctx.Err()
		}
		batch := reading[:n]
		u.add(batch)
		switch {
		case err != nil:
			return Ref{}, fmt.Errorf("read the content: %w", err)
		case limit >= 0 && u.size > limit:
			return Ref{}, fault.TooLarge()
		case first && last: // all of it is here, and may be there already
			if ref, err := Find(ctx, u.h, u.sum()); fault.CodeOf(err) != fault.CodeNotFound {
				return ref, err
			}
		}
		err = <-written
		if err != nil || n == 0 {
			written <- nil
		}
		if err != nil {
			return Ref{}, err
		}
		if n > 0 {
			go func() { written <- u.write(ctx, batch) }()
		}
		reading, writing = writing, reading
	}
	err := <-written
	written <- nil
	if err != nil {
		return Ref{}, err
	}
	return u.bind(ctx)
}

// readBatch fills p, and reports whether the content ends there. Only io.EOF itself is an end: what
// a reader returns when it is cut short may be io.ErrUnexpectedEOF, or have it as its cause.
func readBatch(r io.Reader, p []byte) (n int, last bool, err error) {
	for n < len(p) && err == nil {
		var read int
		read, err = r.Read(p[n:])
		n += read
	}
	if err == io.EOF {
		return n, true, nil
	}
	return n, false, err
}

// add hashes a batch.
func (u *upload) add(batch []byte) {
	u.size += int64(len(batch))
	u.hash.Write(batch)
	for _, h := range u.also {
		h.Write(batch)
	}
	u.checksums = appendChecksums(u.checksums, batch)
}

func (u *upload) sum() [32]byte { return [32]byte(u.hash.Sum(nil)) }

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// appendChecksums appends the checksum of each chunk of a batch.
func appendChecksums(to, batch []byte) []byte {
	for len(batch) > 0 {
		chunk := batch[:min(chunkSize, len(batch))]
		to = binary.BigEndian.AppendUint32(to, crc32.Checksum(chunk, castagnoli))
		batch = batch[len(chunk):]
	}
	return to
}
