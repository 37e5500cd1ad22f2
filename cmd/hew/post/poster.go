package post

import (
	"fmt"
	"strings"

	"hew/provider/client"
)

// posting is one kind of object that package post writes, such as the notes of a merge request.
type posting struct {
	what    string   // "notes on acme/infra!12"
	missing string   // what a 404 may mean
	token   string   // the variable with a token for it
	writes  []string // the requests that write it
}

// poster is a client that can write one kind of object and nothing else.
type poster struct {
	*client.Client
	posting
}

// poster returns a poster for a host. If the posting has no token, HEW_TOKEN is used, provided that
// managed says that the host is the one that hew manages.
func (e Env) poster(of posting, host string, managed bool) (*poster, error) {
	c := client.FromEnv(e.lookup)
	if token := strings.TrimSpace(e.Vars[of.token]); token != "" {
		c.Token, c.TokenFrom = token, of.token
	} else if !managed {
		c.Token = ""
	}
	switch {
	case c.Token == "" && managed:
		return nil, fmt.Errorf("missing token. Set HEW_TOKEN, or %s if HEW_TOKEN can only read", of.token)
	case c.Token == "":
		return nil, fmt.Errorf("missing token. Set %s to a token of %s; hew sends HEW_TOKEN only to the host that it "+
			"manages", of.token, host)
	}
	c.BaseURL, c.URLFrom, c.UserAgent, c.Log = host, "the host of the project", "hew/"+e.Version, e.Log
	c.ReadOnly, c.Writes = true, of.writes
	made, err := client.New(c)
	return &poster{made, of}, err
}

// namesHost reports whether the environment names a host, in the spelling of [client.Client.URL].
func (e Env) namesHost(host string) bool {
	for _, named := range []string{client.FromEnv(e.lookup).BaseURL, e.Vars[forgeURL]} {
		if c, err := client.New(client.Config{BaseURL: named}); err == nil && c.URL() == host {
			return true
		}
	}
	return false
}

// explain adds the likely reason to an error of the host.
func (p *poster) explain(err error) error {
	switch {
	case client.IsNotFound(err):
		return fmt.Errorf("%w. %s", err, p.missing)
	case client.IsForbidden(err) || client.IsUnauthorized(err):
		return fmt.Errorf("%w. Set %[3]s to a token of scope api that can write %[2]s", err, p.what, p.token)
	}
	return err
}
