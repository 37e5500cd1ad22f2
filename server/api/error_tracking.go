package api

import (
	"context"
	"fmt"
	"strings"

	"hew/server/fault"
	"hew/server/forge"
	"hew/server/policy"
	"hew/server/rest"
	"hew/server/store"
)

// errorTracking is whether the errors of what a project runs are collected, and the keys that programs send them with (spec 3
// §4.5, gaps §13.4).
type errorTracking struct{ *Site }

func (a errorTracking) routes() []rest.Route {
	const settings, keys = "/projects/{id}/error_tracking/settings", "/projects/{id}/error_tracking/client_keys"
	admin := as(a.project(policy.AdminErrorTracking), InProject.container)
	return []rest.Route{
		rest.Get(settings, admin, a.show),
		rest.Put(settings, admin, a.set),
		rest.Patch(settings, admin, a.update),
		rest.Get(keys, admin, a.listKeys),
		rest.Post(keys, admin, a.createKey),
		rest.Delete(keys+"/{key_id}", admin, a.deleteKey),
	}
}

// errorTrackingView is the setting, with what only a service elsewhere would have: nothing, since the API cannot name one.
type errorTrackingView struct {
	store.ErrorTracking
	ProjectName *string `json:"project_name"`
	ExternalURL *string `json:"sentry_external_url"`
	APIURL      *string `json:"api_url"`
}

func errorTrackingViewOf(e store.ErrorTracking) errorTrackingView {
	return errorTrackingView{ErrorTracking: e}
}

func (errorTracking) show(ctx context.Context, s container, _ rest.None) (errorTrackingView, error) {
	return rest.Show(errorTrackingViewOf)(s.Store.ErrorTracking(s.Container).One(ctx, store.Only))
}

type errorTrackingSet struct {
	Active     bool `param:"active,required"`
	Integrated bool `param:"integrated,required"`
}

func (in errorTrackingSet) into(e *store.ErrorTracking) error {
	e.Active, e.Integrated = in.Active, in.Integrated
	return nil
}

// set is the one request that makes the setting, too.
func (errorTracking) set(ctx context.Context, s container, in errorTrackingSet) (errorTrackingView, error) {
	return rest.Show(errorTrackingViewOf)(s.Store.ErrorTracking(s.Container).Put(ctx, store.Only, store.ErrorTracking{ProjectID: s.ID()}, in.into))
}

type errorTrackingChange struct {
	Active     bool           `param:"active,required"`
	Integrated rest.Opt[bool] `param:"integrated"`
}

func (in errorTrackingChange) into(e *store.ErrorTracking) error {
	e.Active, e.Integrated = in.Active, in.Integrated.Or(e.Integrated)
	return nil
}

func (errorTracking) update(ctx context.Context, s container, in errorTrackingChange) (errorTrackingView, error) {
	return rest.Show(errorTrackingViewOf)(s.Store.ErrorTracking(s.Container).Change(ctx, store.Only, in.into))
}

type errorTrackingKeyView struct {
	store.ErrorTrackingKey
	DSN string `json:"sentry_dsn"`
}

// keyView is a key with the address, the key in it, that programs are given.
func (a errorTracking) keyView(k store.ErrorTrackingKey) errorTrackingKeyView {
	scheme, host, _ := strings.Cut(a.Base, "://")
	return errorTrackingKeyView{k, fmt.Sprintf("%s://%s@%s/api/v4/error_tracking/collector/%d", scheme, k.PublicKey, host, k.ProjectID)}
}

type errorTrackingKeyList struct{ rest.Paging }

func (a errorTracking) listKeys(ctx context.Context, s container, in errorTrackingKeyList) (rest.List[errorTrackingKeyView], error) {
	return rest.Pages(a.keyView)(s.Store.ErrorTrackingKeys(s.Container).List(ctx, pageOf(in.Paging)))
}

func (a errorTracking) createKey(ctx context.Context, s container, _ rest.None) (errorTrackingKeyView, error) {
	return rest.Show(a.keyView)(forge.CreateErrorTrackingKey(ctx, s.Store, s.Container))
}

type errorTrackingKeyID struct {
	KeyID int64 `param:"key_id"`
}

func (errorTracking) deleteKey(ctx context.Context, s container, in errorTrackingKeyID) (rest.None, error) {
	err := s.Store.ErrorTrackingKeys(s.Container).Delete(ctx, store.ByID(in.KeyID), rest.Unmodified)
	if fault.CodeOf(err) == fault.CodeNotFound {
		err = fault.NoRecord()
	}
	return rest.None{}, err
}
