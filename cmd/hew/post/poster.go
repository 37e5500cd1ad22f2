package post

import (
	"fmt"
	"strings"

	"hew/provider/client"
)

// posting is one sort of thing that hew writes beside an answer, such as the notes
// of a merge request.
type posting struct {
	what    string   // "notes on acme/infra!12"
	missing string   // why it may be that there is no place for it
	token   string   // the variable that has one of its own
	writes  []string // the requests that it takes
}

// poster is a client that writes one sort of thing, and nothing else: it sends no
// other writes than those that are named.
type poster struct {
	*client.Client
	posting
}

// poster makes one for a host. Where no token of its own is set that of HEW_TOKEN
// serves, if it may: plain says so.
func (e Env) poster(of posting, host string, plain bool) (*poster, error) {
	c := client.FromEnv(e.lookup)
	if token := strings.TrimSpace(e.Vars[of.token]); token != "" {
		c.Token, c.TokenFrom = token, of.token
	} else if !plain {
		c.Token = ""
	}
	switch {
	case c.Token == "" && plain:
		return nil, fmt.Errorf("no token is set to write it with. Set HEW_TOKEN, or %s if that of HEW_TOKEN may only read", of.token)
	case c.Token == "":
		return nil, fmt.Errorf("no token is set to write it with. Set %s: that of HEW_TOKEN is for another host than %s, or nobody can tell", of.token, host)
	}
	c.BaseURL, c.URLFrom, c.UserAgent, c.Log = host, "the host of the project", "hew/"+e.Version, e.Log
	c.ReadOnly, c.Writes = true, of.writes
	made, err := client.New(c)
	return &poster{made, of}, err
}

// explain says what a refusal means.
func (p *poster) explain(err error) error {
	switch {
	case client.IsNotFound(err):
		return fmt.Errorf("%w. %s", err, p.missing)
	case client.IsForbidden(err) || client.IsUnauthorized(err):
		return fmt.Errorf("%w. A token that may write %s, with the scope api, goes into %s", err, p.what, p.token)
	}
	return err
}
