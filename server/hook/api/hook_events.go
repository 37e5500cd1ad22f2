package api

import (
	"cmp"
	"context"
	"encoding/json"
	"strconv"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/hook"
	"hew/server/rest"
	"hew/server/scope"
)

// Deliveries of hooks, tests, and deliveries that a user repeats.

type hookTest struct {
	hookID
	Trigger string `param:"trigger"`
}

// message is an answer without an object.
type message struct {
	Message string `json:"message"`
}

func (a hooks) test(ctx context.Context, s scope.Container, in hookTest) (message, error) {
	_, err := a.sender.Test(ctx, s.Store, s.Container, in.HookID, in.Trigger, s.Caller.User)
	return message{"201 Created"}, err
}

type hookEventList struct {
	rest.Paging
	hookID
	Status []string `param:"status,comma"`
}

// hookEventView is a delivery (gaps §4.4).
type hookEventView struct {
	ID                int64             `json:"id"`
	URL               string            `json:"url"`
	Trigger           string            `json:"trigger"`
	RequestHeaders    map[string]string `json:"request_headers"`
	RequestData       json.RawMessage   `json:"request_data"`
	ResponseHeaders   map[string]string `json:"response_headers"`
	ResponseBody      string            `json:"response_body"`
	ExecutionDuration float64           `json:"execution_duration"`
	ResponseStatus    string            `json:"response_status"`
}

func hookEventViewOf(l hook.Log) hookEventView {
	status := "internal error" // there was no answer
	if *l.ResponseStatus != 0 {
		status = strconv.Itoa(*l.ResponseStatus)
	}
	return hookEventView{
		ID: l.ID, URL: l.URL, Trigger: l.Trigger, RequestHeaders: l.RequestHeaders, RequestData: l.RequestData,
		ResponseHeaders: l.ResponseHeaders, ResponseBody: l.ResponseBody, ExecutionDuration: l.ExecutionDuration,
		ResponseStatus: status,
	}
}

// classes holds the words for ranges of statuses.
var classes = map[string][][2]int{
	"successful":     {{200, 299}},
	"client_failure": {{400, 499}},
	"server_failure": {{500, 599}, {0, 0}},
}

func (in hookEventList) filter() (f hook.LogFilter, err error) {
	for _, word := range in.Status {
		ranges, known := classes[word]
		code, bad := strconv.Atoi(word)
		switch {
		case known:
			f.Ranges = append(f.Ranges, ranges...)
		case bad == nil && code >= 100 && code <= 599:
			f.Statuses = append(f.Statuses, code)
		default:
			return f, fault.Param("status does not have a valid value")
		}
	}
	return f, nil
}

func (hooks) listEvents(ctx context.Context, s scope.Container, in hookEventList) (rest.List[hookEventView], error) {
	_, err := hook.Hooks(s.Store, s.Container).One(ctx, db.ByID(in.HookID))
	filter, wrong := in.filter()
	if err := cmp.Or(err, wrong); err != nil {
		return rest.List[hookEventView]{}, err
	}
	return rest.Pages(hookEventViewOf)(hook.Logs(ctx, s.Store, in.HookID, filter, scope.PageOf(in.Paging)))
}

type hookResend struct {
	hookID
	LogID int64 `param:"hook_log_id"`
}

type resent struct {
	Status int `json:"response_status"`
}

func (a hooks) resend(ctx context.Context, s scope.Container, in hookResend) (resent, error) {
	status, err := a.sender.Resend(ctx, s.Store, s.Container, in.HookID, in.LogID, s.Caller.User)
	return resent{status}, err
}
