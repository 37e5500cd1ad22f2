package hook

import (
	"net/url"
	"slices"
	"strings"

	"hew/schema/catalogue"
	"hew/server/db"
	"hew/server/fault"
	"hew/server/setting"
)

// Secret is a URL variable or a custom header of a hook in plain text.
type Secret struct{ Key, Value string }

// SecretList is one of the two lists of secrets of a hook.
type SecretList struct {
	of      func(*Hook) *Variables
	secrets func(Secret) Secrets
	check   func(key, value string) error
	most    int
	invalid func() error
}

// The lists: headers of the request, and values of the {names} in the URL (gaps §4.4).
var (
	HeaderList = SecretList{
		func(h *Hook) *Variables { return &h.CustomHeaders },
		func(v Secret) Secrets { return Secrets{Headers: []Secret{v}} },
		catalogue.CheckHookHeader, catalogue.MostHookHeaders,
		func() error { return fault.Unprocessable("Custom headers validation failed").In(fault.Parameter) },
	}
	URLVariableList = SecretList{
		func(h *Hook) *Variables { return &h.URLVariables },
		func(v Secret) Secrets { return Secrets{Variables: []Secret{v}} },
		catalogue.CheckHookVariable, catalogue.MostHookVariables,
		func() error {
			return fault.Unprocessable("").On("url_variables",
				"must have keys of letters, digits, '_', '-' and '.', values of at most 2048 characters, and be 100 "+
					"at most")
		},
	}
)

// Set returns a change that adds one secret, or replaces the one with its key.
func (p SecretList) Set(st *db.Store, secret Secret) func(*Hook) error {
	return func(h *Hook) error { return p.secrets(secret).Into(st, h) }
}

// Delete returns a change that removes a secret. It returns a not-found fault if there is none.
func (p SecretList) Delete(st *db.Store, key string) func(*Hook) error {
	return func(h *Hook) error {
		return Secrets{}.keepSecretsWithHost(st, h, func() error {
			if !p.of(h).Delete(key) {
				return fault.NotFound("")
			}
			return nil
		})
	}
}

// set merges secrets into the list of a hook. It fails if one is invalid or there are too many.
func (p SecretList) set(st *db.Store, h *Hook, secrets []Secret) error {
	list := p.of(h)
	for _, v := range secrets {
		list.Set(SealVariable(st, *h, v.Key, v.Value))
		if p.check(v.Key, v.Value) != nil || len(*list) > p.most {
			return p.invalid()
		}
	}
	return nil
}

// Secrets holds values of a hook that are never shown again. Nil leaves a value as it is.
type Secrets struct {
	URL       *string // it may contain a password
	Token     *string // an empty one removes the token
	Variables []Secret
	Headers   []Secret
}

// Into seals the given values into a hook. Variables and headers are merged into the present ones.
func (s Secrets) Into(st *db.Store, h *Hook) error {
	err := s.keepSecretsWithHost(st, h, func() error {
		if err := s.setURL(st, h); err != nil {
			return err
		}
		return URLVariableList.set(st, h, s.Variables)
	})
	if err != nil {
		return err
	}
	if s.Token != nil {
		if catalogue.CheckHookToken(*s.Token) != nil {
			return fault.Unprocessable("").On("token", "must have no control characters and at most 2048 bytes")
		}
		SetToken(st, h, *s.Token)
	}
	return HeaderList.set(st, h, s.Headers)
}

// setURL sets a new address. The secrets of the old address are removed.
func (s Secrets) setURL(st *db.Store, h *Hook) error {
	if s.URL == nil || *s.URL == h.URL && h.SealedURL != nil { // the masked form of the present address
		return nil
	}
	was, err := PlainURL(st, *h)
	if err != nil || *s.URL == was {
		return err
	}
	// The mask of another address is not a password.
	if shown, secret := MaskURL(*s.URL); secret && shown == *s.URL {
		return setting.InvalidURL()
	}
	setURL(st, h, *s.URL)
	SetToken(st, h, "")
	h.URLVariables, h.CustomHeaders = Variables{}, Variables{}
	return nil
}

// keepSecretsWithHost applies change, which may change the host of the hook by the URL or by a
// variable. If it does, secrets that are not given again are removed: a user who changes the host
// need not know them, and must not learn them that way.
func (s Secrets) keepSecretsWithHost(st *db.Store, h *Hook, change func() error) error {
	before, err := destination(st, *h)
	if err != nil {
		return err
	}
	if err := change(); err != nil {
		return err
	}
	after, err := destination(st, *h)
	if err != nil || after == before {
		return err
	}
	if h.SealedURL != nil { // the password in it can only be removed with the URL
		url, err := PlainURL(st, *h)
		switch {
		case err != nil:
			return err
		case s.URL == nil || *s.URL != url:
			return fault.Unprocessable("").On(
				"url", "must be given with its password if its variables lead to another host",
			)
		}
	}
	SetToken(st, h, "")
	h.CustomHeaders = Variables{}
	h.URLVariables = slices.DeleteFunc(slices.Clone(h.URLVariables), func(v Variable) bool {
		return !slices.ContainsFunc(s.Variables, func(t Secret) bool { return t.Key == v.Key })
	})
	return nil
}

// destination returns the scheme and host of a hook's address with its variables filled in, or the
// whole address if it is not valid.
func destination(st *db.Store, h Hook) (string, error) {
	address, _, err := hookAddress(st, h)
	if err != nil {
		return "", err
	}
	u, err := url.Parse(address)
	if err != nil {
		return address, nil
	}
	return strings.ToLower(u.Scheme + "://" + u.Host), nil
}
