package session

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"hew/provider/client"
	"hew/reconcile/ledger"
	"hew/reconcile/report"
)

// blockToken is what names the origin of a token in the provider block.
const blockToken = "the provider block"

// The tokens and passwords of the environment go only to hosts that the environment names. A
// proposed change of the configuration is planned with them, and must not be able to choose who
// gets them. What the configuration holds itself it may send anywhere.

// checkTokenHost refuses a host that only the configuration names if the token is not its own.
func (e Env) checkTokenHost(c client.Config, at hcl.Range) hcl.Diagnostics {
	if c.Token == "" || c.TokenFrom == blockToken {
		return nil
	}
	given, err := hostURL(c.BaseURL)
	if err != nil {
		return nil // the client reports it
	}
	env := client.FromEnv(e.Lookup)
	named, err := hostURL(env.BaseURL)
	if err == nil && named == given {
		return nil
	}
	now := "HEW_URL is not set"
	if env.BaseURL != "" {
		now = fmt.Sprintf("%s names another host", env.URLFrom)
	}
	d := report.Problem("Host not named by environment",
		"hew does not send %s to %s, because only base_url in the provider block names that host, "+
			"and a change of the configuration could take the token. %s. Set HEW_URL to the host that the token is "+
			"for.",
		c.TokenFrom, given, now)
	d.Subject = &at
	return hcl.Diagnostics{d}
}

// hostURL returns the address of a host in the spelling of [client.Client.URL].
func hostURL(raw string) (string, error) {
	c, err := client.New(client.Config{BaseURL: raw})
	if err != nil {
		return "", err
	}
	return c.URL(), nil
}

// checkLedgerHosts refuses addresses of a ledger on hosts that only the configuration names, if the
// environment provides what the ledger is signed in with.
func (e Env) checkLedgerHosts(args *ledgerArgs, c ledger.HTTPConfig, host client.Config) {
	secret := ""
	switch {
	case args.isSet("password"):
	case e.Environ["TF_HTTP_PASSWORD"] != "":
		secret = "TF_HTTP_PASSWORD"
	case c.Password != "" && host.TokenFrom != blockToken:
		secret = host.TokenFrom
	}
	if secret == "" {
		return
	}
	trusted := []string{origin(client.FromEnv(e.Lookup).BaseURL), origin(e.Environ["TF_HTTP_ADDRESS"]),
		origin(e.Environ["TF_HTTP_LOCK_ADDRESS"]), origin(e.Environ["TF_HTTP_UNLOCK_ADDRESS"])}
	for _, a := range []struct{ name, address string }{
		{"address", c.Address}, {"lock_address", c.LockAddress}, {"unlock_address", c.UnlockAddress},
	} {
		if at := origin(a.address); at != "" && !slices.Contains(trusted, at) {
			args.fail(a.name, "hew does not send %s to %s, because only %s of the ledger block names that host, "+
				"and a change of the configuration could take it. Set HEW_URL or TF_HTTP_ADDRESS to an address of the "+
				"host, or set password in the block.", secret, at, a.name)
		}
	}
}

// origin returns the scheme and host of a URL, or "" for text that is none.
func origin(raw string) string {
	u, err := url.Parse(strings.TrimSpace(raw))
	if err != nil || u.Host == "" {
		return ""
	}
	return strings.ToLower(u.Scheme + "://" + u.Host)
}

// checkDatabaseHost refuses a database on a host that only the configuration names, if the password
// is that of the environment.
func (e Env) checkDatabaseHost(args *ledgerArgs, address string) {
	if !args.isSet("url") || e.Environ["PGPASSWORD"] == "" {
		return
	}
	if u, err := url.Parse(address); err == nil && u.User != nil {
		if _, own := u.User.Password(); own {
			return
		}
	}
	own := ledger.DatabaseHosts(address)
	for _, named := range []string{e.Environ["HEW_LEDGER_URL"], e.Environ["PG_CONN_STR"]} {
		if named != "" && subset(own, ledger.DatabaseHosts(named)) {
			return
		}
	}
	if subset(own, strings.Split(e.Environ["PGHOST"], ",")) {
		return
	}
	args.fail("url", "hew does not send PGPASSWORD to %s, because only url of the ledger block names that host, "+
		"and a change of the configuration could take the password. Set PGHOST to the host, or leave url out and set "+
		"HEW_LEDGER_URL.", cmp.Or(strings.Join(own, ", "), "the database"))
}

func subset(part, whole []string) bool {
	return !slices.ContainsFunc(part, func(s string) bool { return !slices.Contains(whole, s) })
}
