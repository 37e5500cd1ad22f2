package hook

import (
	"database/sql/driver"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"hew/server/db"
)

// Variable is a URL variable or a custom header of a hook. Its JSON has the key only.
type Variable struct {
	Key    string `json:"key"`
	Sealed []byte `json:"-"`
}

// Variables is a column of variables. It contains the sealed values, unlike the JSON of the
// API.
type Variables []Variable

// Set adds a variable, or replaces the one with its key.
func (v *Variables) Set(one Variable) {
	i := slices.IndexFunc(*v, func(old Variable) bool { return old.Key == one.Key })
	if i < 0 {
		*v = append(*v, one)
		return
	}
	(*v)[i] = one
}

// Delete removes the variable with the key and reports whether there was one.
func (v *Variables) Delete(key string) bool {
	before := len(*v)
	*v = slices.DeleteFunc(*v, func(one Variable) bool { return one.Key == key })
	return len(*v) < before
}

type storedVariable struct {
	Key   string `json:"key"`
	Value []byte `json:"value"`
}

// Value encodes the column.
func (v Variables) Value() (driver.Value, error) {
	list := make([]storedVariable, len(v))
	for i, one := range v {
		list[i] = storedVariable{one.Key, one.Sealed}
	}
	text, err := json.Marshal(list)
	return string(text), err
}

// Scan decodes the column.
func (v *Variables) Scan(column any) error {
	text, ok := column.([]byte)
	if !ok {
		return fmt.Errorf("hook variables: a column of type %T", column)
	}
	var list []storedVariable
	if err := json.Unmarshal(text, &list); err != nil {
		return err
	}
	*v = make(Variables, len(list))
	for i, one := range list {
		(*v)[i] = Variable{one.Key, one.Value}
	}
	return nil
}

// The places of the secrets, to which their seals are bound. The table had this name when the first
// of them were sealed.
const (
	hookURL    = "project_hooks.sealed_url"
	hookToken  = "project_hooks.token"
	hookValues = "project_hooks.values"
)

// setURL sets the address, and seals it if it contains a password.
func setURL(s *db.Store, h *Hook, url string) {
	shown, secret := MaskURL(url)
	h.URL, h.SealedURL = shown, nil
	if secret {
		h.SealedURL = s.Seal.Seal(hookURL, h.ID, []byte(url))
	}
}

// PlainURL returns the address with its password, for deliveries only.
func PlainURL(s *db.Store, h Hook) (string, error) {
	if h.SealedURL == nil {
		return h.URL, nil
	}
	url, err := s.Seal.Open(hookURL, h.ID, h.SealedURL)
	return string(url), err
}

var variableOnly = regexp.MustCompile(`^\{[^{}]*\}$`)

// MaskURL returns an address with its secret masked, https://user:*****@host/, and reports whether
// it has one. Without a password the name is the secret. A {variable} is not a secret: its value is
// stored elsewhere.
func MaskURL(url string) (shown string, secret bool) {
	scheme, rest, _ := strings.Cut(url, "://")
	end := strings.IndexAny(rest, "/?#")
	if end < 0 {
		end = len(rest)
	}
	at := strings.LastIndexByte(rest[:end], '@')
	if at < 0 {
		return url, false
	}
	name, password, _ := strings.Cut(rest[:at], ":")
	head := scheme + "://"
	if password == "" {
		password = name
	} else {
		head += name + ":"
	}
	if password == "" || variableOnly.MatchString(password) {
		return url, false
	}
	return head + "*****" + rest[at:], true
}

// SetToken seals the token into the hook. An empty one removes it.
func SetToken(s *db.Store, h *Hook, token string) {
	h.Token = nil
	if token != "" {
		h.Token = s.Seal.Seal(hookToken, h.ID, []byte(token))
	}
}

// PlainToken returns the token in plain text, empty if there is none, for deliveries only.
func PlainToken(s *db.Store, h Hook) (string, error) {
	if h.Token == nil {
		return "", nil
	}
	token, err := s.Seal.Open(hookToken, h.ID, h.Token)
	return string(token), err
}

// SealVariable returns a variable or header of the hook with its value sealed.
func SealVariable(s *db.Store, h Hook, key, value string) Variable {
	return Variable{Key: key, Sealed: s.Seal.Seal(hookValues+"."+key, h.ID, []byte(value))}
}

// PlainValue returns the value of a variable or header in plain text, for deliveries only.
func PlainValue(s *db.Store, h Hook, v Variable) (string, error) {
	text, err := s.Seal.Open(hookValues+"."+v.Key, h.ID, v.Sealed)
	return string(text), err
}
