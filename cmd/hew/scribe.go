package main

import (
	"fmt"
	"strings"

	"hew/provider/client"
)

// scribe is a client that writes one sort of thing beside an answer, such as notes,
// and nothing else: it sends no other writes than those that are named. Its token
// is in a variable of its own; plain is whether that of HEW_TOKEN may serve where
// there is none.
func (a *app) scribe(host, variable string, plain bool, writes ...string) (*client.Client, error) {
	c := client.FromEnv(a.lookup)
	if token := strings.TrimSpace(a.env[variable]); token != "" {
		c.Token, c.TokenFrom = token, variable
	} else if !plain {
		c.Token = ""
	}
	switch {
	case c.Token == "" && plain:
		return nil, fmt.Errorf("no token is set to write it with. Set HEW_TOKEN, or %s if that of HEW_TOKEN may only read", variable)
	case c.Token == "":
		return nil, fmt.Errorf("no token is set to write it with. Set %s: that of HEW_TOKEN is for another host than %s, or nobody can tell", variable, host)
	}
	c.BaseURL, c.URLFrom, c.UserAgent, c.Log = host, "the host of the project", "hew/"+version, a.logger()
	c.ReadOnly, c.Writes = true, writes
	return client.New(c)
}

// hiddenMark is a line that nobody sees, by which hew finds again what it wrote: about
// what, and whose it is.
func hiddenMark(command, fingerprint string) string {
	return "<!-- hew " + command + " " + fingerprint + " -->"
}

// marked tells whether a text has a mark on a line of its own. Within a line it
// is a text that somebody wrote, and hew has quoted.
func marked(text, mark string) bool {
	for line := range strings.SplitSeq(text, "\n") {
		if strings.TrimRight(line, "\r") == mark {
			return true
		}
	}
	return false
}

// sameText tells whether two texts differ in more than hosts change of them: how
// lines end, and what is empty at the end.
func sameText(x, y string) bool {
	plain := func(s string) string { return strings.TrimSpace(strings.ReplaceAll(s, "\r\n", "\n")) }
	return plain(x) == plain(y)
}
