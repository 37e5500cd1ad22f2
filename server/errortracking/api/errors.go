package api

import (
	"context"
	"strings"

	"hew/server/db"
	"hew/server/errortracking"
	"hew/server/fault"
	"hew/server/rest"
	"hew/server/scope"
)

// trackedErrors are the routes of the errors that programs have sent (ours; gaps §15). They exist
// where the project collects errors here.
type trackedErrors struct{}

func (a trackedErrors) routes() []rest.Route {
	const path = "/projects/{id}/error_tracking/errors"
	read := scope.Unless(scope.HeldByProject(readError), collectsElsewhere)
	update := scope.Unless(scope.HeldByProject(updateError), collectsElsewhere)
	return []rest.Route{
		rest.Get(path, read, a.list),
		rest.Get(path+"/{fingerprint}", read, a.show),
		rest.Put(path+"/{fingerprint}", update, a.update),
		rest.Get(path+"/{fingerprint}/events", read, a.events),
	}
}

// collectsElsewhere refuses projects that do not collect errors here.
func collectsElsewhere(ctx context.Context, s scope.Container) error {
	setting, err := errortracking.Settings(s.Store, s.Container).One(ctx, db.AnyRow)
	if err == nil && !(setting.Active && setting.Integrated) {
		err = fault.NotFound("Error Tracking Setting")
	}
	return err
}

// errorList are the parameters of the list, which begins with what was seen last.
type errorList struct {
	rest.Paging
	Status string `param:"status" oneof:"unresolved resolved ignored"`
	Query  string `param:"query"`
	Sort   string `param:"sort" oneof:"last_seen first_seen frequency last_seen_desc first_seen_desc frequency_desc" default:"last_seen"`
}

func (trackedErrors) list(
	ctx context.Context, s scope.Container, in errorList,
) (rest.List[errortracking.Error], error) {
	page := scope.PageOf(in.Paging)
	page.Order, page.Desc = strings.TrimSuffix(in.Sort, "_desc"), true
	narrow := errortracking.Filter{Status: in.Status, Search: in.Query}.Narrow
	return rest.Page(errortracking.Errors(s.Store, s.Container).List(ctx, page, narrow))
}

type errorID struct {
	Fingerprint string `param:"fingerprint"`
}

func (trackedErrors) show(ctx context.Context, s scope.Container, in errorID) (errortracking.Error, error) {
	return errortracking.Errors(s.Store, s.Container).One(ctx, errortracking.ByFingerprint(in.Fingerprint))
}

type errorChange struct {
	errorID
	Status string `param:"status,required" oneof:"unresolved resolved ignored"`
}

func (in errorChange) into(e *errortracking.Error) error {
	e.Status = in.Status
	return nil
}

func (trackedErrors) update(ctx context.Context, s scope.Container, in errorChange) (errortracking.Error, error) {
	return errortracking.Errors(s.Store, s.Container).Change(
		ctx, errortracking.ByFingerprint(in.Fingerprint), db.Plain(in.into),
	)
}

type errorEvents struct {
	errorID
	rest.Paging
}

// events lists the latest events that are kept of an error.
func (a trackedErrors) events(
	ctx context.Context, s scope.Container, in errorEvents,
) (rest.List[errortracking.Event], error) {
	found, err := a.show(ctx, s, in.errorID)
	if err != nil {
		return rest.List[errortracking.Event]{}, err
	}
	return rest.Page(errortracking.Events(ctx, s.Store, found, scope.PageOf(in.Paging)))
}
