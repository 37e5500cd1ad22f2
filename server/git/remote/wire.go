package remote

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"time"

	"hew/server/git/pkt"
	"hew/server/outbound"
)

// session is a connection with a service by which both sides speak: an advertisement comes, a
// request goes, an answer comes.
type session struct {
	io.Reader
	io.Writer
	finish func() error // says that the request is complete
	end    func()
}

// Close implements io.Closer.
func (s *session) Close() error {
	s.end()
	return nil
}

// sessions speaks with a service in a session for each request.
type sessions struct {
	begin func(ctx context.Context) (*session, error)
	open  *session // that has sent its advertisement and waits for a request
}

func (s *sessions) close() {
	if s.open != nil {
		_ = s.open.Close()
		s.open = nil
	}
}

func (s *sessions) advertise(ctx context.Context) (io.ReadCloser, string, error) {
	s.close()
	begun, err := s.begin(ctx)
	if err != nil {
		return nil, "", err
	}
	s.open = begun
	return io.NopCloser(begun), "", nil
}

// ask sends a request in the session whose advertisement was read last, or in another one.
func (s *sessions) ask(ctx context.Context, request io.Reader) (io.ReadCloser, error) {
	if s.open == nil {
		body, _, err := s.advertise(ctx)
		if err != nil {
			return nil, err
		}
		if _, err := pkt.ReadAdvertisement(pkt.NewReader(body, refLimits), ""); err != nil {
			return nil, readError(err)
		}
	}
	in := s.open
	s.open = nil
	_, err := io.Copy(in.Writer, request)
	if err == nil {
		err = in.finish()
	}
	if err != nil && !errors.Is(err, io.EOF) { // a host that gives up early has said why
		_ = in.Close()
		return nil, readError(err)
	}
	return in, nil
}

// wire speaks git's own protocol, which has no credentials and no encryption.
type wire struct {
	sessions
	host    Host
	at      *url.URL
	service string
}

func (w *wire) advertise(ctx context.Context) (io.ReadCloser, string, error) {
	w.begin = w.dial
	return w.sessions.advertise(ctx)
}

func (w *wire) dial(ctx context.Context) (*session, error) {
	conn, err := w.host.dial(ctx, w.at)
	if err != nil {
		return nil, err
	}
	hello := fmt.Sprintf("%s %s\x00host=%s\x00", w.service, w.at.Path, w.at.Host)
	if err := pkt.NewWriter(conn).Data([]byte(hello)); err != nil {
		_ = conn.Close()
		return nil, readError(err)
	}
	return &session{conn, conn, func() error { return nil }, func() { _ = conn.Close() }}, nil
}

// dial connects to the host of an address. The connection ends with the context, and when it was
// idle for too long.
func (h Host) dial(ctx context.Context, at *url.URL) (net.Conn, error) {
	if h.Policy.FindProblem(outbound.Git, at.String()) != "" {
		return nil, errorf("%s cannot be reached: the URL is blocked", at.Hostname())
	}
	port := at.Port()
	if port == "" {
		port = outbound.Git[at.Scheme]
	}
	dialing, cancel := context.WithTimeout(ctx, dialTimeout)
	defer cancel()
	conn, err := h.Guard.DialContext(dialing, h.Policy, "tcp", net.JoinHostPort(at.Hostname(), port))
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, unreachable(at, err)
	}
	return &idleConn{Conn: conn, stop: context.AfterFunc(ctx, func() { _ = conn.Close() })}, nil
}

const (
	dialTimeout = 30 * time.Second
	// idleTimeout is how long a push may stand still: one side packs objects, the other unpacks
	// them.
	idleTimeout = 10 * time.Minute
)

// idleConn is a connection whose reads and writes fail when the other side does nothing for long.
type idleConn struct {
	net.Conn
	stop func() bool
}

// Read implements net.Conn.
func (c *idleConn) Read(b []byte) (int, error) {
	_ = c.SetReadDeadline(time.Now().Add(idleTimeout))
	n, err := c.Conn.Read(b)
	return n, c.explain(err)
}

// Write implements net.Conn.
func (c *idleConn) Write(b []byte) (int, error) {
	_ = c.SetDeadline(time.Now().Add(idleTimeout)) // reads wait for what is answered to this
	n, err := c.Conn.Write(b)
	return n, c.explain(err)
}

// explain returns an error without the addresses of the connection.
func (c *idleConn) explain(err error) error {
	var network *net.OpError
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		return fmt.Errorf("no answer within %s", idleTimeout)
	case errors.As(err, &network):
		return network.Err
	}
	return err
}

// Close implements net.Conn.
func (c *idleConn) Close() error {
	c.stop()
	return c.Conn.Close()
}
