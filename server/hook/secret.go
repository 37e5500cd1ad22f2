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

// HookSecret is a URL variable or a custom header of a hook in clear.
type HookSecret struct{ Key, Value string }

// HookPart is one of the two lists of secrets of a hook.
type HookPart struct {
	of      func(*Hook) *HookVariables
	secrets func(HookSecret) HookSecrets
	check   func(key, value string) error
	most    int
	invalid func() error
}

// The lists: what goes into the head of a delivery, and what stands for {names} in the url (gaps
// §4.4).
var (
	HeaderPart = HookPart{
		func(h *Hook) *HookVariables { return &h.CustomHeaders },
		func(v HookSecret) HookSecrets { return HookSecrets{Headers: []HookSecret{v}} },
		catalogue.CheckHookHeader, catalogue.MostHookHeaders,
		func() error { return fault.Unprocessable("Custom headers validation failed").In(fault.Parameter) },
	}
	URLVariablePart = HookPart{
		func(h *Hook) *HookVariables { return &h.URLVariables },
		func(v HookSecret) HookSecrets { return HookSecrets{Variables: []HookSecret{v}} },
		catalogue.CheckHookVariable, catalogue.MostHookVariables,
		func() error {
			return fault.Unprocessable("").On("url_variables",
				"must have keys of letters, digits, '_', '-' and '.', values of at most 2048 characters, and be 100 "+
					"at most")
		},
	}
)

// Set returns a change that sets one secret, new or not.
func (p HookPart) Set(st *db.Store, secret HookSecret) func(*Hook) error {
	return func(h *Hook) error { return p.secrets(secret).Into(st, h) }
}

// Delete returns a change that removes a secret; it fails if there is none.
func (p HookPart) Delete(st *db.Store, key string) func(*Hook) error {
	return func(h *Hook) error {
		return HookSecrets{}.keepSecretsWithHost(st, h, func() error {
			if !p.of(h).Delete(key) {
				return fault.NotFound("")
			}
			return nil
		})
	}
}

// set merges secrets into the list of a hook, or returns what is wrong with them.
func (p HookPart) set(st *db.Store, h *Hook, secrets []HookSecret) error {
	list := p.of(h)
	for _, v := range secrets {
		list.Set(SealHookVariable(st, *h, v.Key, v.Value))
		if p.check(v.Key, v.Value) != nil || len(*list) > p.most {
			return p.invalid()
		}
	}
	return nil
}

// HookSecrets are values of a hook that are never shown again. Nil is not given.
type HookSecrets struct {
	URL       *string // as there may be a password in it
	Token     *string // an empty one takes the token away
	Variables []HookSecret
	Headers   []HookSecret
}

// Into seals the given values into a hook. Variables and headers are merged into the present ones.
func (told HookSecrets) Into(st *db.Store, h *Hook) error {
	err := told.keepSecretsWithHost(st, h, func() error {
		if err := told.setURL(st, h); err != nil {
			return err
		}
		return URLVariablePart.set(st, h, told.Variables)
	})
	if err != nil {
		return err
	}
	if told.Token != nil {
		if catalogue.CheckHookToken(*told.Token) != nil {
			return fault.Unprocessable("").On("token", "must have no control characters and at most 2048 bytes")
		}
		SetHookToken(st, h, *told.Token)
	}
	return HeaderPart.set(st, h, told.Headers)
}

// setURL sets a new address. The secrets of the old address are removed.
func (told HookSecrets) setURL(st *db.Store, h *Hook) error {
	if told.URL == nil || *told.URL == h.URL && h.SealedURL != nil { // as it is shown, it is the one there is
		return nil
	}
	was, err := HookURL(st, *h)
	if err != nil || *told.URL == was {
		return err
	}
	// A password that was shown for another address is the mask, and no password.
	if shown, secret := MaskURL(*told.URL); secret && shown == *told.URL {
		return setting.InvalidURL()
	}
	setHookURL(st, h, *told.URL)
	SetHookToken(st, h, "")
	h.URLVariables, h.CustomHeaders = HookVariables{}, HookVariables{}
	return nil
}

// keepSecretsWithHost applies change, which may change where the hook leads, by a URL or by a
// variable. If it leads to another host afterwards, secrets that are not given again are removed:
// whoever changes the host need not know them, and must not learn them that way.
func (told HookSecrets) keepSecretsWithHost(st *db.Store, h *Hook, change func() error) error {
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
	if h.SealedURL != nil { // the password in it can only be forgotten with the url
		url, err := HookURL(st, *h)
		switch {
		case err != nil:
			return err
		case told.URL == nil || *told.URL != url:
			return fault.Unprocessable("").On(
				"url", "must be given with its password if its variables lead to another host",
			)
		}
	}
	SetHookToken(st, h, "")
	h.CustomHeaders = HookVariables{}
	h.URLVariables = slices.DeleteFunc(slices.Clone(h.URLVariables), func(v HookVariable) bool {
		return !slices.ContainsFunc(told.Variables, func(t HookSecret) bool { return t.Key == v.Key })
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
