package api_test

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/servertest"
)

// post sends a body to the collector with the key of the shop, unless the header has X-Sentry-Auth.
func (s shop) post(t *testing.T, path string, header map[string]string, body string) servertest.Reply {
	return s.send(t, path, header, strings.NewReader(body))
}

func (s shop) send(t *testing.T, path string, header map[string]string, body io.Reader) servertest.Reply {
	url := fmt.Sprintf("%s/error_tracking/collector/api/%d/%s", s.URL, s.id, path)
	r, err := http.NewRequestWithContext(t.Context(), "POST", url, body)
	if err != nil {
		panic(err)
	}
	r.Header.Set("Content-Type", "application/x-sentry-envelope")
	r.Header.Set("X-Sentry-Auth", "Sentry sentry_version=7, sentry_client=test/1.0, sentry_key="+s.key)
	for name, value := range header {
		r.Header.Set(name, value)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		panic(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		panic(err)
	}
	return servertest.Reply{Status: answer.StatusCode, Header: answer.Header, Body: text}
}

// packed returns a text as a compressor packs it.
func packed(t *testing.T, text string, open func(io.Writer) io.WriteCloser) string {
	var b bytes.Buffer
	w := open(&b)
	_, err := io.WriteString(w, text)
	require.NoError(t, err)
	require.NoError(t, w.Close())
	return b.String()
}

var (
	asGzip = func(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) }
	asZlib = func(w io.Writer) io.WriteCloser { return zlib.NewWriter(w) }
	asRaw  = func(w io.Writer) io.WriteCloser {
		f, err := flate.NewWriter(w, flate.BestCompression)
		if err != nil {
			panic(err)
		}
		return f
	}
)

// Bodies come compressed in several ways, and with the key in several places.
func TestCollectorReadsBodies(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	const id = "9ec79c33ec9942ab8353589fcb2e04d"
	envelope := func(n int) string {
		return fmt.Sprintf(`{"event_id":"%s%d"}`, id, n) + `
{"type":"session"}
{}
{"type":"event"}
{"message":"m"}
`
	}
	for n, tt := range []struct {
		name, path, encoding, auth string
		pack                       func(io.Writer) io.WriteCloser
	}{
		{"plain", "envelope", "", "", nil},
		{"gzip", "envelope/", "gzip", "", asGzip},
		{"deflate", "envelope/", "deflate", "", asZlib},
		{"deflate without a header", "envelope/", "Deflate", "", asRaw},
		{"key in the query", "envelope/?sentry_version=7&sentry_key=" + s.key, "identity", "none", nil},
		{"quoted key", "envelope/", "", `sentry sentry_key="` + s.key + `",sentry_version=7`, nil},
	} {
		body := envelope(n)
		if tt.pack != nil {
			body = packed(t, body, tt.pack)
		}
		header := map[string]string{"Content-Encoding": tt.encoding}
		if tt.auth != "" {
			header["X-Sentry-Auth"] = tt.auth
		}
		r := s.post(t, tt.path, header, body)
		require.Equal(t, http.StatusOK, r.Status, "%s: %s", tt.name, r.Body)
		require.JSONEq(t, fmt.Sprintf(`{"id":"%s%d"}`, id, n), string(r.Body), tt.name)
	}
	r := s.post(t, "store/", map[string]string{"Content-Encoding": "gzip", "Content-Type": "application/json"},
		packed(t, `{"message":"m","private_token":"x"}`, asGzip))
	require.Equal(t, http.StatusOK, r.Status, string(r.Body))
	browser := map[string]string{"Origin": "https://shop.example.com"}
	r = s.post(t, "envelope/", browser, "{}\n{\"type\":\"session\"}\n{}")
	require.JSONEq(t, `{"id":null}`, string(r.Body))
	require.Equal(t, "*", r.Header.Get("Access-Control-Allow-Origin"), "browsers send, too")

	list := s.errors(t, "last_seen")
	require.Len(t, list, 1)
	require.EqualValues(t, 7, list[0].EventCount)
}

// zeros is a body that never ends.
type zeros struct{ c byte }

func (z zeros) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = z.c
	}
	return len(p), nil
}

