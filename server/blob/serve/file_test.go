package serve_test

import (
	"bytes"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/blob"
	"hew/server/blob/serve"
	"hew/server/servertest"
)

func TestMain(m *testing.M) { servertest.Main(m) }

// TestFile: the header of a file, and the part of it that a client asks for.
func TestFile(t *testing.T) {
	t.Parallel()
	h := servertest.Store(t)
	ref, err := blob.Put(t.Context(), h, strings.NewReader("0123456789"), blob.NoLimit)
	require.NoError(t, err)
	f := serve.File{Log: slog.New(slog.DiscardHandler), Store: h, BlobID: ref.ID}
	saved, shown, plain, gone := f, f, f, f
	saved.Name, shown.Name, shown.Inline, shown.Type = "a b.txt", "a.png", true, "image/png"
	plain.Header = func(h http.Header) { h.Set("Cache-Control", serve.Revalidate) }
	gone.BlobID = 0
	for name, c := range map[string]struct {
		file              serve.File
		asked             string
		status            int
		body, disposition string
		kind              string
	}{
		"saved":   {saved, "", 200, "0123456789", `attachment; filename="a b.txt"`, "application/octet-stream"},
		"shown":   {shown, "", 200, "0123456789", "inline; filename=a.png", "image/png"},
		"plain":   {plain, "", 200, "0123456789", "", "application/octet-stream"},
		"a range": {saved, "bytes=2-4", 206, "234", `attachment; filename="a b.txt"`, "application/octet-stream"},
		"gone":    {gone, "", 503, "", "", ""},
	} {
		r := httptest.NewRequestWithContext(t.Context(), "GET", "/", nil)
		if c.asked != "" {
			r.Header.Set("Range", c.asked)
		}
		w := httptest.NewRecorder()
		c.file.ServeHTTP(w, r)
		require.Equal(t, c.status, w.Code, name)
		if c.status == http.StatusServiceUnavailable {
			continue
		}
		require.Equal(t, c.body, w.Body.String(), name)
		require.Equal(t, c.disposition, w.Header().Get("Content-Disposition"), name)
		require.Equal(t, c.kind, w.Header().Get("Content-Type"), name)
		require.Equal(t, "nosniff", w.Header().Get("X-Content-Type-Options"), name)
	}
}

// TestDamaged: a client that gets a part of a damaged file notices, and the log says why.
func TestDamaged(t *testing.T) {
	t.Parallel()
	h := servertest.Store(t)
	content := bytes.Repeat([]byte("damaged "), 5<<17)
	ref, err := blob.Put(t.Context(), h, bytes.NewReader(content), blob.NoLimit)
	require.NoError(t, err)
	n, err := h.Affected(t.Context(), `
		update blob_chunks set data = set_byte(data, 0, 0)
		where ctid = (select ctid from blob_chunks order by number desc limit 1)`, nil)
	require.NoError(t, err)
	require.EqualValues(t, 1, n)
	var log bytes.Buffer
	done := make(chan struct{})
	file := serve.File{Log: slog.New(slog.NewTextHandler(&log, nil)), Store: h, BlobID: ref.ID, Name: "a.bin"}
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer close(done)
		file.ServeHTTP(w, r)
	}))
	defer site.Close()
	reply, err := site.Client().Get(site.URL)
	require.NoError(t, err)
	defer reply.Body.Close()
	require.Equal(t, http.StatusOK, reply.StatusCode)
	got, err := io.ReadAll(reply.Body)
	require.ErrorIs(t, err, io.ErrUnexpectedEOF)
	require.Less(t, len(got), len(content))
	<-done
	require.Contains(t, log.String(), "content cut off")
	require.Contains(t, log.String(), "checksum differs")
}
