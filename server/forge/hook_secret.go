package forge

import (
	"context"
	"regexp"
	"strings"

	"hew/server/fault"
	"hew/server/store"
)

// HookSecret is a URL variable or a custom header of a hook, in clear.
type HookSecret struct{ Key, Value string }

// HookPart is one of the two lists of secrets that a hook has.
type HookPart struct {
	of      func(*store.ProjectHook) *store.HookVariables
	sound   func(HookSecret) bool
	most    int
	unsound func() error
}

var (
	headerKey   = regexp.MustCompile(`^[A-Za-z0-9-]{1,255}$`)
	variableKey = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_.-]{0,254}$`)
)

// The lists: what goes into the head of a delivery, and what stands for {names} in the url (gaps §4.4).
var (
	HookHeaders = HookPart{
		func(h *store.ProjectHook) *store.HookVariables { return &h.CustomHeaders },
		func(v HookSecret) bool {
			return headerKey.MatchString(v.Key) && len(v.Value) <= 2048 && strings.IndexFunc(v.Value, isControl) < 0
		}, 20,
		func() error { return fault.Unprocessable("Custom headers validation failed").In(fault.Parameter) },
	}
	HookVariables = HookPart{
		func(h *store.ProjectHook) *store.HookVariables { return &h.URLVariables },
		func(v HookSecret) bool { return variableKey.MatchString(v.Key) && len(v.Value) <= 2048 }, 100,
		func() error {
			return fault.Unprocessable("").On("url_variables",
				"must have keys of letters, digits, '_', '-' and '.', values of at most 2048 characters, and be 100 at most")
		},
	}
)

// isControl says whether a sign may not be in a header: such a hook could never be sent.
func isControl(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }

// set merges secrets into the list of a hook, or says what is wrong with them.
func (p HookPart) set(st *store.Store, h *store.ProjectHook, secrets []HookSecret) error {
	list := p.of(h)
	for _, v := range secrets {
		list.Set(st.HookVariable(*h, v.Key, v.Value))
		if !p.sound(v) || len(*list) > p.most {
			return p.unsound()
		}
	}
	return nil
}

// SetHookSecret sets one secret of a hook, new or not.
func SetHookSecret(ctx context.Context, st *store.Store, projectID, id int64, p HookPart, secret HookSecret) error {
	_, err := editHook(ctx, st, projectID, id, func(st *store.Store, h *store.ProjectHook) error {
		return p.set(st, h, []HookSecret{secret})
	})
	return err
}

// DeleteHookSecret removes a secret from a hook that has it.
func DeleteHookSecret(ctx context.Context, st *store.Store, projectID, id int64, p HookPart, key string) error {
	_, err := editHook(ctx, st, projectID, id, func(_ *store.Store, h *store.ProjectHook) error {
		if !p.of(h).Delete(key) {
			return fault.NotFound("")
		}
		return nil
	})
	return err
}
