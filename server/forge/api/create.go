package api

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/forge"
	"hew/server/forge/hostapi"
	"hew/server/outbound"
	"hew/server/rest"
	"hew/server/scope"
	"hew/server/setting"
	"hew/server/tree"
)

// createTime limits a request that asks the host about a repository.
const createTime = 3 * time.Minute

// timeouts are the strategies for a stage that makes no progress.
type timeouts struct {
	TimeoutStrategy string `param:"timeout_strategy" default:"pessimistic" oneof:"optimistic pessimistic"`
}

func (t timeouts) optimistic() bool { return t.TimeoutStrategy == "optimistic" }

// InvalidURL returns the refusal of the address of a host.
func InvalidURL(text string) error {
	return fault.BadRequest("Invalid URL: " + text).In(fault.Service)
}

// CheckHost returns a refusal of an address to which the settings allow no requests.
func CheckHost(settings setting.Settings, address string) error {
	if text := setting.OutboundPolicy(settings).FindProblem(outbound.Web, address); text != "" {
		return InvalidURL(text)
	}
	return nil
}

// begin creates the project in a namespace and has it imported.
func (a imports) begin(ctx context.Context, s scope.Signed, space string, n forge.New) (importView, error) {
	var p tree.Project
	err := s.Store.Tx(ctx, func(st *db.Store) (err error) {
		s := s
		s.Store = st
		if n.Space, err = lockSpace(ctx, s, space); err != nil {
			return err
		}
		n.By, n.Correlation = s.Caller.User, rest.RequestID(ctx)
		p, err = forge.Begin(ctx, st, n)
		return err
	})
	if err != nil {
		return importView{}, serviceFault(err)
	}
	return a.viewOf(p, n.Source.FullName), nil
}

// serviceFault returns a fault about fields as one text, as import services do.
func serviceFault(err error) error {
	f, ok := fault.From(err)
	if !ok || f.Code != fault.CodeInvalid || f.Fields == nil {
		return err
	}
	for _, field := range []string{"name", "path", "visibility_level", "base"} {
		if texts := f.Fields[field]; len(texts) > 0 {
			return fault.Unprocessable(fieldNames[field] + texts[0]).In(fault.Service)
		}
	}
	return fault.Unprocessable("The project cannot be created: " + f.Error()).In(fault.Service)
}

var fieldNames = map[string]string{
	"name": "Name ", "path": "Path ", "visibility_level": "Visibility level ", "base": "",
}

// HostFault returns the refusal for what a host of a kind ("GitHub") answered. Denied is the text
// for a token that it does not accept.
func HostFault(err error, kind, denied string) error {
	var refused *hostapi.StatusError
	var unavailable *hostapi.UnavailableError
	var limit *hostapi.LimitError
	switch {
	case errors.As(err, &limit):
		return fault.TooMany("Too Many Requests").In(fault.Parameter)
	case errors.As(err, &refused) && refused.Status == 401:
		return (&fault.Error{Code: fault.CodeUnauthorized, What: denied}).In(fault.Parameter)
	case errors.As(err, &refused), errors.As(err, &unavailable):
		return fault.Unprocessable(fmt.Sprintf("Import failed due to a %s error: %v", kind, err)).In(fault.Service)
	}
	return err
}

// nameOf returns the name and path of the new project: the wanted one, which is both, or those of
// the repository.
func nameOf(wanted, name, path string) (string, string) {
	return cmp.Or(wanted, name), cmp.Or(wanted, path)
}
