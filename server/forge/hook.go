package forge

import (
	"context"
	"regexp"
	"strings"

	"hew/server/fault"
	"hew/server/store"
)

// HookSecrets are what is told of a hook and never shown again. What is nil is not told.
type HookSecrets struct {
	URL       *string // as there may be a password in it
	Token     *string // an empty one takes the token away
	Variables []HookSecret
	Headers   []HookSecret
}

// FillHook changes what is no secret of a hook.
type FillHook func(h *store.ProjectHook)

// CreateHook makes a hook of a project (gaps §4.4) out of the defaults, the secrets and what fill says.
func CreateHook(ctx context.Context, st *store.Store, projectID int64, told HookSecrets, fill FillHook) (store.ProjectHook, error) {
	h, err := st.NewProjectHook(ctx, projectID)
	if err != nil {
		return h, err
	}
	if err := told.into(ctx, st, &h, fill); err != nil {
		return h, err
	}
	return st.CreateProjectHook(ctx, h)
}

// ChangeHook lets fill edit a hook as it is stored, while nobody else can change it, and stores the outcome with the secrets.
func ChangeHook(ctx context.Context, st *store.Store, projectID, id int64, told HookSecrets, fill FillHook) (store.ProjectHook, error) {
	return editHook(ctx, st, projectID, id, func(st *store.Store, h *store.ProjectHook) error { return told.into(ctx, st, h, fill) })
}

func editHook(
	ctx context.Context, st *store.Store, projectID, id int64, edit func(*store.Store, *store.ProjectHook) error,
) (h store.ProjectHook, err error) {
	err = st.Tx(ctx, func(st *store.Store) error {
		if h, err = st.HoldProjectHook(ctx, projectID, id); err != nil {
			return err
		}
		if err := edit(st, &h); err != nil {
			return err
		}
		h, err = st.UpdateProjectHook(ctx, h)
		return err
	})
	return h, err
}

// into gives a hook all that is told of it, and says what is wrong with the outcome.
func (told HookSecrets) into(ctx context.Context, st *store.Store, h *store.ProjectHook, fill FillHook) error {
	settings, err := st.Settings(ctx)
	if err != nil {
		return err
	}
	if err := told.address(st, h, settings.AllowLocalHooks); err != nil {
		return err
	}
	if fill(h); !soundFilter(h.PushEventsBranchFilter, h.BranchFilterStrategy) {
		return fault.Unprocessable("Invalid branch filter given").In(fault.Parameter)
	}
	if told.Token != nil {
		st.SetHookToken(h, *told.Token)
	}
	if err := HookHeaders.set(st, h, told.Headers); err != nil {
		return err
	}
	if err := HookVariables.set(st, h, told.Variables); err != nil {
		return err
	}
	for _, text := range []struct {
		field, value string
		most         int
		says         string
	}{
		{"name", h.Name, 255, "is too long (maximum is 255 characters)"},
		{"description", h.Description, 2048, "is too long (maximum is 2048 characters)"},
		{"custom_webhook_template", h.CustomWebhookTemplate, 4096, "is too long (maximum is 4096 characters)"},
	} {
		if len([]rune(text.value)) > text.most {
			return fault.Unprocessable("").On(text.field, text.says)
		}
	}
	return nil
}

// address moves a hook, if it is told a url that it does not have. A token, and variables and headers, are for one address:
// at a new one the hook starts without them unless they come along. Where they do, they are merged into those there are.
func (told HookSecrets) address(st *store.Store, h *store.ProjectHook, local bool) error {
	was, err := st.HookURL(*h)
	if err != nil {
		return err
	}
	url := was
	if told.URL != nil && *told.URL != h.URL { // as it is shown, it is the one there is
		url = *told.URL
	}
	if url != was {
		st.SetHookURL(h, url)
		st.SetHookToken(h, "")
		if told.Variables == nil {
			h.URLVariables = store.HookVariables{}
		}
		if told.Headers == nil {
			h.CustomHeaders = store.HookVariables{}
		}
	}
	// A password that was shown for another address is the mask, and no password.
	if shown, secret := store.MaskURL(url); !outbound(url, local) || secret && shown == url {
		return fault.Unprocessable("Invalid url given").In(fault.Parameter)
	}
	return nil
}

func soundFilter(filter, strategy string) bool {
	switch {
	case filter == "" || strategy == "all_branches":
		return true
	case strategy == "regex":
		_, err := regexp.Compile(filter)
		return err == nil && len(filter) <= 4000
	}
	return IsBranchName(strings.ReplaceAll(filter, "*", "x"))
}
