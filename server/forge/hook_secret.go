package forge

import (
	"regexp"
	"slices"
	"strings"

	"hew/server/fault"
	"hew/server/store"
)

// HookSecret is a URL variable or a custom header of a hook, in clear.
type HookSecret struct{ Key, Value string }

// HookPart is one of the two lists of secrets that a hook has.
type HookPart struct {
	of      func(*store.Hook) *store.HookVariables
	sound   func(HookSecret) bool
	most    int
	unsound func() error
}

var (
	headerKey   = regexp.MustCompile(`^[A-Za-z0-9-]{1,255}$`)
	variableKey = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_.-]{0,254}$`)
)

// unsent are headers that say how a delivery travels: they are the client's, and would be dropped in silence.
var unsent = []string{"connection", "content-length", "host", "te", "trailer", "transfer-encoding", "upgrade"}

// The lists: what goes into the head of a delivery, and what stands for {names} in the url (gaps §4.4).
var (
	HookHeaders = HookPart{
		func(h *store.Hook) *store.HookVariables { return &h.CustomHeaders },
		func(v HookSecret) bool {
			return headerKey.MatchString(v.Key) && !slices.Contains(unsent, strings.ToLower(v.Key)) && sendable(v.Value)
		}, 20,
		func() error { return fault.Unprocessable("Custom headers validation failed").In(fault.Parameter) },
	}
	HookVariables = HookPart{
		func(h *store.Hook) *store.HookVariables { return &h.URLVariables },
		func(v HookSecret) bool { return variableKey.MatchString(v.Key) && len(v.Value) <= mostValue }, 100,
		func() error {
			return fault.Unprocessable("").On("url_variables",
				"must have keys of letters, digits, '_', '-' and '.', values of at most 2048 characters, and be 100 at most")
		},
	}
)

// mostValue is how many bytes a secret may have.
const mostValue = 2048

// sendable says whether a secret may be the value of a header.
func sendable(value string) bool {
	return len(value) <= mostValue && strings.IndexFunc(value, isControl) < 0
}

// isControl says whether a sign may not be in a header: such a hook could never be sent.
func isControl(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }

// Set sets one secret of a hook, new or not.
func (p HookPart) Set(st *store.Store, secret HookSecret) func(*store.Hook) error {
	return func(h *store.Hook) error { return p.set(st, h, []HookSecret{secret}) }
}

// Delete removes a secret from a hook that has it.
func (p HookPart) Delete(key string) func(*store.Hook) error {
	return func(h *store.Hook) error {
		if !p.of(h).Delete(key) {
			return fault.NotFound("")
		}
		return nil
	}
}

// set merges secrets into the list of a hook, or says what is wrong with them.
func (p HookPart) set(st *store.Store, h *store.Hook, secrets []HookSecret) error {
	list := p.of(h)
	for _, v := range secrets {
		list.Set(st.HookVariable(*h, v.Key, v.Value))
		if !p.sound(v) || len(*list) > p.most {
			return p.unsound()
		}
	}
	return nil
}

// HookSecrets are what is told of a hook and never shown again. What is nil is not told.
type HookSecrets struct {
	URL       *string // as there may be a password in it
	Token     *string // an empty one takes the token away
	Variables []HookSecret
	Headers   []HookSecret
}

// Into seals into a hook what was told of it. Variables and headers are merged into those there are.
func (told HookSecrets) Into(st *store.Store, h *store.Hook) error {
	if err := told.address(st, h); err != nil {
		return err
	}
	if told.Token != nil {
		if !sendable(*told.Token) {
			return fault.Unprocessable("").On("token", "must have no control characters and at most 2048 bytes")
		}
		st.SetHookToken(h, *told.Token)
	}
	if err := HookHeaders.set(st, h, told.Headers); err != nil {
		return err
	}
	return HookVariables.set(st, h, told.Variables)
}

// address moves a hook, if it is told a url that it does not have. A token, and variables and headers, are for one address:
// at a new one the hook starts without them unless they come along.
func (told HookSecrets) address(st *store.Store, h *store.Hook) error {
	if told.URL == nil || *told.URL == h.URL && h.SealedURL != nil { // as it is shown, it is the one there is
		return nil
	}
	was, err := st.HookURL(*h)
	if err != nil || *told.URL == was {
		return err
	}
	// A password that was shown for another address is the mask, and no password.
	if shown, secret := store.MaskURL(*told.URL); secret && shown == *told.URL {
		return invalidURL()
	}
	st.SetHookURL(h, *told.URL)
	st.SetHookToken(h, "")
	if told.Variables == nil {
		h.URLVariables = store.HookVariables{}
	}
	if told.Headers == nil {
		h.CustomHeaders = store.HookVariables{}
	}
	return nil
}
