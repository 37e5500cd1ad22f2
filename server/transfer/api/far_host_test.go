package api_test

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"

	"hew/server/outbound"
)

// farHost serves an archive at any path, as hosts and S3 servers do.
type farHost struct {
	*httptest.Server
	content string
	mu      sync.Mutex
	asked   []string // the methods, and whether they were authorized
}

func newFarHost(t testing.TB, content string) *farHost {
	f := &farHost{content: content}
	f.Server = httptest.NewServer(f)
	t.Cleanup(f.Close)
	return f
}

// guard returns a guard for which the host is all hosts of the web, with certificates of theirs.
func (f *farHost) guard(t testing.TB) *outbound.Guard {
	secure := httptest.NewTLSServer(f)
	t.Cleanup(secure.Close)
	return &outbound.Guard{
		Roots: secure.Client().Transport.(*http.Transport).TLSClientConfig.RootCAs,
		Lookup: func(context.Context, string) ([]netip.Addr, error) {
			return []netip.Addr{netip.MustParseAddr("8.8.8.8")}, nil
		},
		Dial: func(ctx context.Context, network, address string) (net.Conn, error) {
			if strings.HasPrefix(address, "8.8.8.8:") {
				address = secure.Listener.Addr().String()
			}
			return new(net.Dialer).DialContext(ctx, network, address)
		},
	}
}

// ServeHTTP implements http.Handler.
func (f *farHost) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	f.asked = append(f.asked, r.Method)
	f.mu.Unlock()
	h := w.Header()
	h.Set("Content-Type", "application/gzip")
	h.Set("Last-Modified", "Mon, 02 Jan 2023 03:04:05 GMT")
	h.Set("ETag", `"x"`)
	if r.URL.Path == "/broken" && r.Method == http.MethodGet {
		h.Set("Content-Length", "1000000")
		_, _ = w.Write([]byte(f.content))
		_ = http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	}
	http.ServeContent(w, r, "", time.Time{}, strings.NewReader(f.content))
}
