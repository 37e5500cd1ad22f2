package blob_test

import (
	"bytes"
	"context"
	"io"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/jackc/pgx/v5"
	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"
	"github.com/stretchr/testify/require"

	"hew/server/blob"
	"hew/server/db"
	"hew/server/fault"
	"hew/server/servertest"
)

// bucket is an S3 server of the test's own.
type bucket struct {
	gofakes3.Backend
	*httptest.Server
	url string
}

const bucketName = "hew"

func newBucket(t *testing.T) bucket {
	t.Helper()
	memory := s3mem.New()
	require.NoError(t, memory.CreateBucket(bucketName))
	server := httptest.NewServer(gofakes3.New(memory).Server())
	t.Cleanup(server.Close)
	return bucket{memory, server, "s3://" + bucketName + "?prefix=blobs/&endpoint=" + server.URL}
}

// write puts an object into the bucket, beside hewd.
func (b bucket) write(t *testing.T, name string, content []byte) {
	t.Helper()
	_, err := b.PutObject(bucketName, name, map[string]string{"Last-Modified": "Mon, 02 Jan 2006 15:04:05 GMT"},
		bytes.NewReader(content), int64(len(content)), nil)
	require.NoError(t, err)
}

// objects returns the names of what is in the bucket.
func (b bucket) objects(t *testing.T) (names []string) {
	t.Helper()
	list, err := b.ListBucket(bucketName, nil, gofakes3.ListBucketPage{})
	require.NoError(t, err)
	for _, o := range list.Contents {
		names = append(names, o.Key)
	}
	return names
}

// configure has the blobs of a database on the bucket, and keeps what is in Postgres readable.
func configure(t *testing.T, h *db.Store, url, backend string) {
	t.Helper()
	require.NoError(t, blob.Configure(h, blob.Config{URL: url, AccessKey: "key", SecretKey: "hush", Backend: backend}))
}

func TestS3(t *testing.T) {
	t.Parallel()
	b := newBucket(t)
	h := servertest.Store(t)
	configure(t, h, b.url, "")
	testPutAndOpen(t, h)
	require.Len(t, b.objects(t), len(edges)-1, "all but the empty one")
	for _, name := range b.objects(t) {
		require.True(t, strings.HasPrefix(name, "blobs/"), name)
	}
	requireRows(t, h, int64(len(edges)), 0, 0)
	age(t, h)
	sweep(t, h)
	require.Empty(t, b.objects(t))
	requireRows(t, h, 0, 0, 0)
}

// A real server is asked where the environment names one.
func TestRealS3(t *testing.T) {
	t.Parallel()
	url := os.Getenv("HEWD_TEST_S3_URL")
	if url == "" {
		t.Skip("HEWD_TEST_S3_URL names no S3 server, such as s3://BUCKET?endpoint=http://127.0.0.1:9000&prefix=test/")
	}
	h := servertest.Store(t)
	require.NoError(t, blob.Configure(h, blob.Config{URL: url})) // with the credentials of the AWS variables
	testPutAndOpen(t, h)
	age(t, h)
	sweep(t, h)
	checked, err := blob.Check(t.Context(), h, blob.Sizes, func(blob.Finding) {})
	require.NoError(t, err)
	require.Zero(t, checked.Problems[blob.Missing])
}

// testPutAndOpen puts and reads content of all sizes.
func testPutAndOpen(t *testing.T, h *db.Store) {
	t.Helper()
	for _, size := range edges {
		want := content(11, size)
		ref := put(t, h, want)
		require.Equal(t, ref, put(t, h, want))
		requireContent(t, h, ref, want)
		for _, at := range []int{size / 2, size - 1, size} {
			r, err := blob.Open(t.Context(), h, ref, int64(max(at, 0)))
			require.NoError(t, err)
			got, err := io.ReadAll(r)
			require.NoError(t, err)
			require.True(t, bytes.Equal(want[max(at, 0):], got), "%d bytes from %d", size, at)
			require.NoError(t, r.Close())
		}
	}
}

