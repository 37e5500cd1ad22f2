// Package directory asks an LDAP server who is in a group.
//
// Where the server is, the operator says in the environment of hewd, who may well mean a machine of his own network. What
// users say never becomes a part of the address; hence requests do not go through package outbound, which keeps those away
// from what is local. A cn or a filter, which users do say, only narrows a search below the base that the operator gave.
package directory

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/go-ldap/ldap/v3"
)

// Config is where the server is, and how it is asked.
type Config struct {
	Provider string // what links and identities call it (ldapmain)
	URL      string // ldap://, ldaps://, or ldap+starttls:// with a host and perhaps a port; empty: there is no server
	BindDN   string // who asks; empty: nobody in particular
	Password string
	Base     string // below which everything is
	UID      string // the attribute that holds user names (uid)
	CAFile   string // certificates of authorities to trust, as PEM; empty: those of the system
}

// Server is an LDAP server. Every call makes a connection of its own: calls are rare.
type Server struct {
	config   Config
	address  string // as ldap.DialURL takes it
	tls      *tls.Config
	startTLS bool
}

// patience is how long the server may take for one answer.
const patience = 30 * time.Second

// Open reads the configuration, and sends nothing. Without an address there is no server: nil.
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
		return nil, fmt.Errorf("the address of the LDAP server: %w", err)
	}
	s := &Server{config: c, startTLS: u.Scheme == "ldap+starttls"}
	switch {
	case u.Scheme != "ldap" && u.Scheme != "ldaps" && !s.startTLS || u.Hostname() == "":
		return nil, fmt.Errorf("the address of the LDAP server is %q: ldap://HOST, ldaps://HOST or ldap+starttls://HOST is needed", c.URL)
	case u.User != nil:
		return nil, fmt.Errorf("the address of the LDAP server has credentials in it: say them by HEWD_LDAP_BIND_DN and HEWD_LDAP_PASSWORD")
	case c.Base == "":
		return nil, fmt.Errorf("the LDAP server needs a base to search below: say it by HEWD_LDAP_BASE, such as dc=example,dc=com")
	}
	s.tls = &tls.Config{ServerName: u.Hostname(), MinVersion: tls.VersionTLS12}
	if c.CAFile != "" {
		text, err := os.ReadFile(c.CAFile)
		if err != nil {
			return nil, fmt.Errorf("the certificates that the LDAP server is trusted by: %w", err)
		}
		s.tls.RootCAs = x509.NewCertPool()
		if !s.tls.RootCAs.AppendCertsFromPEM(text) {
			return nil, fmt.Errorf("the certificates that the LDAP server is trusted by: %s holds none as PEM", c.CAFile)
		}
	}
	if s.startTLS {
		u.Scheme = "ldap"
	}
	s.address = u.String()
	return s, nil
}

// Provider is what links and identities call the server.
func (s *Server) Provider() string { return s.config.Provider }

// Session is a connection to the server on which somebody asks. It ends with its context or by Close.
type Session struct {
	*Server
	conn *ldap.Conn
	stop func() bool
}

// Connect begins a session.
func (s *Server) Connect(ctx context.Context) (_ *Session, err error) {
	conn, err := ldap.DialURL(s.address, ldap.DialWithTLSConfig(s.tls), ldap.DialWithDialer(&net.Dialer{Timeout: patience}))
	if err != nil {
		return nil, fmt.Errorf("reach the LDAP server: %w", err)
	}
	session := &Session{Server: s, conn: conn, stop: context.AfterFunc(ctx, func() { _ = conn.Close() })}
	defer func() {
		if err != nil {
			session.Close()
		}
	}()
	conn.SetTimeout(patience)
	if s.startTLS {
		if err := conn.StartTLS(s.tls); err != nil {
			return nil, fmt.Errorf("encrypt what is said to the LDAP server: %w", err)
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
	_ = s.conn.Close() // nothing of it is left to be lost
}

// CheckFilter says what is wrong with a filter, if anything.
func CheckFilter(filter string) error {
	_, err := ldap.CompileFilter(enclosed(filter))
	return err
}

// enclosed is a filter with the parentheses that people leave out.
func enclosed(filter string) string {
	filter = strings.TrimSpace(filter)
	if strings.HasPrefix(filter, "(") {
		return filter
	}
	return "(" + filter + ")"
}
