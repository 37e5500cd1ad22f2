// Package directory reads the members of groups from an LDAP server.
//
// The operator configures the address of the server, which may well be in a private network. So
// requests do not go through package outbound, which refuses such addresses. Users set only a cn or
// a filter, and these narrow a search below the base that the operator configured.
package directory

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/go-ldap/ldap/v3"
)

// Config holds the address of the server and how to search it.
type Config struct {
	Provider string // name of the server in links and identities (ldapmain)
	URL      string // ldap://, ldaps:// or ldap+starttls:// with a host and an optional port; empty: there is no server
	BindDN   string // entry to sign in as; empty: anonymous
	Password string
	Base     string // entry below which all searches take place
	UID      string // attribute that holds user names (uid)
	CAFile   string // PEM file of the certificate authorities to trust; empty: those of the system
}

// Server is an LDAP server. Each session opens a connection: sessions are rare.
type Server struct {
	config   Config
	address  string // as ldap.DialURL takes it
	tls      *tls.Config
	startTLS bool
}

// timeout limits connecting, and each answer.
const timeout = 30 * time.Second

// Open checks the configuration and sends nothing. Without a URL it returns nil.
func Open(c Config) (*Server, error) {
	if c.URL == "" {
		return nil, nil
	}
	if c.Provider == "" {
		c.Provider = "ldapmain"
	}
	if c.UID == "" {
		c.UID = "uid"
	}
	u, err := url.Parse(c.URL)
	if err != nil {
		return nil, fmt.Errorf("invalid LDAP URL: %w", err)
	}
	s := &Server{config: c, startTLS: u.Scheme == "ldap+starttls"}
	switch {
	case u.Scheme != "ldap" && u.Scheme != "ldaps" && !s.startTLS || u.Hostname() == "":
		return nil, fmt.Errorf("invalid LDAP URL %q: "+
			"set HEWD_LDAP_URL to ldap://HOST, ldaps://HOST or ldap+starttls://HOST", c.URL)
	case u.User != nil:
		return nil, errors.New("the LDAP URL contains credentials: " +
			"set HEWD_LDAP_BIND_DN and HEWD_LDAP_PASSWORD instead")
	case c.Base == "":
		return nil, errors.New("the LDAP base is missing: " +
			"set HEWD_LDAP_BASE to the entry to search below, such as dc=example,dc=com")
	}
	s.tls = &tls.Config{ServerName: u.Hostname(), MinVersion: tls.VersionTLS12}
	if c.CAFile != "" {
		text, err := os.ReadFile(c.CAFile)
		if err != nil {
			return nil, fmt.Errorf("read the LDAP certificate authorities: %w", err)
		}
		s.tls.RootCAs = x509.NewCertPool()
		if !s.tls.RootCAs.AppendCertsFromPEM(text) {
			return nil, fmt.Errorf("no PEM certificate in the LDAP certificate authorities file %s", c.CAFile)
		}
	}
	if s.startTLS {
		u.Scheme = "ldap"
	}
	s.address = u.String()
	return s, nil
}

// Provider returns the name of the server in links and identities.
func (s *Server) Provider() string { return s.config.Provider }

// Session is a connection to the server, signed in. It ends with the context of Connect or with
// Close.
type Session struct {
	*Server
	conn *ldap.Conn
	stop func() bool
}

// Connect opens a session. The caller closes it.
func (s *Server) Connect(ctx context.Context) (_ *Session, err error) {
	conn, err := ldap.DialURL(s.address, ldap.DialWithTLSConfig(s.tls),
		ldap.DialWithDialer(&net.Dialer{Timeout: timeout}))
	if err != nil {
		return nil, fmt.Errorf("reach the LDAP server: %w", err)
	}
	session := &Session{Server: s, conn: conn, stop: context.AfterFunc(ctx, func() { _ = conn.Close() })}
	defer func() {
		if err != nil {
			session.Close()
		}
	}()
	conn.SetTimeout(timeout)
	if s.startTLS {
		if err := conn.StartTLS(s.tls); err != nil {
			return nil, fmt.Errorf("start TLS with the LDAP server: %w", err)
		}
	}
	if s.config.BindDN != "" {
		if err := conn.Bind(s.config.BindDN, s.config.Password); err != nil {
			return nil, fmt.Errorf("sign in to the LDAP server: %w", err)
		}
	}
	return session, nil
}

// Close ends the session.
func (s *Session) Close() {
	s.stop()
	_ = s.conn.Close() // there is nothing left to send
}

// CheckFilter returns what is wrong with a filter, or nil.
func CheckFilter(filter string) error {
	_, err := ldap.CompileFilter(parenthesized(filter))
	return err
}

// parenthesized returns the filter with the outer parentheses, which users may leave out.
func parenthesized(filter string) string {
	filter = strings.TrimSpace(filter)
	if strings.HasPrefix(filter, "(") {
		return filter
	}
	return "(" + filter + ")"
}
