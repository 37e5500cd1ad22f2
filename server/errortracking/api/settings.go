package api

import (
	"context"
	"fmt"
	"strings"

	"hew/server/db"
	"hew/server/errortracking"
	"hew/server/fault"
	"hew/server/rest"
	"hew/server/scope"
	"hew/server/view"
)

// settings are the routes of the error tracking of a project and of its client keys (spec 3
// §4.5, gaps §13.4).
type settings struct{ *view.Site }

func (a settings) routes() []rest.Route {
	const one, keys = "/projects/{id}/error_tracking/settings", "/projects/{id}/error_tracking/client_keys"
	admin := scope.HeldByProject(adminErrorTracking)
	return []rest.Route{
		rest.Get(one, admin, a.show),
		rest.Put(one, admin, a.set),
		rest.Patch(one, admin, a.update),
		rest.Get(keys, admin, a.listKeys),
		rest.Post(keys, admin, a.createKey),
		rest.Delete(keys+"/{key_id}", admin, a.deleteKey),
	}
}

// settingView is the setting. The fields of an external service are always null, since the
// API cannot set one.
type settingView struct {
	errortracking.Setting
	ProjectName *string `json:"project_name"`
	ExternalURL *string `json:"sentry_external_url"`
	APIURL      *string `json:"api_url"`
}

func settingViewOf(e errortracking.Setting) settingView {
	return settingView{Setting: e}
}

func (settings) show(ctx context.Context, s scope.Container, _ rest.None) (settingView, error) {
	return rest.Show(settingViewOf)(errortracking.Settings(s.Store, s.Container).One(ctx, db.AnyRow))
}

type settingPut struct {
	Active     bool `param:"active,required"`
	Integrated bool `param:"integrated,required"`
}

func (in settingPut) into(e *errortracking.Setting) error {
	e.Active, e.Integrated = in.Active, in.Integrated
	return nil
}

// set creates or replaces the setting.
func (settings) set(ctx context.Context, s scope.Container, in settingPut) (settingView, error) {
	return rest.Show(settingViewOf)(errortracking.Settings(s.Store, s.Container).Put(
		ctx, db.AnyRow, errortracking.Setting{ProjectID: s.ID()}, db.Plain(in.into),
	))
}

type settingChange struct {
	Active     bool           `param:"active,required"`
	Integrated rest.Opt[bool] `param:"integrated"`
}

func (in settingChange) into(e *errortracking.Setting) error {
	e.Active, e.Integrated = in.Active, in.Integrated.Or(e.Integrated)
	return nil
}

func (settings) update(ctx context.Context, s scope.Container, in settingChange) (settingView, error) {
	return rest.Show(settingViewOf)(
		errortracking.Settings(s.Store, s.Container).Change(ctx, db.AnyRow, db.Plain(in.into)))
}

type keyView struct {
	errortracking.Key
	DSN string `json:"sentry_dsn"`
}

// viewOfKey shows a key with the address that programs are configured with.
func (a settings) viewOfKey(k errortracking.Key) keyView {
	scheme, host, _ := strings.Cut(a.Base, "://")
	return keyView{
		k, fmt.Sprintf("%s://%s@%s/api/v4/error_tracking/collector/%d", scheme, k.PublicKey, host, k.ProjectID),
	}
}

type keyList struct{ rest.Paging }

func (a settings) listKeys(
	ctx context.Context, s scope.Container, in keyList,
) (rest.List[keyView], error) {
	return rest.Pages(a.viewOfKey)(errortracking.Keys(s.Store, s.Container).List(ctx, scope.PageOf(in.Paging)))
}

func (a settings) createKey(ctx context.Context, s scope.Container, _ rest.None) (keyView, error) {
	return rest.Show(a.viewOfKey)(errortracking.CreateKey(ctx, s.Store, s.Container))
}

type keyID struct {
	KeyID int64 `param:"key_id"`
}

func (settings) deleteKey(ctx context.Context, s scope.Container, in keyID) (rest.None, error) {
	err := errortracking.Keys(s.Store, s.Container).Delete(ctx, db.ByID(in.KeyID), rest.Unmodified)
	if fault.CodeOf(err) == fault.CodeNotFound {
		err = fault.NoRecord()
	}
	return rest.None{}, err
}
