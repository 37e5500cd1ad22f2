package blob_test

import (
	"bytes"
	"context"
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"errors"
	"io"
	"sync"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"hew/server/blob"
	"hew/server/db"
	"hew/server/fault"
	"hew/server/servertest"
)

// edges are sizes at and around the edges of chunks and batches.
var edges = []int{
	0, 1, blob.ChunkSize - 1, blob.ChunkSize, blob.ChunkSize + 1, blob.BatchSize, blob.BatchSize + 1,
	2*blob.BatchSize + blob.ChunkSize + 7,
}

func TestPutAndOpen(t *testing.T) {
	t.Parallel()
	h := servertest.Store(t)
	ctx := t.Context()
	chunks := int64(0)
	for i, size := range edges {
		want := content(1, size)
		md5, sha1, sha512 := md5.New(), sha1.New(), sha512.New()
		ref, err := blob.Put(ctx, h, iotest.HalfReader(bytes.NewReader(want)), blob.NoLimit, md5, sha1, sha512)
		require.NoError(t, err)
		require.Equal(t, blob.Ref{ID: ref.ID, SHA256: sha256.Sum256(want), Size: int64(size)}, ref)
		require.Equal(t, md5Sum(want), md5.Sum(nil))
		require.Equal(t, sha1Sum(want), sha1.Sum(nil))
		require.Equal(t, sha512Sum(want), sha512.Sum(nil))
		chunks += int64(size+blob.ChunkSize-1) / blob.ChunkSize
		requireRows(t, h, int64(i+1), 0, chunks)

		requireContent(t, h, ref, want)
		if size <= blob.ChunkSize+1 { // the test reads bytes one by one
			r, err := blob.Open(ctx, h, ref, 0)
			require.NoError(t, err)
			require.NoError(t, iotest.TestReader(r, want), "%d bytes", size)
			require.NoError(t, r.Close())
		}
		found, err := blob.Find(ctx, h, ref.SHA256)
		require.NoError(t, err)
		require.Equal(t, ref, found)
		loaded, err := blob.Load(ctx, h, ref.ID)
		require.NoError(t, err)
		require.Equal(t, ref, loaded)
	}
	_, err := blob.Find(ctx, h, [32]byte{})
	require.Equal(t, fault.CodeNotFound, fault.CodeOf(err))
	_, err = blob.Load(ctx, h, -1)
	require.Equal(t, fault.CodeNotFound, fault.CodeOf(err))
	_, err = blob.Open(ctx, h, blob.Ref{ID: -1}, 0)
	require.Equal(t, fault.CodeNotFound, fault.CodeOf(err))
}

func md5Sum(b []byte) []byte    { s := md5.Sum(b); return s[:] }
func sha1Sum(b []byte) []byte   { s := sha1.Sum(b); return s[:] }
func sha512Sum(b []byte) []byte { s := sha512.Sum512(b); return s[:] }

// Equal content is stored once, whether it is put again, at the same time or both.
func TestEqualContentIsOneBlob(t *testing.T) {
	t.Parallel()
	for name, size := range map[string]int{
		"empty": 0, "one batch": blob.ChunkSize + 1, "batches": 2*blob.BatchSize + 1,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := servertest.Store(t)
			want := content(2, size)
			refs := make([]blob.Ref, 4)
			errs := make([]error, len(refs))
			var all sync.WaitGroup
			// Each has read all but the last byte before any of them gets that.
			read := sync.WaitGroup{}
			read.Add(len(refs))
			for i := range refs {
				all.Go(func() {
					body := &lateEnd{Reader: bytes.NewReader(want), wait: func() { read.Done(); read.Wait() }}
					refs[i], errs[i] = blob.Put(t.Context(), h, body, blob.NoLimit)
				})
			}
			all.Wait()
			require.NoError(t, errors.Join(errs...))
			for _, ref := range refs {
				require.Equal(t, refs[0], ref)
			}
			requireRows(t, h, 1, 0, int64(size+blob.ChunkSize-1)/blob.ChunkSize)
		})
	}
}

// lateEnd calls wait once before it says that there is no more.
type lateEnd struct {
	io.Reader
	wait func()
}

