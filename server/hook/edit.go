package hook

import (
	"bytes"
	"context"
	"fmt"
	"regexp"
	"strings"

	"hew/schema/catalogue"
	"hew/server/check"
	"hew/server/db"
	"hew/server/fault"
	"hew/server/outbound"
	"hew/server/setting"
)

// hookLimits limits the hooks of one group and of one project (gaps §3.3). Those of the instance
// are not limited.
var hookLimits = map[string]int{"group": 50, "project": 100}

// CreateHook creates a hook of a group, a project or the instance; fill completes it (gaps §3.3,
// §4.4).
func CreateHook(ctx context.Context, st *db.Store, c db.Container, fill func(*Hook) error) (h Hook, err error) {
	err = st.Tx(ctx, func(st *db.Store) error {
		if err := checkHookLimit(ctx, st, c); err != nil {
			return err
		}
		if h, err = NewHook(ctx, st, c); err != nil {
			return err
		}
		if err := fill(&h); err != nil {
			return err
		}
		if err := checkHook(ctx, st, Hook{}, h); err != nil {
			return err
		}
		h, err = Hooks(st, c).Create(ctx, h)
		return err
	})
	return h, err
}

// ChangeHook applies change to a hook of a group, a project or the instance and stores it.
func ChangeHook(
	ctx context.Context, st *db.Store, c db.Container, id int64, change func(*Hook) error,
) (Hook, error) {
	return Hooks(st, c).Change(ctx, db.ByID(id), func(st *db.Store, h *Hook) error {
		was := *h
		if err := change(h); err != nil {
			return err
		}
		return checkHook(ctx, st, was, *h)
	})
}

// checkHookLimit returns a fault if a group or project has as many hooks as the limit.
func checkHookLimit(ctx context.Context, st *db.Store, c db.Container) error {
	most, limited := hookLimits[c.Kind()]
	if !limited {
		return nil
	}
	n, err := Hooks(st, c).Count(ctx)
	if err == nil && n >= most {
		err = fault.Unprocessable("").On("base", fmt.Sprintf("Maximum number of %s hooks (%d) exceeded", c.Kind(), most))
	}
	return err
}

// checkHook returns the problems of a hook. An address that did not change is not checked: if the
// settings no longer allow it, nothing is sent to it.
func checkHook(ctx context.Context, st *db.Store, was, h Hook) error {
	if h.URL != was.URL || !bytes.Equal(h.SealedURL, was.SealedURL) {
		if err := checkHookURL(ctx, st, h); err != nil {
			return err
		}
	}
	if !isValidBranchFilter(h.PushEventsBranchFilter, h.BranchFilterStrategy) {
		return fault.Unprocessable("Invalid branch filter given").In(fault.Parameter)
	}
	for _, text := range []struct {
		field, value string
		most         int
	}{
		{"name", h.Name, 255},
		{"description", h.Description, 2048},
		{"custom_webhook_template", h.CustomWebhookTemplate, 4096},
	} {
		if len([]rune(text.value)) > text.most {
			return fault.Unprocessable("").On(
				text.field, fmt.Sprintf("is too long (maximum is %d characters)", text.most),
			)
		}
	}
	return nil
}

// checkHookURL returns a fault if the settings do not allow the address.
func checkHookURL(ctx context.Context, st *db.Store, h Hook) error {
	settings, err := setting.Read(ctx, st)
	if err != nil {
		return err
	}
	url, err := PlainURL(st, h)
	if err == nil && !outboundPolicy(settings, h).Admits(url) {
		err = setting.InvalidURL()
	}
	return err
}

// outboundPolicy returns which addresses the settings allow to a hook.
func outboundPolicy(s setting.Settings, h Hook) outbound.Policy {
	if isInstance(h.Container) {
		return setting.SystemHookPolicy(s)
	}
	return setting.OutboundPolicy(s)
}

// isValidBranchFilter reports whether a branch filter is valid for its strategy.
func isValidBranchFilter(filter, strategy string) bool {
	switch {
	case filter == "" || strategy == "all_branches":
		return true
	case strategy == "regex":
		return len(filter) <= 4000 && check.Regex(filter) == nil
	}
	return catalogue.IsBranchName(strings.ReplaceAll(filter, "*", "x"))
}

// acceptsBranch reports whether events on a branch are sent to a hook. Every hook accepts events
// without a branch.
func acceptsBranch(h Hook, branch string) bool {
	filter := h.PushEventsBranchFilter
	switch {
	case branch == "" || filter == "" || h.BranchFilterStrategy == "all_branches":
		return true
	case h.BranchFilterStrategy == "wildcard":
		filter = "^" + strings.ReplaceAll(regexp.QuoteMeta(filter), `\*`, ".*") + "$"
	}
	pattern, err := regexp.Compile(filter)
	return err == nil && pattern.MatchString(branch)
}
