package mail

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"log/slog"
	netmail "net/mail"
	"net/url"
	"strconv"
	"time"

	gomail "github.com/wneessen/go-mail"

	"hew/server/db"
)

// Server is a mail server and how messages are sent by it.
type Server struct {
	Base string // the address of this instance, without a trailing slash
	Log  *slog.Logger

	// Roots are the authorities that its certificate is verified with (those of the machine).
	Roots *x509.CertPool

	host           string
	port           int
	user, password string
	from           netmail.Address
	tls            string // one of the following
}

// How the connection is encrypted.
const (
	startTLS    = "starttls" // after a greeting in plain text; the server has to support it
	implicitTLS = "tls"      // from the first byte on: smtps
	plainText   = "none"
)

// timeout limits the connection to the mail server and each of its answers.
const timeout = 30 * time.Second

// Open reads the URL of a mail server, smtp://USER:PASSWORD@HOST:PORT?from=ADDRESS&tls=MODE, and
// connects to nothing. It returns nil without a URL. Errors do not contain the URL, which can hold
// a password.
func Open(address string) (*Server, error) {
	if address == "" {
		return nil, nil
	}
	u, err := url.Parse(address)
	if err != nil {
		return nil, invalid("is not a URL")
	}
	s := &Server{host: u.Hostname(), user: u.User.Username(), from: netmail.Address{Name: "hewd"}}
	s.password, _ = u.User.Password()
	switch {
	case u.Scheme == "smtp":
		s.port, s.tls = 587, startTLS
	case u.Scheme == "smtps":
		s.port, s.tls = 465, implicitTLS
	default:
		return nil, invalid("must begin with smtp:// or smtps://")
	}
	if s.host == "" || u.Path != "" && u.Path != "/" || u.Fragment != "" {
		return nil, invalid("must have a host and no path")
	}
	if text := u.Port(); text != "" {
		if s.port, err = strconv.Atoi(text); err != nil || s.port < 1 || s.port > 65535 {
			return nil, invalid("has an invalid port")
		}
	}
	for name, values := range u.Query() {
		switch value := values[len(values)-1]; {
		case name == "tls" && u.Scheme == "smtp" && (value == startTLS || value == plainText):
			s.tls = value
		case name == "from":
			from, err := netmail.ParseAddress(value)
			if err != nil {
				return nil, invalid("has an invalid from address")
			}
			s.from.Address = from.Address
			if from.Name != "" {
				s.from.Name = from.Name
			}
		default:
			return nil, invalid(fmt.Sprintf(
				"has an invalid parameter %q: use from=ADDRESS and, with smtp://, tls=starttls or tls=none", name,
			))
		}
	}
	if s.from.Address == "" {
		return nil, invalid("has no sender: add ?from=ADDRESS")
	}
	return s, nil
}

func invalid(why string) error {
	return errors.New("invalid mail server: the URL of HEWD_SMTP_URL " + why +
		", such as smtp://USER:PASSWORD@mail.example.com:587?from=hewd@example.com")
}

type serverKey struct{}

// Attach makes Send use a mail server for the messages of a database; nil: it sends none.
func Attach(st *db.Store, s *Server) { st.Attach(serverKey{}, s) }

// attached returns the mail server of a database, or nil.
func attached(st *db.Store) *Server {
	s, _ := st.Attached(serverKey{}).(*Server)
	return s
}

// Enabled reports whether messages of a database are sent at all.
func Enabled(st *db.Store) bool { return attached(st) != nil }

// transmit hands a message to the mail server.
func (s *Server) transmit(ctx context.Context, m *gomail.Msg) error {
	options := []gomail.Option{
		gomail.WithPort(s.port), gomail.WithTimeout(timeout), gomail.WithHELO(hostOf(s.Base)),
		gomail.WithTLSConfig(&tls.Config{ServerName: s.host, RootCAs: s.Roots, MinVersion: tls.VersionTLS12}),
	}
	auth := gomail.SMTPAuthAutoDiscover
	switch s.tls {
	case startTLS:
		options = append(options, gomail.WithTLSPolicy(gomail.TLSMandatory))
	case implicitTLS:
		options = append(options, gomail.WithSSL())
	case plainText:
		options = append(options, gomail.WithTLSPolicy(gomail.NoTLS))
		auth = gomail.SMTPAuthPlainNoEnc // the operator asks for it
	}
	if s.user != "" {
		options = append(options, gomail.WithSMTPAuth(auth),
			gomail.WithUsername(s.user), gomail.WithPassword(s.password))
	}
	client, err := gomail.NewClient(s.host, options...)
	if err != nil {
		return err
	}
	return client.DialAndSendWithContext(ctx, m)
}

// hostOf returns the name of the host that an address is at.
func hostOf(base string) string {
	if u, err := url.Parse(base); err == nil && u.Hostname() != "" {
		return u.Hostname()
	}
	return "localhost"
}
