package transfer_test

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hew/server/fault"
	"hew/server/outbound"
	"hew/server/servertest"
	"hew/server/setting"
	"hew/server/transfer"
)

// serveArchives answers as hosts of archives do, by the path.
func serveArchives(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Type", "application/gzip")
	switch path := r.URL.Path; {
	case path == "/redirect":
		h.Set("Location", r.URL.Query().Get("to"))
		w.WriteHeader(http.StatusFound)
	case path == "/loop":
		h.Set("Location", "/loop")
		w.WriteHeader(http.StatusTemporaryRedirect)
	case path == "/forbidden", path == "/signed" && r.Method == http.MethodHead:
		w.WriteHeader(http.StatusForbidden)
	case path == "/page":
		h.Set("Content-Type", "text/html; charset=utf-8")
		h.Set("Content-Length", "5")
	case path == "/huge":
		h.Set("Content-Length", "99999999999")
	case path == "/chunked":
		_ = http.NewResponseController(w).Flush()
	case path == "/empty":
		h.Set("Content-Length", "0")
	case path == "/exports/missing.tar.gz":
		w.WriteHeader(http.StatusNotFound)
	case strings.HasPrefix(path, "/exports/") && !strings.Contains(r.Header.Get("Authorization"), "Credential=key/"):
		w.WriteHeader(http.StatusForbidden)
	default:
		h.Set("Last-Modified", "Mon, 02 Jan 2023 03:04:05 GMT")
		h.Set("ETag", `"x"`)
		http.ServeContent(w, r, "", time.Time{}, strings.NewReader("archive"))
	}
}

// farFetcher returns a fetcher for which all names are a host on this machine. Names that begin
// with "inside" resolve to an address of a local network, and "moving" does so the second time.
func farFetcher(t *testing.T) transfer.Fetcher {
	secure := httptest.NewTLSServer(http.HandlerFunc(serveArchives))
	t.Cleanup(secure.Close)
	plain := httptest.NewServer(http.HandlerFunc(serveArchives))
	t.Cleanup(plain.Close)
	asked := 0
	return transfer.Fetcher{S3: plain.URL, Out: &outbound.Guard{
		Roots: secure.Client().Transport.(*http.Transport).TLSClientConfig.RootCAs,
		Lookup: func(_ context.Context, host string) ([]netip.Addr, error) {
			if strings.HasPrefix(host, "moving") {
				asked++
			}
			if strings.HasPrefix(host, "inside") || asked > 1 {
				return []netip.Addr{netip.MustParseAddr("10.0.0.7")}, nil
			}
			return []netip.Addr{netip.MustParseAddr("8.8.8.8")}, nil
		},
		Dial: func(ctx context.Context, network, address string) (net.Conn, error) {
			to := secure.Listener.Addr().String()
			if strings.HasPrefix(address, "127.") {
				to = plain.Listener.Addr().String()
			}
			return new(net.Dialer).DialContext(ctx, network, to)
		},
	}}
}