// Bodies that are hostile are refused in words, without being held in memory.
func TestCollectorRefusesHostileBodies(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	const (
		event      = "{}\n{\"type\":\"event\"}\n"
		attachment = "{}\n{\"type\":\"attachment\"}\n"
	)
	large := strings.Repeat("x", 100<<20)
	endless := io.LimitReader(zeros{'x'}, 1<<30)
	bomb := packed(t, event+`{"a":"`+large, asGzip)
	for _, tt := range []struct {
		name, path, encoding string
		body                 io.Reader
		status               int
		words                string
	}{
		{"a bomb", "envelope/", "gzip", strings.NewReader(bomb), 413, "1 MiB"},
		{"a bomb that is no event", "envelope/", "gzip",
			strings.NewReader(packed(t, attachment+large, asGzip)), 413, "32 MiB"},
		{"a bomb alone", "store/", "gzip", strings.NewReader(packed(t, large, asGzip)), 413, "1 MiB"},
		{"a line of 1 GB", "envelope/", "", endless, 413, "65536 bytes"},
		{"an event of 1 GB", "envelope/", "", io.MultiReader(strings.NewReader(event), endless), 413, "1 MiB"},
		{"an attachment of 1 GB", "envelope/", "", io.MultiReader(strings.NewReader(attachment), endless), 413, "8 MiB"},
		{"not gzip", "envelope/", "gzip", strings.NewReader(event + "{}"), 400, "not compressed as Content-Encoding says"},
		{"half of gzip", "envelope/", "gzip", strings.NewReader(bomb[:100]), 400, "incomplete"},
		{"not deflate", "envelope/", "deflate", strings.NewReader("{}\n"), 400, "not compressed as Content-Encoding says"},
		{"brotli", "envelope/", "br", strings.NewReader("x"), 415, "content-encoding 'br'"},
		{"empty", "envelope/", "", strings.NewReader(""), 400, "header of the envelope"},
		{"empty gzip", "envelope/", "gzip", strings.NewReader(""), 400, "incomplete"},
		{"empty event", "store/", "", strings.NewReader(""), 400, "must be a JSON object"},
		{"deep", "store/", "", strings.NewReader(strings.Repeat("[", 100_000)), 400, "must be a JSON object"},
		{"NUL", "store/", "", strings.NewReader("{\"a\":\"\x00\"}"), 400, "must be a JSON object"},
		{"half good", "envelope/", "", strings.NewReader(event + "{}\n{\"type\":\"event\"}\n[]"), 400,
			"must be a JSON object"},
		{"odd query", "store/?sentry_key=%ff", "", strings.NewReader("{}"), 400, "encoding"},
	} {
		r := s.send(t, tt.path, map[string]string{"Content-Encoding": tt.encoding}, tt.body)
		require.Equal(t, tt.status, r.Status, "%s: %s", tt.name, r.Body)
		var said struct{ Message, Error string }
		require.NoError(t, json.Unmarshal(r.Body, &said), tt.name)
		require.Contains(t, said.Message+said.Error, tt.words, tt.name)
	}
	require.Empty(t, s.errors(t, "last_seen"))
	for _, body := range []string{
		"{\"message\":\"a\\u0000\xff\"}", `{"exception":7,"tags":[[]],"extra":{"n":1e999999999}}`,
	} {
		r := s.post(t, "store/", nil, body)
		require.Equal(t, 200, r.Status, string(r.Body))
	}
}

// A project that sends more in a minute gets 429 with the time to wait.
func TestCollectorLimit(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	require.Equal(t, 200, s.post(t, "store/", nil, `{"message":"m"}`).Status)
	require.NoError(t, s.Store.Exec(t.Context(), `update rate_limits set requests = 1000`, nil))
	r := s.post(t, "store/", nil, `{"message":"m"}`)
	require.Equal(t, 429, r.Status)
	require.Equal(t, "60", r.Header.Get("Retry-After"))
	require.Contains(t, string(r.Body), "Try again later")

	require.NoError(t, s.Store.Exec(t.Context(), `update rate_limits
		set requests = case name when 'error_tracking_new_errors' then 500 else 1 end`, nil))
	require.Equal(t, 429, s.post(t, "store/", nil, `{"message":"new"}`).Status)
	require.Equal(t, 200, s.post(t, "store/", nil, `{"message":"m"}`).Status, "it is known")
}

// A key that is off is forbidden, as is a project that is archived; where the project does not
// collect errors, there is nothing.
func TestCollectorIsOff(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	send := func() int { return s.post(t, "store/", nil, `{"message":"m"}`).Status }
	require.Equal(t, 200, send())
	require.NoError(t, s.Store.Exec(t.Context(), `update error_tracking_keys set active = false`, nil))
	require.Equal(t, 403, send())
	require.NoError(t, s.Store.Exec(t.Context(), `update error_tracking_keys set active = true`, nil))
	archive := func(do string) {
		require.Equal(t, 201, s.Do(t, s.RootToken, "POST", fmt.Sprintf("/projects/%d/%s", s.id, do), nil).Status)
	}
	archive("archive")
	require.Equal(t, 403, send())
	archive("unarchive")
	s.Do(t, s.RootToken, "PATCH", s.path+"settings", map[string]any{"active": false})
	require.Equal(t, 404, send())
	require.Equal(t, 404, s.Do(t, s.RootToken, "GET", s.path+"errors", nil).Status)
}