func TestPutThatFailsOnS3(t *testing.T) {
	t.Parallel()
	b := newBucket(t)
	h := servertest.Store(t)
	configure(t, h, b.url, "s3")
	for _, size := range []int{10, 2*blob.BatchSize + 9} {
		_, err := blob.Put(t.Context(), h,
			io.MultiReader(bytes.NewReader(content(3, size)), iotest.ErrReader(io.ErrClosedPipe)), blob.NoLimit)
		require.ErrorIs(t, err, io.ErrClosedPipe)
		_, err = blob.Put(t.Context(), h, bytes.NewReader(content(3, size)), int64(size-1))
		require.Equal(t, fault.CodeTooLarge, fault.CodeOf(err))
	}
	requireRows(t, h, 0, 0, 0)
	require.Empty(t, b.objects(t))
	unfinished, err := b.Client().Get(b.URL + "/" + bucketName + "?uploads")
	require.NoError(t, err)
	defer unfinished.Body.Close()
	list, err := io.ReadAll(unfinished.Body)
	require.NoError(t, err)
	require.Contains(t, string(list), "ListMultipartUploadsResult")
	require.NotContains(t, string(list), "<UploadId>")
}

// Other content than was put is an error.
func TestDamagedObject(t *testing.T) {
	t.Parallel()
	b := newBucket(t)
	h := servertest.Store(t)
	configure(t, h, b.url, "")
	want := content(3, blob.ChunkSize+3)
	ref := put(t, h, want)
	name := b.objects(t)[0]
	for wanted, is := range map[string][]byte{
		"is damaged": content(4, len(want)), "is missing": want[:len(want)-1],
	} {
		b.write(t, name, is)
		r, err := blob.Open(t.Context(), h, ref, blob.ChunkSize)
		require.NoError(t, err)
		_, err = io.ReadAll(r)
		require.ErrorContains(t, err, wanted)
	}
	_, err := b.DeleteObject(bucketName, name)
	require.NoError(t, err)
	r, err := blob.Open(t.Context(), h, ref, 0)
	require.NoError(t, err)
	_, err = io.ReadAll(r)
	require.ErrorContains(t, err, "is missing")
}

// A server that is away is a fault that clients try again, and names the server, not the secret.
func TestS3IsAway(t *testing.T) {
	t.Parallel()
	b := newBucket(t)
	h := servertest.Store(t)
	configure(t, h, b.url, "")
	ref := put(t, h, content(1, 10))
	b.Server.Close()
	_, err := blob.Put(t.Context(), h, bytes.NewReader(content(2, 10)), blob.NoLimit)
	require.Equal(t, fault.CodeUnavailable, fault.CodeOf(err))
	require.ErrorContains(t, err, "bucket hew at http://127.0.0.1")
	require.NotContains(t, err.Error(), "hush")
	r, err := blob.Open(t.Context(), h, ref, 0)
	require.NoError(t, err)
	_, err = io.ReadAll(r)
	require.Equal(t, fault.CodeUnavailable, fault.CodeOf(err))

	age(t, h)
	require.NoError(t, h.Exec(t.Context(), `update blobs set used_at = now()`, nil))
	require.NoError(t, blob.Configure(h, blob.Config{})) // and it was taken out of the settings
	r, err = blob.Open(t.Context(), h, ref, 0)
	require.NoError(t, err)
	_, err = io.ReadAll(r)
	require.ErrorContains(t, err, "the content is on s3, which this hewd has no address for: set HEWD_BLOB_URL")
}

func TestMissingBucket(t *testing.T) {
	t.Parallel()
	h := servertest.Store(t)
	configure(t, h, strings.Replace(newBucket(t).url, "//hew", "//other", 1), "")
	_, err := blob.Put(t.Context(), h, bytes.NewReader(content(2, 10)), blob.NoLimit)
	require.ErrorContains(t, err, "the bucket does not exist; create it, or correct HEWD_BLOB_URL")
}

func TestConfigure(t *testing.T) {
	t.Parallel()
	h := servertest.Store(t)
	for want, c := range map[string]blob.Config{
		"invalid blob backend \"disk\"":        {Backend: "disk"},
		"no address of the S3 server":          {Backend: "s3"},
		"has credentials in it":                {URL: "s3://me:hush@bucket"},
		"invalid blob URL \"http://bucket\"":   {URL: "http://bucket"},
		"invalid blob URL \"s3://bucket/dir\"": {URL: "s3://bucket/dir"},
		"unknown parameter \"zone\"":           {URL: "s3://bucket?zone=1"},
		"the endpoint in the blob URL":         {URL: "s3://bucket?endpoint=minio:9000"},
		"the endpoint in the blob URL is not":  {URL: "s3://bucket?endpoint=http://me:hush@minio"},
		"the blob URL cannot be read":          {URL: "s3://me:hush@%zz"},
	} {
		err := blob.Configure(h, c)
		require.ErrorContains(t, err, want)
		require.NotContains(t, err.Error(), "hush")
	}
	require.NoError(t, blob.Configure(h, blob.Config{}))
	require.Equal(t, "postgres", blob.Describe(h))
	require.NoError(t, blob.Configure(h, blob.Config{URL: "s3://b?region=eu-1", SecretKey: "hush"}))
	require.Equal(t, "bucket b at https://s3.amazonaws.com", blob.Describe(h))
	require.NoError(t, blob.Configure(h, blob.Config{URL: "s3://b", Backend: "postgres"}))
	require.Equal(t, "postgres", blob.Describe(h))
}

