package blob_test

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"hew/server/blob"
	"hew/server/servertest"
)

const (
	waitTime = 10 * time.Second
	pollTime = time.Millisecond
)

func TestOpenAtAnOffset(t *testing.T) {
	t.Parallel()
	h := servertest.Store(t)
	want := content(5, 2*blob.BatchSize+blob.ChunkSize/2)
	ref, err := blob.Put(t.Context(), h, bytes.NewReader(want), blob.NoLimit)
	require.NoError(t, err)
	for _, at := range append(edges, len(want)-1, len(want), len(want)+1, len(want)+blob.BatchSize) {
		r, err := blob.Open(t.Context(), h, ref, int64(at))
		require.NoError(t, err)
		got, err := io.ReadAll(r)
		require.NoError(t, err)
		require.True(t, bytes.Equal(want[min(at, len(want)):], got), "from %d", at)
		var copied bytes.Buffer
		_, err = r.Seek(int64(at), io.SeekStart)
		require.NoError(t, err)
		n, err := io.Copy(&copied, r)
		require.NoError(t, err)
		require.EqualValues(t, len(got), n)
		require.True(t, bytes.Equal(got, copied.Bytes()), "copied from %d", at)
		require.NoError(t, r.Close())
	}
	_, err = blob.Open(t.Context(), h, ref, -1)
	require.ErrorContains(t, err, "offset -1 is negative")
}

// net/http serves ranges of it.
func TestServeContent(t *testing.T) {
	t.Parallel()
	h := servertest.Store(t)
	want := content(6, 3*blob.ChunkSize)
	ref, err := blob.Put(t.Context(), h, bytes.NewReader(want), blob.NoLimit)
	require.NoError(t, err)
	for asked, part := range map[string][]byte{
		"":                          want,
		"bytes=0-0":                 want[:1],
		"bytes=1048570-1048585":     want[1048570:1048586],
		"bytes=-5":                  want[len(want)-5:],
		"bytes=3145727-":            want[3145727:],
		"bytes=3145728-":            nil, // not satisfiable
		"bytes=2097152-99999999999": want[2097152:],
	} {
		r, err := blob.Open(t.Context(), h, ref, 0)
		require.NoError(t, err)
		w, req := httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/", nil)
		req.Header.Set("Range", asked)
		http.ServeContent(w, req, "file.bin", time.Time{}, r)
		require.NoError(t, r.Close())
		if part == nil {
			require.Equal(t, http.StatusRequestedRangeNotSatisfiable, w.Code)
			continue
		}
		require.True(t, bytes.Equal(part, w.Body.Bytes()), asked)
	}
}

// What is damaged or missing is an error, and never other content than was put.
func TestDamagedContent(t *testing.T) {
	t.Parallel()
	const size = 2*blob.BatchSize + 5
	for name, c := range map[string]struct {
		sql  string
		good int // bytes that may be read
		want string
	}{
		"a bit": {`update blob_chunks set data = set_bit(data, 77, 1 - get_bit(data, 77)) where number = 1`,
			blob.ChunkSize, "is damaged"},
		"a chunk":        {`delete from blob_chunks where number = 6`, 3 * blob.ChunkSize, "is missing"},
		"the last chunk": {`delete from blob_chunks where number = 16`, 15 * blob.ChunkSize, "is missing"},
		"all":            {`delete from blob_chunks`, 0, "is missing"},
		"a short chunk":  {`update blob_chunks set data = substr(data, 2) where number = 0`, 0, "is missing"},
		"another chunk": {`update blob_chunks set data = (select data from blob_chunks where number = 1)
			where number = 0`, 0, "is damaged"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := servertest.Store(t)
			want := content(7, size)
			ref, err := blob.Put(t.Context(), h, bytes.NewReader(want), blob.NoLimit)
			require.NoError(t, err)
			require.NoError(t, h.Exec(t.Context(), c.sql, nil))
			r, err := blob.Open(t.Context(), h, ref, 0)
			require.NoError(t, err)
			got, err := io.ReadAll(r)
			require.ErrorContains(t, err, c.want)
			require.ErrorContains(t, err, ref.String())
			require.True(t, bytes.Equal(want[:c.good], got), "%d bytes were read", len(got))
			require.NoError(t, r.Close())
		})
	}
}

// A client that stops in the middle leaves the connections usable.
func TestCloseInTheMiddle(t *testing.T) {
	t.Parallel()
	h := servertest.Store(t)
	ref, err := blob.Put(t.Context(), h, bytes.NewReader(content(8, 3*blob.BatchSize)), blob.NoLimit)
	require.NoError(t, err)
	before := number(t, h, `select pg_backend_pid()`)
	require.Positive(t, before)
	for range 20 {
		r, err := blob.Open(t.Context(), h, ref, 0)
		require.NoError(t, err)
		_, err = io.CopyN(io.Discard, r, 2*blob.ChunkSize) // the next batch is being read
		require.NoError(t, err)
		require.NoError(t, r.Close())
		n, err := r.Read(make([]byte, 1))
		require.Zero(t, n)
		require.ErrorIs(t, err, io.EOF)
	}
	require.NoError(t, h.Exec(t.Context(), `delete from blobs where id = @id`, pgx.NamedArgs{"id": ref.ID}))
}
