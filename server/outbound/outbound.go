// Package outbound sends every request of the server to other hosts: hooks, mirrors, imports. Users
// name the addresses, and must not reach through them what only the server can reach: its machine,
// its private network, the metadata service of its cloud.
//
// An address is checked twice. Policy.Admits checks it as it is written, to refuse it early.
// Dialling resolves the name, checks each address that it resolves to, and connects to exactly
// these: a name that resolves differently a moment later changes nothing.
package outbound

import (
	"bytes"
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"time"
)

// defaultTimeout limits a request, from looking up the name to the last byte of the answer.
const defaultTimeout = 10 * time.Second

// Guard makes connections. Its zero value can be used. It is safe for concurrent use.
type Guard struct {
	// Lookup returns the addresses of a host. If it is nil, the resolver of the machine is asked.
	Lookup func(ctx context.Context, host string) ([]netip.Addr, error)
	// Dial connects to an address that was checked. If it is nil, a net.Dialer does.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)
	// Timeout limits a request (10 s).
	Timeout time.Duration
	// Roots are the authorities that certificates are verified with. If it is nil, those of the
	// machine are.
	Roots *x509.CertPool
}

func (g *Guard) timeout() time.Duration {
	if g.Timeout > 0 {
		return g.Timeout
	}
	return defaultTimeout
}

// Options are the settings of a client.
type Options struct {
	Policy   Policy
	Insecure bool // accept any certificate
}

// Client returns a client that follows no redirects, uses no proxy and connects only where the
// policy allows. It keeps no connections: one could be reused under another policy without a check.
func (g *Guard) Client(o Options) *http.Client {
	return &http.Client{
		Timeout:       g.timeout(),
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport: &http.Transport{
			DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
				return g.DialContext(ctx, o.Policy, network, address)
			},
			TLSClientConfig: &tls.Config{
				InsecureSkipVerify: o.Insecure, RootCAs: g.Roots, MinVersion: tls.VersionTLS12,
			},
			MaxResponseHeaderBytes: 64 << 10,
			DisableKeepAlives:      true,
			ForceAttemptHTTP2:      true,
		},
	}
}

// DialContext connects to host:port. It returns a RefusedError unless the policy admits every
// address of the host.
func (g *Guard) DialContext(ctx context.Context, p Policy, network, address string) (net.Conn, error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	addrs, err := g.lookup(ctx, host)
	if err != nil {
		return nil, err
	}
	for _, ip := range addrs {
		if !p.admitsAddr(host, ip, port) {
			return nil, &RefusedError{Host: host}
		}
	}
	dial := g.Dial
	if dial == nil {
		dial = new(net.Dialer).DialContext
	}
	err = fmt.Errorf("%s has no address", host)
	for _, ip := range addrs {
		var conn net.Conn
		if conn, err = dial(ctx, network, net.JoinHostPort(ip.String(), port)); err == nil {
			return conn, nil
		}
	}
	return nil, err
}

func (g *Guard) lookup(ctx context.Context, host string) ([]netip.Addr, error) {
	if ip, err := netip.ParseAddr(host); err == nil {
		return []netip.Addr{ip}, nil
	}
	if g.Lookup != nil {
		return g.Lookup(ctx, host)
	}
	return net.DefaultResolver.LookupNetIP(ctx, "ip", host)
}

// RefusedError reports a host to which the policy allows no requests.
type RefusedError struct{ Host string }

// Error names the host and not its addresses, which users must not learn.
func (r *RefusedError) Error() string {
	return fmt.Sprintf("requests to %s are not allowed: it is in the local network", r.Host)
}

// Field is a header field. Of two with the same name the later one is sent.
type Field struct{ Name, Value string }

// Request is a request whose body is in memory or, for Stream, read while it is sent.
type Request struct {
	Method    string // empty: POST
	URL       string
	Header    []Field
	Body      []byte
	Content   io.Reader // in place of Body; Stream alone sends it
	Length    int64     // of Content, in bytes; 0: not known
	MaxAnswer int64     // bytes of the answer that Post reads; the rest is ignored
}

// build returns the request. Credentials in the URL become basic authentication, which overrides
// the header.
func (r Request) build(ctx context.Context, method string, p Policy) (*http.Request, error) {
	if !p.Admits(r.URL) {
		return nil, errors.New("the URL is blocked: " +
			"it has to be http or https, and must not lead into the local network")
	}
	req, err := http.NewRequestWithContext(ctx, method, r.URL, bytes.NewReader(r.Body))
	if err != nil {
		return nil, errors.New("the URL cannot be read")
	}
	for _, f := range r.Header {
		req.Header.Set(f.Name, f.Value)
	}
	if user := req.URL.User; user != nil {
		password, _ := user.Password()
		req.SetBasicAuth(user.Username(), password)
		req.URL.User = nil
	}
	return req, nil
}

// Answer is the answer to a Request.
type Answer struct {
	Status int
	Header http.Header
	Body   []byte // at most MaxAnswer bytes
}

// Post sends a request by POST, as Send does.
func (g *Guard) Post(ctx context.Context, o Options, r Request) (Answer, error) {
	r.Method = http.MethodPost
	return g.Send(ctx, o, r)
}

// Send sends a request and reads the answer. Credentials in the URL are sent as basic
// authentication and override the header. Errors never contain the URL, which can hold secrets.
func (g *Guard) Send(ctx context.Context, o Options, r Request) (Answer, error) {
	req, err := r.build(ctx, cmp.Or(r.Method, http.MethodPost), o.Policy)
	if err != nil {
		return Answer{}, err
	}
	resp, err := g.Client(o).Do(req)
	if err != nil {
		return Answer{}, Plain(err, g.timeout())
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, r.MaxAnswer))
	return Answer{Status: resp.StatusCode, Header: resp.Header, Body: body}, Plain(err, g.timeout())
}

// Plain returns an error of a request without the URL that net/http adds to it and without
// addresses, which users must not learn. The limit is how long the client waits.
func Plain(err error, limit time.Duration) error {
	var (
		refused *RefusedError
		wrapped *url.Error
		network net.Error
		dns     *net.DNSError
		broken  *net.OpError
	)
	switch {
	case errors.As(err, &refused):
		return refused
	case errors.As(err, &network) && network.Timeout():
		return fmt.Errorf("no answer within %s", limit)
	case errors.As(err, &dns):
		return LookupError(dns)
	case errors.As(err, &broken) && broken.Op == "dial":
		return &ConnectError{broken.Err}
	case errors.As(err, &broken):
		return fmt.Errorf("the connection broke: %w", broken.Err)
	case errors.As(err, &wrapped):
		return wrapped.Err
	}
	return err
}

// ConnectError is why there is no connection to a host.
type ConnectError struct{ Err error }

// Error implements error.
func (e *ConnectError) Error() string { return "the host cannot be reached: " + e.Err.Error() }

// Unwrap returns the reason.
func (e *ConnectError) Unwrap() error { return e.Err }

// LookupError returns the error of a name that cannot be looked up, without the addresses of this
// server and its resolver, which users must not learn.
func LookupError(err *net.DNSError) error {
	reason := err.Err[strings.LastIndexByte(err.Err, ':')+1:] // read udp 10.0.0.7:4242->10.0.0.53:53: i/o timeout
	return fmt.Errorf("look up %s: %s", err.Name, strings.TrimSpace(reason))
}
