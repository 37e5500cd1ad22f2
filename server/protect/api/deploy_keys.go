package api

import (
	"context"
	"time"

	"hew/server/protect"
	"hew/server/rest"
	"hew/server/scope"
)

// deployKeys are the routes of deploy keys of a project and of all projects. The specification does
// not have them; they follow the public service.
type deployKeys struct{}

func (a deployKeys) routes() []rest.Route {
	admin, project := scope.ForAdmin(), scope.ForProject(adminDeployKey)
	const of = "/projects/{id}/deploy_keys"
	return []rest.Route{
		rest.Get("/deploy_keys", admin, a.listAll),
		rest.Post("/deploy_keys", admin, a.createPublic),
		rest.Get(of, project, a.list),
		rest.Get(of+"/{deploy_key_id}", project, a.show),
		rest.Post(of, project, a.create),
		rest.Put(of+"/{deploy_key_id}", project, a.update),
		rest.Delete(of+"/{deploy_key_id}", project, a.delete),
		rest.Post(of+"/{deploy_key_id}/enable", project, a.enable),
	}
}

// deployKeyView is a deploy key. In a project it says whether the key can push there; in the list
// of all keys, which projects have it.
type deployKeyView struct {
	protect.DeployKey
	Public  *bool                 `json:"public,omitempty"` // not told
	CanPush *bool                 `json:"can_push,omitempty"`
	Writers *[]protect.KeyProject `json:"projects_with_write_access,omitempty"`
	Readers *[]protect.KeyProject `json:"projects_with_readonly_access,omitempty"`
}

func deployKeyViewOf(k protect.DeployKey) deployKeyView { return deployKeyView{DeployKey: k} }

func enabledKeyViewOf(e protect.EnabledKey) deployKeyView {
	return deployKeyView{DeployKey: e.Key, CanPush: &e.CanPush}
}

func deployKeyUsageViewOf(k protect.DeployKeyUsage) deployKeyView {
	return deployKeyView{DeployKey: k.DeployKey, Writers: &k.Writers, Readers: &k.Readers}
}

type deployKeyListAll struct {
	rest.Paging
	Public bool `param:"public"`
}

func (deployKeys) listAll(ctx context.Context, s scope.Admin, in deployKeyListAll) (rest.List[deployKeyView], error) {
	filter := protect.DeployKeyFilter{Public: in.Public}
	return rest.Pages(deployKeyUsageViewOf)(protect.DeployKeys(ctx, s.Store, filter, scope.PageOf(in.Paging)))
}

type deployKeyFields struct {
	Title     string     `param:"title,required,notempty"`
	Key       string     `param:"key,required,notempty"`
	ExpiresAt *time.Time `param:"expires_at"`
}

// key returns the deploy key of the parameters.
func (in deployKeyFields) key(s scope.Signed) protect.DeployKey {
	return protect.DeployKey{Title: in.Title, Key: in.Key, ExpiresAt: in.ExpiresAt, CreatorID: new(s.Caller.ID())}
}

func (deployKeys) createPublic(ctx context.Context, s scope.Admin, in deployKeyFields) (deployKeyView, error) {
	return rest.Show(deployKeyViewOf)(protect.CreateDeployKey(ctx, s.Store, in.key(s.Signed)))
}

type deployKeyList struct{ rest.Paging }

func (deployKeys) list(ctx context.Context, s scope.InProject, in deployKeyList) (rest.List[deployKeyView], error) {
	return rest.Pages(enabledKeyViewOf)(
		protect.EnabledKeys(s.Store, s.Project.Container()).List(ctx, scope.PageOf(in.Paging)))
}

type deployKeyID struct {
	KeyID int64 `param:"deploy_key_id"`
}

func (deployKeys) show(ctx context.Context, s scope.InProject, in deployKeyID) (deployKeyView, error) {
	return rest.Show(enabledKeyViewOf)(
		protect.EnabledKeys(s.Store, s.Project.Container()).One(ctx, protect.DeployKeyByID(in.KeyID)))
}

type deployKeyNew struct {
	deployKeyFields
	CanPush bool `param:"can_push"`
}

func (deployKeys) create(ctx context.Context, s scope.InProject, in deployKeyNew) (deployKeyView, error) {
	key := in.key(scope.Signed{Anyone: s.Anyone})
	access := protect.DeployKeyAccess{CanPush: in.CanPush}
	return rest.Show(enabledKeyViewOf)(
		protect.AddDeployKey(ctx, s.Store, s.Project.Container(), s.Viewer(), key, access))
}

type deployKeyChange struct {
	deployKeyID
	Title   rest.Opt[string] `param:"title"`
	CanPush rest.Opt[bool]   `param:"can_push"`
	_       struct{}         `atleast:"title can_push"`
}

func (in deployKeyChange) into(e *protect.EnabledKey) error {
	e.Key.Title, e.CanPush = in.Title.Or(e.Key.Title), in.CanPush.Or(e.CanPush)
	return nil
}

func (deployKeys) update(ctx context.Context, s scope.InProject, in deployKeyChange) (deployKeyView, error) {
	return rest.Show(enabledKeyViewOf)(
		protect.ChangeDeployKey(ctx, s.Store, s.Project.Container(), s.Viewer(), in.KeyID, in.into))
}

func (deployKeys) delete(ctx context.Context, s scope.InProject, in deployKeyID) (rest.None, error) {
	return rest.None{}, protect.DisableDeployKey(ctx, s.Store, s.Project.Container(), in.KeyID, rest.Unmodified)
}

func (deployKeys) enable(ctx context.Context, s scope.InProject, in deployKeyID) (deployKeyView, error) {
	return rest.Show(deployKeyViewOf)(
		protect.EnableDeployKey(ctx, s.Store, s.Project.Container(), s.Viewer(), in.KeyID))
}
