package mail_test

import (
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net"
	netmail "net/mail"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"
	"github.com/stretchr/testify/require"

	"hew/server/mail"
	"hew/server/servertest"
)

func TestMain(m *testing.M) { servertest.Main(m) }

// post is a mail server on this machine that keeps what it gets.
type post struct {
	address  string
	user     string // user:password that it admits; empty: all
	insecure bool   // it admits users without encryption
	answer   func() error

	mu  sync.Mutex
	got []letter
}

// letter is a mail as it was received.
type letter struct {
	to         []string
	raw        string
	header     netmail.Header
	text, html string
}

func newPost(t *testing.T, set func(*post, *smtp.Server)) *post {
	p := &post{}
	server := smtp.NewServer(p)
	server.Domain = "mail.example.com"
	server.ReadTimeout, server.WriteTimeout = 10*time.Second, 10*time.Second
	server.MaxMessageBytes = 1 << 20
	server.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)
	if set != nil {
		set(p, server)
	}
	server.AllowInsecureAuth = p.insecure
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	p.address = listener.Addr().String()
	go func() { _ = server.Serve(listener) }()
	t.Cleanup(func() { _ = server.Close() })
	return p
}

// attach has a server send its mail to the post.
func (p *post) attach(t *testing.T, s *servertest.Server) *mail.Server {
	m, err := mail.Open("smtp://" + p.address + "?from=hewd@example.com&tls=none")
	require.NoError(t, err)
	m.Base, m.Log = site(s), slog.New(slog.DiscardHandler)
	mail.Attach(s.Store, m)
	t.Cleanup(func() { mail.Attach(s.Store, nil) })
	return m
}

// take returns what came since the last call.
func (p *post) take() []letter {
	p.mu.Lock()
	defer p.mu.Unlock()
	got := p.got
	p.got = nil
	return got
}

// NewSession implements smtp.Backend.
func (p *post) NewSession(*smtp.Conn) (smtp.Session, error) {
	return &session{post: p, in: p.user == ""}, nil
}

type session struct {
	post *post
	in   bool
	to   []string
}

var errSignIn = errors.New("sign in first")

func (s *session) AuthMechanisms() []string { return []string{sasl.Plain} }

func (s *session) Auth(string) (sasl.Server, error) {
	return sasl.NewPlainServer(func(_, user, password string) error {
		if s.in = user+":"+password == s.post.user; !s.in {
			return smtp.ErrAuthFailed
		}
		return nil
	}), nil
}

func (s *session) Mail(string, *smtp.MailOptions) error {
	if !s.in {
		return errSignIn
	}
	return nil
}

func (s *session) Rcpt(to string, _ *smtp.RcptOptions) error {
	s.to = append(s.to, to)
	return nil
}

func (s *session) Data(r io.Reader) error {
	raw, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	if s.post.answer != nil {
		if err := s.post.answer(); err != nil {
			return err
		}
	}
	l, err := read(string(raw))
	l.to = s.to
	s.post.mu.Lock()
	defer s.post.mu.Unlock()
	s.post.got = append(s.post.got, l)
	return err
}

func (s *session) Reset()        { s.to = nil }
func (s *session) Logout() error { return nil }

// read takes a mail apart.
func read(raw string) (letter, error) {
	l := letter{raw: raw}
	m, err := netmail.ReadMessage(strings.NewReader(raw))
	if err != nil {
		return l, err
	}
	l.header = m.Header
	kind, parameters, err := mime.ParseMediaType(m.Header.Get("Content-Type"))
	if err != nil || kind != "multipart/alternative" {
		return l, fmt.Errorf("the message is %q, not multipart/alternative: %w", kind, err)
	}
	for parts := multipart.NewReader(m.Body, parameters["boundary"]); ; {
		part, err := parts.NextRawPart()
		if errors.Is(err, io.EOF) {
			return l, nil
		}
		if err != nil {
			return l, err
		}
		var body []byte
		if body, err = io.ReadAll(quotedprintable.NewReader(part)); err != nil {
			return l, err
		}
		if strings.HasPrefix(part.Header.Get("Content-Type"), "text/html") {
			l.html = string(body)
		} else {
			l.text = string(body)
		}
	}
}

// subject returns the subject in plain text.
func (l letter) subject(t *testing.T) string {
	t.Helper()
	s, err := new(mime.WordDecoder).DecodeHeader(l.header.Get("Subject"))
	require.NoError(t, err)
	return s
}

// leave returns the path at which the recipient leaves the list.
func (l letter) leave(t *testing.T) string {
	t.Helper()
	u, err := url.Parse(strings.Trim(l.header.Get("List-Unsubscribe"), "<>"))
	require.NoError(t, err)
	return u.Path
}

// encrypted has a post offer STARTTLS and admit one user.
func encrypted(certificate tls.Certificate, user string) func(*post, *smtp.Server) {
	return func(p *post, s *smtp.Server) {
		p.user, s.TLSConfig = user, &tls.Config{Certificates: []tls.Certificate{certificate}}
	}
}

// site returns the address of a server, without that of its API.
func site(s *servertest.Server) string { return strings.TrimSuffix(s.URL, "/api/v4") }
