package client

import (
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"path"
	"strings"
	"time"
)

// Config says which host a [Client] talks to and how. Only BaseURL is required.
type Config struct {
	// BaseURL is the address of the host, with or without /api/v4, a trailing
	// slash or a path that the host lives under (https://example.com/git/).
	BaseURL string
	// Token is sent as PRIVATE-TOKEN; empty means anonymous.
	Token string
	// URLFrom and TokenFrom name where the two came from ("HEW_URL", "the
	// provider block"), so that an error can say what to change.
	URLFrom, TokenFrom string

	MaxWidth      int           // most requests in flight; 0 means 64
	AnswerTimeout time.Duration // of one try, until its answer begins; 0 means 30 s
	Timeout       time.Duration // of one try, the body of the answer included; 0 means 90 s
	// after a 5xx or a lost connection; 0 means 4, negative none. Waits that the host asks for do
	// not count
	Retries   int
	ReadOnly  bool   // refuse everything but GET and HEAD, see [ErrReadOnly]
	UserAgent string // empty means "hew"

	// Writes are the requests that a client that only reads may send all the same,
	// by method and template: "POST projects/{project}/issues".
	Writes []string

	// CAFile is a PEM file of authorities trusted beside the system's own;
	// CertFile and KeyFile are the client certificate.
	CAFile, CertFile, KeyFile string

	// Log gets a debug line for every try; secrets are masked. Nil is silent.
	Log *slog.Logger
	// Notify is told of every wait of a second or more when it begins, of one at
	// a time. It must not make requests.
	Notify func(Wait)
	// Silent is called, from a goroutine of its own, when tries are in flight and none was sent or
	// answered for 10 s. It must not make requests.
	Silent func(Silence)
	// Transport replaces the network; nil is what everyone but tests wants.
	Transport http.RoundTripper
}

// FromEnv reads the host, the token and the TLS files from environment
// variables through lookup (usually os.LookupEnv). The first variable that is
// set and not empty wins; CI_API_V4_URL is what a CI job finds itself given.
// Proxies come from the usual variables when the connection is made.
func FromEnv(lookup func(string) (string, bool)) Config {
	first := func(names ...string) (value, name string) {
		for _, name := range names {
			if value, _ := lookup(name); strings.TrimSpace(value) != "" {
				return strings.TrimSpace(value), name
			}
		}
		return "", ""
	}
	var c Config
	c.BaseURL, c.URLFrom = first("HEW_URL", "GITLAB_BASE_URL", "CI_API_V4_URL")
	c.Token, c.TokenFrom = first("HEW_TOKEN", "GITLAB_TOKEN")
	c.CAFile, _ = first("HEW_CA_FILE")
	c.CertFile, _ = first("HEW_CLIENT_CERT")
	c.KeyFile, _ = first("HEW_CLIENT_KEY")
	return c
}

func (c Config) withDefaults() Config {
	or := func(n, otherwise int) int {
		if n == 0 {
			return otherwise
		}
		return max(n, 0)
	}
	c.MaxWidth = max(or(c.MaxWidth, 64), 1)
	c.Retries = or(c.Retries, 4)
	if c.Timeout <= 0 {
		c.Timeout = 90 * time.Second
	}
	if c.AnswerTimeout <= 0 {
		c.AnswerTimeout = 30 * time.Second
	}
	c.AnswerTimeout = min(c.AnswerTimeout, c.Timeout)
	if c.UserAgent == "" {
		c.UserAgent = "hew"
	}
	if c.URLFrom == "" {
		c.URLFrom = "base_url"
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	c.Token = strings.TrimSpace(c.Token)
	return c
}

// check refuses a token that cannot be a header, without repeating it.
func (c Config) check() error {
	if strings.ContainsFunc(c.Token, func(r rune) bool { return r <= ' ' || r > '~' }) {
		from := c.TokenFrom
		if from == "" {
			from = "token"
		}
		return fmt.Errorf("%s contains a space, a line break or a character that tokens never have; check that "+
			"only the token was pasted", from)
	}
	if (c.CertFile == "") != (c.KeyFile == "") {
		return fmt.Errorf("a client certificate requires both HEW_CLIENT_CERT and HEW_CLIENT_KEY; only one is set")
	}
	return nil
}

// host brings every spelling of a base URL to one: lower-case host, no default
// port, no /api/v4, no trailing slash. What it complains about may hold a
// password, so it never quotes a URL that has an @.
func (c Config) host() (*url.URL, error) {
	raw := strings.TrimSpace(c.BaseURL)
	quoted := fmt.Sprintf("%q", raw)
	if strings.Contains(raw, "@") {
		quoted = "the URL"
	}
	switch {
	case raw == "":
		return nil, fmt.Errorf("no host is configured; set HEW_URL to its address, such as https://git.example.com")
	case !strings.Contains(raw, "://"):
		return nil, fmt.Errorf("%s: %s has no scheme; start it with https://", c.URLFrom, quoted)
	}
	u, err := url.Parse(raw)
	switch {
	case err != nil || u.Hostname() == "":
		return nil, fmt.Errorf("%s: %s is not a URL such as https://git.example.com", c.URLFrom, quoted)
	case u.Scheme != "http" && u.Scheme != "https":
		return nil, fmt.Errorf("%s: the scheme %s:// is not supported; use https://", c.URLFrom, u.Scheme)
	case u.RawQuery != "" || u.Fragment != "":
		return nil, fmt.Errorf("%s: %s must not have a query or fragment; remove everything from ? or # on", c.URLFrom,
			quoted)
	}
	u.Host = strings.ToLower(u.Host)
	if port := map[string]string{"http": ":80", "https": ":443"}[u.Scheme]; strings.HasSuffix(u.Host, port) {
		u.Host = strings.TrimSuffix(u.Host, port)
	}
	u.Path = strings.TrimSuffix(path.Clean("/"+u.Path), "/")
	u.Path = strings.TrimSuffix(strings.TrimSuffix(u.Path, "/api/v4"), "/")
	u.RawPath = ""
	return u, nil
}
