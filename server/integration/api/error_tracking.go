package api

import (
	"context"
	"fmt"
	"strings"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/integration"
	"hew/server/rest"
	"hew/server/scope"
	"hew/server/view"
)

// errorTracking are the routes of the error tracking of a project and of its client keys (spec 3
// §4.5, gaps §13.4).
type errorTracking struct{ *view.Site }

func (a errorTracking) routes() []rest.Route {
	const settings, keys = "/projects/{id}/error_tracking/settings", "/projects/{id}/error_tracking/client_keys"
	admin := scope.HeldByProject(adminErrorTracking)
	return []rest.Route{
		rest.Get(settings, admin, a.show),
		rest.Put(settings, admin, a.set),
		rest.Patch(settings, admin, a.update),
		rest.Get(keys, admin, a.listKeys),
		rest.Post(keys, admin, a.createKey),
		rest.Delete(keys+"/{key_id}", admin, a.deleteKey),
	}
}

// errorTrackingView is the setting. The fields of an external service are always null, since the
// API cannot set one.
type errorTrackingView struct {
	integration.ErrorTracking
	ProjectName *string `json:"project_name"`
	ExternalURL *string `json:"sentry_external_url"`
	APIURL      *string `json:"api_url"`
}

func errorTrackingViewOf(e integration.ErrorTracking) errorTrackingView {
	return errorTrackingView{ErrorTracking: e}
}

func (errorTracking) show(ctx context.Context, s scope.Container, _ rest.None) (errorTrackingView, error) {
	return rest.Show(errorTrackingViewOf)(integration.ErrorTrackings(s.Store, s.Container).One(ctx, db.AnyRow))
}

type errorTrackingSet struct {
	Active     bool `param:"active,required"`
	Integrated bool `param:"integrated,required"`
}

func (in errorTrackingSet) into(e *integration.ErrorTracking) error {
	e.Active, e.Integrated = in.Active, in.Integrated
	return nil
}

// set creates or replaces the setting.
func (errorTracking) set(ctx context.Context, s scope.Container, in errorTrackingSet) (errorTrackingView, error) {
	return rest.Show(errorTrackingViewOf)(integration.ErrorTrackings(s.Store, s.Container).Put(
		ctx, db.AnyRow, integration.ErrorTracking{ProjectID: s.ID()}, db.Plain(in.into),
	))
}

type errorTrackingChange struct {
	Active     bool           `param:"active,required"`
	Integrated rest.Opt[bool] `param:"integrated"`
}

func (in errorTrackingChange) into(e *integration.ErrorTracking) error {
	e.Active, e.Integrated = in.Active, in.Integrated.Or(e.Integrated)
	return nil
}

func (errorTracking) update(ctx context.Context, s scope.Container, in errorTrackingChange) (errorTrackingView, error) {
	return rest.Show(errorTrackingViewOf)(
		integration.ErrorTrackings(s.Store, s.Container).Change(ctx, db.AnyRow, db.Plain(in.into)))
}

type errorTrackingKeyView struct {
	integration.ErrorTrackingKey
	DSN string `json:"sentry_dsn"`
}

// keyView shows a key with the address that programs are configured with.
func (a errorTracking) keyView(k integration.ErrorTrackingKey) errorTrackingKeyView {
	scheme, host, _ := strings.Cut(a.Base, "://")
	return errorTrackingKeyView{
		k, fmt.Sprintf("%s://%s@%s/api/v4/error_tracking/collector/%d", scheme, k.PublicKey, host, k.ProjectID),
	}
}

type errorTrackingKeyList struct{ rest.Paging }

func (a errorTracking) listKeys(
	ctx context.Context, s scope.Container, in errorTrackingKeyList,
) (rest.List[errorTrackingKeyView], error) {
	return rest.Pages(a.keyView)(integration.ErrorTrackingKeys(s.Store, s.Container).List(ctx, scope.PageOf(in.Paging)))
}

func (a errorTracking) createKey(ctx context.Context, s scope.Container, _ rest.None) (errorTrackingKeyView, error) {
	return rest.Show(a.keyView)(integration.CreateErrorTrackingKey(ctx, s.Store, s.Container))
}

type errorTrackingKeyID struct {
	KeyID int64 `param:"key_id"`
}

func (errorTracking) deleteKey(ctx context.Context, s scope.Container, in errorTrackingKeyID) (rest.None, error) {
	err := integration.ErrorTrackingKeys(s.Store, s.Container).Delete(ctx, db.ByID(in.KeyID), rest.Unmodified)
	if fault.CodeOf(err) == fault.CodeNotFound {
		err = fault.NoRecord()
	}
	return rest.None{}, err
}
