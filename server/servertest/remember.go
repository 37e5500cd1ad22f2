package servertest

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
)

// remember gives names to what an answer made.
func (s *scene) remember(name string, r Reply) {
	var made struct {
		ID     any    `json:"id"` // a number; of a commit, its hash
		Short  string `json:"short_id"`
		Target string `json:"target"` // of a tag, which has no id
		Token  string `json:"token"`
		Key    string `json:"authorization_key"`
		URL    string `json:"url"`
		DSN    string `json:"sentry_dsn"` // has the key
	}
	d := json.NewDecoder(bytes.NewReader(bytes.TrimSuffix(bytes.TrimPrefix(r.Body, []byte("[")), []byte("]"))))
	d.UseNumber()
	err := d.Decode(&made)
	id := cmp.Or(made.Target, made.Token)
	if made.ID != nil {
		id = fmt.Sprint(made.ID)
	}
	if err != nil || id == "" {
		s.t.Fatalf("=> %s: neither id nor token in status %d: %s", name, r.Status, r.Body)
	}
	for value, taken := range s.names {
		if taken == name && value != id {
			s.t.Fatalf("=> %s: the name is taken", name)
		}
	}
	if id != made.Token {
		s.names[id] = name
	}
	if made.Short != "" {
		s.names[made.Short] = name + ".short"
	}
	if dsn, err := url.Parse(made.DSN); err == nil && dsn.User != nil {
		made.Key = dsn.User.Username()
	}
	if token := cmp.Or(made.Token, made.Key); token != "" {
		s.names[token] = name + ".token"
	}
	if strings.HasPrefix(made.URL, s.server.Server.URL()) {
		s.names[made.URL] = name + ".url"
	}
}