// What a host says of an archive decides whether it is fetched, and no redirect leads into the
// local network.
func TestCheckOfAddresses(t *testing.T) {
	t.Parallel()
	s := servertest.Fresh(t)
	f := farFetcher(t)
	const host = "https://example.com"
	for _, tt := range []struct{ url, want string }{
		{host + "/x.tar.gz?token=secret-word", ""},
		{host + "/signed?token=secret-word", ""}, // HEAD is refused
		{host + "/redirect?to=/x.tar.gz", ""},
		{host + "/redirect?to=https://example.com/signed", ""},
		{host + "/page",
			"Content type 'text/html' not allowed. (Allowed: application/gzip, application/x-tar, application/x-gzip)"},
		{host + "/huge", "Content-Length is too big (should be at most 10240 MiB)"},
		{host + "/chunked", "Content-Length is missing: the host must say how large the archive is"},
		{host + "/empty", "Content-Length is too small (should be at least 1 Byte)"},
		{host + "/forbidden?token=secret-word", "Failed to retrive headers: the host answered 403"},
		{host + "/loop", "the host redirects more than 5 times"},
		{host + "/redirect?to=http://example.com/x", "Url is blocked: Only allowed schemes are https"},
		{host + "/redirect?to=https://127.0.0.1/x", "Url is blocked: Requests to the local network are not allowed"},
		{host + "/redirect?to=https://inside.example.com/x",
			"Failed to retrive headers: requests to inside.example.com are not allowed: it is in the local network"},
		{host + "/redirect?to=file:///etc/passwd", "Url is blocked: Only allowed schemes are https"},
		{host + "/redirect?to=", "the host redirects to an address that is not valid"},
		{"https://inside.example.com/x?secret-word",
			"Failed to retrive headers: requests to inside.example.com are not allowed: it is in the local network"},
		{"https://169.254.169.254/latest", "Url is blocked: Requests to the local network are not allowed"},
		{"https://0x7f.1/x", "Url is blocked: URI is invalid"},
		{"ftp://example.com/x", "Url is blocked: Only allowed schemes are https"},
	} {
		err := f.Check(t.Context(), s.Store, transfer.ImportSource{URL: tt.url})
		if tt.want == "" {
			require.NoError(t, err, tt.url)
			continue
		}
		refused, ok := fault.From(err)
		require.True(t, ok, "%s: %v", tt.url, err)
		require.Equal(t, tt.want, refused.What, tt.url)
		require.NotContains(t, err.Error(), "secret-word")
	}
	content, limit, err := f.Open(t.Context(), s.Store, transfer.ImportSource{URL: host + "/redirect?to=/signed"})
	require.NoError(t, err)
	text, err := io.ReadAll(content)
	require.NoError(t, err)
	require.NoError(t, content.Close())
	require.Equal(t, "archive", string(text))
	require.Equal(t, int64(10<<30), limit)
	_, _, err = f.Open(t.Context(), s.Store,
		transfer.ImportSource{URL: host + "/redirect?to=https://inside.example.com/x"})
	require.EqualError(t, err,
		"Failed to download the archive: requests to inside.example.com are not allowed: it is in the local network")
	_, _, err = f.Open(t.Context(), s.Store, transfer.ImportSource{URL: host + "/forbidden"})
	require.EqualError(t, err, "unsupported response downloading fragment 403")

	moving := transfer.ImportSource{URL: "https://moving.example.com/x"} // other DNS answers after the check
	require.NoError(t, f.Check(t.Context(), s.Store, moving))
	_, _, err = f.Open(t.Context(), s.Store, moving)
	require.ErrorContains(t, err, "moving.example.com are not allowed")
	require.NoError(t, setting.Set(t.Context(), s.Store, "max_import_remote_file_size", 1))
}

// Objects in buckets are asked for with the credentials, which no error shows.
func TestCheckOfBuckets(t *testing.T) {
	t.Parallel()
	s := servertest.Fresh(t)
	f := farFetcher(t)
	good := transfer.ImportBucket{
		Region: "eu-central-1", Bucket: "exports", Key: "x.tar.gz", AccessKey: "key", SecretKey: "hush-hush",
	}
	change := func(do func(*transfer.ImportBucket)) *transfer.ImportBucket {
		b := good
		do(&b)
		return &b
	}
	for _, tt := range []struct {
		bucket *transfer.ImportBucket
		want   string
	}{
		{&good, ""},
		{change(func(b *transfer.ImportBucket) { b.Key = "missing.tar.gz" }),
			"File not found 'missing.tar.gz' in 'exports'"},
		{change(func(b *transfer.ImportBucket) { b.AccessKey = "other" }),
			"Failed to open 'x.tar.gz' in 'exports': access denied: check access_key_id, secret_access_key, the region and the policy of the bucket"},
		{change(func(b *transfer.ImportBucket) { b.Bucket = "../x" }),
			"Failed to open 'x.tar.gz' in '../x': Bucket name cannot contain path separators"},
	} {
		err := f.Check(t.Context(), s.Store, transfer.ImportSource{Bucket: tt.bucket})
		if tt.want == "" {
			require.NoError(t, err)
			continue
		}
		refused, ok := fault.From(err)
		require.True(t, ok, "%v", err)
		require.Equal(t, tt.want, refused.What)
	}
	content, _, err := f.Open(t.Context(), s.Store, transfer.ImportSource{Bucket: &good})
	require.NoError(t, err)
	defer content.Close()
	text, err := io.ReadAll(content)
	require.NoError(t, err)
	require.Equal(t, "archive", string(text))
	f.S3 = "" // the public server, which is at a local address here
	f.Out.Lookup = func(context.Context, string) ([]netip.Addr, error) {
		return []netip.Addr{netip.MustParseAddr("10.0.0.7")}, nil
	}
	err = f.Check(t.Context(), s.Store, transfer.ImportSource{Bucket: &good})
	require.ErrorContains(t, err, "it is in the local network")
}