// Blobs move to S3 and back while they are read, and a move that was interrupted goes on.
func TestMove(t *testing.T) {
	t.Parallel()
	b := newBucket(t)
	h := servertest.Store(t)
	ctx := t.Context()
	configure(t, h, b.url, "postgres")
	wants := map[blob.Ref][]byte{}
	for i, size := range []int{0, 10, blob.ChunkSize, 2*blob.BatchSize + 5} {
		want := content(uint64(i), size)
		wants[put(t, h, want)] = want
	}
	readers := map[*blob.Reader][]byte{}
	for ref, want := range wants {
		r, err := blob.Open(ctx, h, ref, 0)
		require.NoError(t, err)
		if n := min(len(want), 2*blob.ChunkSize+1); n > 0 { // and more is read ahead
			_, err = io.CopyN(io.Discard, r, int64(n))
			require.NoError(t, err)
			want = want[n:]
		}
		readers[r] = want
	}

	stopped, stop := context.WithCancel(ctx)
	_, err := blob.Move(stopped, h, "s3", func(m blob.Moved, err error) {
		require.NoError(t, err)
		if m.Blobs == 2 {
			stop()
		}
	})
	require.ErrorIs(t, err, context.Canceled)
	require.EqualValues(t, 2, number(t, h, `select count(*) from blobs where backend = 's3'`))
	require.Zero(t, number(t, h, `select count(*) from blob_uploads`))

	for _, to := range []string{"s3", "postgres"} {
		last := blob.Moved{}
		m, err := blob.Move(ctx, h, to, func(m blob.Moved, err error) { require.NoError(t, err); last = m })
		require.NoError(t, err)
		require.Equal(t, last, m)
		require.Equal(t, m.AllBlobs, m.Blobs)
		require.Equal(t, m.AllBytes, m.Bytes)
		for ref, want := range wants {
			requireContent(t, h, ref, want)
		}
		if to == "s3" {
			requireRows(t, h, 4, 0, 0)
			require.Len(t, b.objects(t), 3)
		}
	}
	requireRows(t, h, 4, 0, 1+1+17)
	require.Empty(t, b.objects(t))
	for r, want := range readers {
		got, err := io.ReadAll(r)
		require.NoError(t, err)
		require.True(t, bytes.Equal(want, got), "a reader that was open all the time")
		require.NoError(t, r.Close())
	}
	_, err = blob.Move(ctx, h, "disk", nil)
	require.ErrorContains(t, err, `invalid backend "disk"`)
}

// What cannot be read stays where it is, and does not keep others from being moved.
func TestMoveOfDamagedContent(t *testing.T) {
	t.Parallel()
	h := servertest.Store(t)
	configure(t, h, newBucket(t).url, "postgres")
	lost, good := put(t, h, content(1, 10)), put(t, h, content(2, 10))
	require.NoError(t, h.Exec(t.Context(), `
		delete from blob_chunks using blobs b where b.key = blob_chunks.key and b.id = @id`, pgx.NamedArgs{"id": lost.ID}))
	var failures []string
	m, err := blob.Move(t.Context(), h, "s3", func(_ blob.Moved, err error) {
		if err != nil {
			failures = append(failures, err.Error())
		}
	})
	require.NoError(t, err)
	require.Equal(t, blob.Moved{Blobs: 1, Bytes: 10, AllBlobs: 2, AllBytes: 20, Failed: 1}, m)
	require.Len(t, failures, 1)
	require.Contains(t, failures[0], lost.String())
	requireContent(t, h, good, content(2, 10))
	require.EqualValues(t, 1, number(t, h, `select count(*) from blobs where backend = 'postgres'`))
	requireRows(t, h, 2, 0, 0)
}
