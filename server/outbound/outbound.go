// Package outbound is the one way from the server to other hosts: hooks, mirrors and imports send their requests through a
// Client made here. Whoever may name an address to the server must not reach by it what only the server can reach: the
// machine it runs on, the network around it, the metadata of its cloud.
//
// An address is judged twice. Policy.Admits reads it as it is written, to refuse early what is plainly wrong. Dialling
// resolves its name and judges what that resolves to, and then dials exactly that: a name that leads elsewhere a moment
// later leads nobody anywhere.
package outbound

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"time"
)

// standard is how long a request may take, from looking up the name to the last byte of the answer.
const standard = 10 * time.Second

// Guard makes connections. The zero value is ready; it is safe for concurrent use.
type Guard struct {
	// Lookup finds the addresses of a host; nil asks the resolver of the machine.
	Lookup func(ctx context.Context, host string) ([]netip.Addr, error)
	// Dial connects to an address that has been judged; nil dials it.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)
	// Timeout is how long a request may take; 0 is ten seconds.
	Timeout time.Duration
}

func (g *Guard) timeout() time.Duration {
	if g.Timeout > 0 {
		return g.Timeout
	}
	return standard
}

// Options are what the requests of one Client have in common.
type Options struct {
	Policy   Policy
	Insecure bool // a certificate that nobody vouches for is taken, too
}

// Client is a client that follows no redirect, knows no proxy, and connects to nothing that the policy refuses. It keeps no
// connection: one that was made under another policy would be used again without being judged.
func (g *Guard) Client(o Options) *http.Client {
	return &http.Client{
		Timeout:       g.timeout(),
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport: &http.Transport{
			DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
				return g.DialContext(ctx, o.Policy, network, address)
			},
			TLSClientConfig:        &tls.Config{InsecureSkipVerify: o.Insecure, MinVersion: tls.VersionTLS12},
			MaxResponseHeaderBytes: 64 << 10,
			DisableKeepAlives:      true,
			ForceAttemptHTTP2:      true,
		},
	}
}

// DialContext connects to host:port, if the policy admits every address that the host has.
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
		if !p.reaches(host, ip, port) {
			return nil, &Refused{Host: host}
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

// Refused is an address that requests may not go to.
type Refused struct{ Host string }

// Error says so without the addresses: what a name resolves to inside is nobody's business outside.
func (r *Refused) Error() string {
	return fmt.Sprintf("requests to %s are not allowed: it is in the local network", r.Host)
}

// Field is one of a header. Of two with one name the later one is sent.
type Field struct{ Name, Value string }

// Request is one that is sent as a whole.
type Request struct {
	URL    string
	Header []Field
	Body   []byte
	Most   int64 // how many bytes of the answer are of interest
}

// Answer is what came back.
type Answer struct {
	Status int
	Header http.Header
	Body   []byte // its beginning, if it was longer than asked for
}

// Post sends a request and reads the answer. A name and a password in the URL go as basic authentication, whatever the
// header says. An error never shows the URL: there may be secrets in it.
func (g *Guard) Post(ctx context.Context, o Options, r Request) (Answer, error) {
	if !o.Policy.Admits(r.URL) {
		return Answer{}, errors.New("the URL is blocked: it has to be http or https, and must not lead into the local network")
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, r.URL, bytes.NewReader(r.Body))
	if err != nil {
		return Answer{}, errors.New("the URL cannot be read")
	}
	for _, f := range r.Header {
		req.Header.Set(f.Name, f.Value)
	}
	if user := req.URL.User; user != nil {
		password, _ := user.Password()
		req.SetBasicAuth(user.Username(), password)
		req.URL.User = nil
	}
	resp, err := g.Client(o).Do(req)
	if err != nil {
		return Answer{}, g.reason(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, r.Most))
	return Answer{Status: resp.StatusCode, Header: resp.Header, Body: body}, g.reason(err)
}

// reason is an error without the URL around it.
func (g *Guard) reason(err error) error {
	var refused *Refused
	var around *url.Error
	var waited net.Error
	var unknown *net.DNSError
	switch {
	case errors.As(err, &refused):
		return refused
	case errors.As(err, &waited) && waited.Timeout():
		return fmt.Errorf("no answer within %s", g.timeout())
	case errors.As(err, &unknown): // not who was asked for it
		return fmt.Errorf("look up %s: %s", unknown.Name, unknown.Err)
	case errors.As(err, &around):
		return around.Err
	}
	return err
}