func (l *lateEnd) Read(p []byte) (int, error) {
	n, err := l.Reader.Read(p)
	if errors.Is(err, io.EOF) && l.wait != nil {
		l.wait()
		l.wait = nil
	}
	return n, err
}

// What is not stored leaves nothing behind.
func TestPutThatFails(t *testing.T) {
	t.Parallel()
	h := servertest.Store(t)
	broken := errors.New("the client is gone")
	ctx, cancel := context.WithCancel(t.Context())
	for name, c := range map[string]struct {
		ctx   context.Context
		body  io.Reader
		limit int64
		check func(error)
	}{
		"at once": {t.Context(), iotest.ErrReader(broken), blob.NoLimit,
			func(err error) { require.ErrorIs(t, err, broken) }},
		"in the middle": {t.Context(),
			io.MultiReader(bytes.NewReader(content(3, 2*blob.BatchSize+9)), iotest.ErrReader(broken)), blob.NoLimit,
			func(err error) { require.ErrorIs(t, err, broken) }},
		"canceled": {ctx, io.MultiReader(bytes.NewReader(content(3, 2*blob.BatchSize)),
			readerFunc(func([]byte) (int, error) { cancel(); return 0, io.EOF })), blob.NoLimit,
			func(err error) { require.ErrorIs(t, err, context.Canceled) }},
		"too large": {t.Context(), bytes.NewReader(content(3, 11)), 10,
			func(err error) { require.Equal(t, fault.CodeTooLarge, fault.CodeOf(err)) }},
		"much too large": {t.Context(), bytes.NewReader(content(3, 3*blob.BatchSize)), 2*blob.BatchSize - 1,
			func(err error) { require.Equal(t, fault.CodeTooLarge, fault.CodeOf(err)) }},
	} {
		ref, err := blob.Put(c.ctx, h, c.body, c.limit)
		require.Error(t, err, name)
		c.check(err)
		require.Zero(t, ref, name)
		requireRows(t, h, 0, 0, 0)
	}
	_, err := blob.Put(t.Context(), h, bytes.NewReader(content(3, 10)), 10)
	require.NoError(t, err, "as large as the limit")
	require.ErrorContains(t, h.Tx(t.Context(), func(tx *db.Store) error {
		_, err := blob.Put(t.Context(), tx, bytes.NewReader(nil), 0)
		return err
	}), "a transaction is open")
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

// No connection is held while a client is slow, and no statement lasts as long as an upload.
func TestPutHoldsNothingWhileItWaits(t *testing.T) {
	t.Parallel()
	h := servertest.Store(t)
	want := content(4, blob.BatchSize)
	asked, checked := make(chan struct{}), make(chan struct{})
	body := io.MultiReader(bytes.NewReader(want), bytes.NewReader(want), readerFunc(func([]byte) (int, error) {
		close(asked)
		<-checked
		return 0, io.EOF
	}))
	put := make(chan error, 1)
	go func() {
		_, err := blob.Put(t.Context(), h, body, blob.NoLimit)
		put <- err
	}()
	<-asked
	require.Eventually(t, func() bool { // the last batch is being written
		return number(t, h, `select count(*) from pg_stat_activity
			where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'`) == 0
	}, waitTime, pollTime)
	require.EqualValues(t, 1, number(t, h, `select count(*) from blob_uploads where not dead`))
	close(checked)
	require.NoError(t, <-put)
	requireRows(t, h, 1, 0, 2*blob.BatchSize/blob.ChunkSize)
}

// Content that is cut short is an error, whatever the reader calls it, and not a shorter blob.
func TestPutOfCutContent(t *testing.T) {
	t.Parallel()
	h := servertest.Store(t)
	for _, cut := range []error{
		io.ErrUnexpectedEOF, fault.BadRequest("the body ends early").Because(io.ErrUnexpectedEOF),
	} {
		content := io.MultiReader(bytes.NewReader([]byte(t.Name())), iotest.ErrReader(cut))
		_, err := blob.Put(t.Context(), h, content, blob.NoLimit)
		require.ErrorIs(t, err, cut)
		_, err = blob.Find(t.Context(), h, sha256.Sum256([]byte(t.Name())))
		require.Equal(t, fault.CodeNotFound, fault.CodeOf(err))
	}
}
