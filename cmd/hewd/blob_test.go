package main

import (
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"
	"github.com/stretchr/testify/require"

	"hew/server"
	"hew/server/blob"
	"hew/server/servertest"
)

// TestBlobCommands moves blobs to S3 and back, and finds one that was lost.
func TestBlobCommands(t *testing.T) {
	t.Parallel()
	memory := s3mem.New()
	require.NoError(t, memory.CreateBucket("hew"))
	s3 := httptest.NewServer(gofakes3.New(memory).Server())
	t.Cleanup(s3.Close)
	env := map[string]string{
		"HEWD_DATABASE_URL": servertest.URL(t), "HEWD_SECRET_KEY": "a secret key that is long enough",
		"HEWD_BLOB_URL": "s3://hew?endpoint=" + s3.URL, "HEWD_BLOB_ACCESS_KEY": "key", "HEWD_BLOB_SECRET_KEY": "hush",
	}
	h, done, err := server.OpenBlobs(t.Context(), server.Config{
		DatabaseURL: env["HEWD_DATABASE_URL"], SecretKey: env["HEWD_SECRET_KEY"],
	})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, done()) })
	for _, content := range []string{"one", strings.Repeat("two", 1000)} {
		_, err := blob.Put(t.Context(), h, strings.NewReader(content), blob.NoLimit)
		require.NoError(t, err)
	}

	out, err := run(env, "blob", "check", "-verify")
	require.NoError(t, err)
	require.Equal(t, "Checked 2 blobs, 3.0 kB: 0 missing, 0 damaged, 0 orphaned.\n", out)
	out, err = run(env, "blob", "migrate", "--to=s3")
	require.NoError(t, err)
	require.Equal(t, "Moved 1 of 2 blobs, 3 bytes of 3.0 kB.\nMoved 2 of 2 blobs, 3.0 kB of 3.0 kB.\n", out)
	out, err = run(env, "blob", "check")
	require.NoError(t, err)
	require.Contains(t, out, "Checked 2 blobs")

	list, err := memory.ListBucket("hew", nil, gofakes3.ListBucketPage{})
	require.NoError(t, err)
	require.Len(t, list.Contents, 2)
	_, err = memory.DeleteObject("hew", list.Contents[0].Key)
	require.NoError(t, err)
	out, err = run(env, "blob", "check")
	require.ErrorContains(t, err, "content of blobs is missing or damaged; restore it from a backup")
	require.Regexp(t, `^missing: blob 1, key .*\nChecked 2 blobs, 3.0 kB: 1 missing, 0 damaged, 0 orphaned.\n$`, out)
	out, err = run(env, "blob", "migrate", "--to=postgres")
	require.ErrorContains(t, err, "1 blobs could not be read and stay where they are; run hewd blob check")
	require.Contains(t, out, "the content is missing")
	require.Contains(t, out, "Moved 1 of 2 blobs, 3.0 kB of 3.0 kB.\n")

	delete(env, "HEWD_BLOB_URL")
	_, err = run(env, "blob", "migrate", "--to=s3")
	require.ErrorContains(t, err, "set --blob-url or HEWD_BLOB_URL")
	require.NotContains(t, out, "hush")
}

func TestInBytes(t *testing.T) {
	t.Parallel()
	for want, n := range map[string]int64{
		"0 bytes": 0, "999 bytes": 999, "1.0 kB": 1000, "1.0 MB": 999_999, "1.2 GB": 1_234_567_890, "9.2 EB": 1<<63 - 1,
	} {
		require.Equal(t, want, inBytes(n))
	}
}
