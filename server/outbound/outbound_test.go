package outbound_test

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hew/server/outbound"
)

// names is a resolver: each lookup of a host takes the next of its answers, and the last one again
// and again.
type names map[string][][]string

func (n names) lookup(_ context.Context, host string) (addrs []netip.Addr, err error) {
	answers := n[host]
	if len(answers) == 0 {
		return nil, errors.New("no such host")
	}
	if len(answers) > 1 {
		n[host] = answers[1:]
	}
	for _, text := range answers[0] {
		addrs = append(addrs, netip.MustParseAddr(text))
	}
	return addrs, nil
}

func TestDialJudgesWhatNamesResolveTo(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name    string
		answers [][]string
		policy  outbound.Policy
		dialled string // empty: refused
	}{
		{"public", [][]string{{"8.8.8.8"}}, outbound.Policy{}, "8.8.8.8:80"},
		{"loopback", [][]string{{"127.0.0.1"}}, outbound.Policy{}, ""},
		{"private", [][]string{{"10.0.0.1"}}, outbound.Policy{}, ""},
		{"metadata", [][]string{{"169.254.169.254"}}, outbound.Policy{}, ""},
		{"mapped", [][]string{{"::ffff:127.0.0.1"}}, outbound.Policy{}, ""},
		{"nat64", [][]string{{"64:ff9b::a9fe:a9fe"}}, outbound.Policy{}, ""},
		{"unspecified", [][]string{{"0.0.0.0"}}, outbound.Policy{}, ""},
		{"one of two", [][]string{{"8.8.8.8", "127.0.0.1"}}, outbound.Policy{}, ""},
		{"allowed", [][]string{{"127.0.0.1"}}, outbound.Policy{Local: true}, "127.0.0.1:80"},
		{"listed by name", [][]string{{"10.0.0.1"}}, outbound.Policy{Allow: []string{"host.example"}}, "10.0.0.1:80"},
		{"listed by block", [][]string{{"10.0.0.1"}}, outbound.Policy{Allow: []string{"10.0.0.0/24"}}, "10.0.0.1:80"},
		{"listed for another port", [][]string{{"10.0.0.1"}}, outbound.Policy{Allow: []string{"host.example:81"}}, ""},
		// what was judged is dialled
		{"rebound", [][]string{{"8.8.8.8"}, {"127.0.0.1"}}, outbound.Policy{}, "8.8.8.8:80"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			dialled := ""
			g := outbound.Guard{
				Lookup: names{"host.example": tt.answers}.lookup,
				Dial: func(_ context.Context, _, address string) (net.Conn, error) {
					dialled = address
					return nil, io.EOF
				},
			}
			_, err := g.DialContext(t.Context(), tt.policy, "tcp", "host.example:80")
			require.Equal(t, tt.dialled, dialled)
			var refused *outbound.RefusedError
			require.Equal(t, tt.dialled == "", errors.As(err, &refused), "%v", err)
		})
	}
}

func TestPost(t *testing.T) {
	t.Parallel()
	var got *http.Request
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got = r.Clone(context.Background())
		if r.URL.Path == "/away" {
			http.Redirect(w, r, "/elsewhere", http.StatusFound)
			return
		}
		io.WriteString(w, strings.Repeat("x", 100)) //nolint:errcheck // the client reads a part only
	}))
	t.Cleanup(receiver.Close)
	address, err := url.Parse(receiver.URL)
	require.NoError(t, err)
	g := outbound.Guard{Lookup: names{"inside.example": {{"127.0.0.1"}}}.lookup}
	local := outbound.Options{Policy: outbound.Policy{Local: true}}

	a, err := g.Post(t.Context(), local, outbound.Request{
		URL: "http://ann:pw@inside.example:" + address.Port() + "/in", MaxAnswer: 10,
		Header: []outbound.Field{
			{Name: "x-one", Value: "a"}, {Name: "X-One", Value: "b"}, {Name: "Authorization", Value: "other"},
		},
	})
	require.NoError(t, err)
	require.Equal(t, 200, a.Status)
	require.Len(t, a.Body, 10)
	require.Equal(t, []string{"b"}, got.Header["X-One"])
	require.Equal(t, "inside.example:"+address.Port(), got.Host)
	user, password, _ := got.BasicAuth()
	require.Equal(t, "ann:pw", user+":"+password)

	a, err = g.Post(t.Context(), local, outbound.Request{URL: receiver.URL + "/away"})
	require.NoError(t, err)
	require.Equal(t, 302, a.Status)
	require.Equal(t, "/away", got.URL.Path, "a redirect is not followed")

	got = nil
	_, err = g.Post(
		t.Context(), outbound.Options{}, outbound.Request{URL: "http://inside.example:" + address.Port() + "/secret"},
	)
	require.EqualError(t, err, "requests to inside.example are not allowed: it is in the local network")
	_, err = g.Post(t.Context(), outbound.Options{}, outbound.Request{URL: receiver.URL})
	require.ErrorContains(t, err, "the URL is blocked")
	require.Nil(t, got)
}

func TestCertificates(t *testing.T) {
	t.Parallel()
	receiver := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	receiver.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)
	receiver.StartTLS()
	t.Cleanup(receiver.Close)
	var g outbound.Guard
	o := outbound.Options{Policy: outbound.Policy{Local: true}}
	_, err := g.Post(t.Context(), o, outbound.Request{URL: receiver.URL + "/?secret"})
	require.ErrorContains(t, err, "certificate")
	require.NotContains(t, err.Error(), "secret")
	o.Insecure = true
	_, err = g.Post(t.Context(), o, outbound.Request{URL: receiver.URL})
	require.NoError(t, err)
}

// A proxy from the environment could connect to blocked addresses.
func TestNoProxy(t *testing.T) {
	t.Parallel()
	transport := new(outbound.Guard).Client(outbound.Options{}).Transport.(*http.Transport)
	require.Nil(t, transport.Proxy)
}

// The error for a slow receiver is the same, whichever part of the answer was late.
func TestSlowReceiver(t *testing.T) {
	t.Parallel()
	over := make(chan struct{})
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/body" {
			w.WriteHeader(200)
			_ = http.NewResponseController(w).Flush()
		}
		<-over
	}))
	t.Cleanup(receiver.Close)
	t.Cleanup(func() { close(over) }) // first: Close waits for the handlers
	g := outbound.Guard{Timeout: 50 * time.Millisecond}
	o := outbound.Options{Policy: outbound.Policy{Local: true}}
	for _, path := range []string{"/head", "/body"} {
		_, err := g.Post(t.Context(), o, outbound.Request{URL: receiver.URL + path, MaxAnswer: 1})
		require.EqualError(t, err, "no answer within 50ms", path)
	}
	g = outbound.Guard{
		Lookup: names{"slow.example": {{"8.8.8.8"}}}.lookup,
		Dial:   func(context.Context, string, string) (net.Conn, error) { return nil, context.DeadlineExceeded },
	}
	_, err := g.Post(t.Context(), o, outbound.Request{URL: "http://slow.example/"})
	require.EqualError(t, err, "no answer within 10s")
	g.Lookup = func(_ context.Context, host string) ([]netip.Addr, error) {
		return nil, &net.DNSError{Name: host, Err: "no such host", Server: "10.0.0.53"}
	}
	_, err = g.Post(t.Context(), o, outbound.Request{URL: "http://nowhere.example/?secret"})
	require.EqualError(t, err, "look up nowhere.example: no such host")
}
