package api

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"hew/server/fault"
	"hew/server/forge"
	"hew/server/rest"
	"hew/server/store"
)

var (
	headerKey   = regexp.MustCompile(`^[A-Za-z0-9-]{1,255}$`)
	variableKey = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_.-]{0,254}$`)
)

const (
	maxHeaders   = 20
	maxVariables = 100
)

// checkHook says what is wrong with a hook that is to have an address, and with what comes for it, if anything (gaps §4.4).
func checkHook(ctx context.Context, st *store.Store, in hookFields, h store.ProjectHook, url string) error {
	settings, err := st.Settings(ctx)
	if err != nil {
		return err
	}
	filter, strategy := in.PushEventsBranchFilter.Or(h.PushEventsBranchFilter), in.BranchFilterStrategy.Or(h.BranchFilterStrategy)
	headers := slices.Clone(h.CustomHeaders) // to count, not to store
	for _, v := range in.CustomHeaders.Or(nil) {
		if !soundHeader(v) {
			return unsoundHeaders()
		}
		headers.Set(store.HookVariable{Key: v.Key})
	}
	switch {
	case !outbound(url, settings.AllowLocalHooks):
		return fault.Unprocessable("Invalid url given").As(fault.Parameter)
	case !soundFilter(filter, strategy):
		return fault.Unprocessable("Invalid branch filter given").As(fault.Parameter)
	case len(headers) > maxHeaders:
		return unsoundHeaders()
	}
	variables := slices.Clone(h.URLVariables)
	for _, v := range in.URLVariables.Or(nil) {
		if variables.Set(store.HookVariable{Key: v.Key}); !soundVariable(v) || len(variables) > maxVariables {
			return unsoundVariables()
		}
	}
	for _, text := range []struct {
		field, value string
		most         int
		says         string
	}{
		{"name", in.Name.Or(""), 255, "is too long (maximum is 255 characters)"},
		{"description", in.Description.Or(""), 2048, "is too long (maximum is 2048 characters)"},
		{"custom_webhook_template", in.CustomWebhookTemplate.Or(""), 4096, "is too long (maximum is 4096 characters)"},
	} {
		if len([]rune(text.value)) > text.most {
			return fault.Unprocessable("").On(text.field, text.says)
		}
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
	return forge.IsBranchName(strings.ReplaceAll(filter, "*", "x"))
}

func soundHeader(v hookVariable) bool {
	return headerKey.MatchString(v.Key) && len(v.Value) <= 2048 && strings.IndexFunc(v.Value, isControl) < 0
}

// isControl says whether a sign may not be in a header: such a hook could never be sent.
func isControl(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }

func soundVariable(v hookVariable) bool {
	return variableKey.MatchString(v.Key) && len(v.Value) <= 2048
}

func unsoundHeaders() error {
	return fault.Unprocessable("Custom headers validation failed").As(fault.Parameter)
}

func unsoundVariables() error {
	return fault.Unprocessable("").On("url_variables", "must have keys of letters, digits, '_', '-' and '.', values of at most 2048 characters, and be 100 at most")
}

// part is one of the two lists of secrets that a hook has.
type part struct {
	of      func(*store.ProjectHook) *store.HookVariables
	sound   func(hookVariable) bool
	most    int
	unsound func() error
}

var (
	customHeaders = part{func(h *store.ProjectHook) *store.HookVariables { return &h.CustomHeaders }, soundHeader, maxHeaders, unsoundHeaders}
	urlVariables  = part{func(h *store.ProjectHook) *store.HookVariables { return &h.URLVariables }, soundVariable, maxVariables, unsoundVariables}
)

type hookVariableSet struct {
	hookID
	hookVariable
}

// setVariable sets one header or variable of a hook, new or not.
func (hooks) setVariable(p part) rest.Handler[InProject, hookVariableSet, rest.None] {
	return func(ctx context.Context, s InProject, in hookVariableSet) (rest.None, error) {
		h, err := s.Store.HoldProjectHook(ctx, s.Project.ID, in.HookID)
		if err != nil {
			return rest.None{}, err
		}
		list := p.of(&h)
		list.Set(s.Store.HookVariable(h, in.Key, in.Value))
		if !p.sound(in.hookVariable) || len(*list) > p.most {
			return rest.None{}, p.unsound()
		}
		_, err = s.Store.UpdateProjectHook(ctx, h)
		return rest.None{}, err
	}
}

type hookVariableDelete struct {
	hookID
	Key string `param:"key"`
}

func (hooks) deleteVariable(p part) rest.Handler[InProject, hookVariableDelete, rest.None] {
	return func(ctx context.Context, s InProject, in hookVariableDelete) (rest.None, error) {
		h, err := s.Store.HoldProjectHook(ctx, s.Project.ID, in.HookID)
		if err == nil && !p.of(&h).Delete(in.Key) {
			err = fault.NotFound("")
		}
		if err != nil {
			return rest.None{}, err
		}
		_, err = s.Store.UpdateProjectHook(ctx, h)
		return rest.None{}, err
	}
}

type hookTest struct {
	hookID
	Trigger string `param:"trigger" oneof:"push_events tag_push_events issues_events confidential_issues_events note_events merge_requests_events job_events pipeline_events wiki_page_events releases_events milestone_events emoji_events resource_access_token_events"`
}

func (a hooks) test(ctx context.Context, s InProject, in hookTest) (rest.None, error) {
	return a.undelivered(ctx, s, in.HookID)
}

func (a hooks) listEvents(ctx context.Context, s InProject, in hookID) (rest.None, error) {
	return a.undelivered(ctx, s, in.HookID)
}

func (a hooks) resend(ctx context.Context, s InProject, in hookID) (rest.None, error) {
	return a.undelivered(ctx, s, in.HookID)
}

// undelivered is the answer to whatever is about deliveries of a hook that exists.
func (hooks) undelivered(ctx context.Context, s InProject, id int64) (rest.None, error) {
	if _, err := s.Store.ProjectHook(ctx, s.Project.ID, id); err != nil {
		return rest.None{}, err
	}
	return rest.None{}, fault.NotImplemented("hooks are kept, but nothing is delivered to them yet")
}
