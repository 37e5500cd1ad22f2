package api

import (
	"context"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/mirror"
	"hew/server/rest"
	"hew/server/scope"
	"hew/server/setting"
)

// pushMirrors are the routes of push mirrors (spec 1 §4.8, gaps §12.4). Answers mask the names and
// passwords in their addresses.
type pushMirrors struct{}

func (a pushMirrors) routes() []rest.Route {
	const all, one = "/projects/{id}/remote_mirrors", "/projects/{id}/remote_mirrors/{mirror_id}"
	admin := scope.Unless(scope.HeldByProject(adminMirror),
		scope.Reserved(func(s setting.Settings) bool { return !s.MirrorsAvailable }, fault.Unauthorized()))
	return []rest.Route{
		rest.Get(all, admin, a.list),
		rest.Get(one, admin, a.show),
		rest.Get(one+"/public_key", admin, a.showKey),
		rest.Post(all, admin, a.create),
		rest.Put(one, admin, a.update),
		rest.Delete(one, admin, a.delete),
		rest.Post(one+"/sync", admin, a.sync).Status(204),
	}
}

type pushMirrorView struct {
	mirror.PushMirror
	HostKeys []hostKeyView `json:"host_keys"` // none: no host was met yet
}

func pushMirrorViewOf(m mirror.PushMirror) pushMirrorView {
	return pushMirrorView{m, hostKeyViewsOf(m.SSH)}
}

func hostKeyViewsOf(s mirror.SSH) []hostKeyView {
	views := []hostKeyView{}
	for _, print := range s.Fingerprints() {
		views = append(views, hostKeyView{print})
	}
	return views
}

type hostKeyView struct {
	Fingerprint string `json:"fingerprint_sha256"`
}

type pushMirrorList struct{ rest.Paging }

func (pushMirrors) list(ctx context.Context, s scope.Container, in pushMirrorList) (rest.List[pushMirrorView], error) {
	return rest.Pages(pushMirrorViewOf)(mirror.PushMirrors(s.Store, s.Container).List(ctx, scope.PageOf(in.Paging)))
}

type pushMirrorID struct {
	MirrorID int64 `param:"mirror_id"`
}

func (in pushMirrorID) find(ctx context.Context, s scope.Container) (mirror.PushMirror, error) {
	return mirror.PushMirrors(s.Store, s.Container).One(ctx, db.ByID(in.MirrorID))
}

func (pushMirrors) show(ctx context.Context, s scope.Container, in pushMirrorID) (pushMirrorView, error) {
	return rest.Show(pushMirrorViewOf)(in.find(ctx, s))
}

type publicKey struct {
	PublicKey string `json:"public_key"`
}

func (pushMirrors) showKey(ctx context.Context, s scope.Container, in pushMirrorID) (publicKey, error) {
	m, err := in.find(ctx, s)
	if err != nil {
		return publicKey{}, err
	}
	key, err := mirror.PublicKeyOf(m)
	return publicKey{key}, err
}

// pushMirrorFields has the field names of mirror.PushMirror.
type pushMirrorFields struct {
	rest.Into[mirror.PushMirror]
	Enabled               rest.Opt[bool]     `param:"enabled"`
	KeepDivergentRefs     rest.Opt[bool]     `param:"keep_divergent_refs"`
	OnlyProtectedBranches rest.Opt[bool]     `param:"only_protected_branches"`
	MirrorBranchRegex     rest.Opt[string]   `param:"mirror_branch_regex"`
	HostKeys              rest.Opt[[]string] `param:"host_keys"`
	AuthMethod            rest.Opt[string]   `param:"auth_method" oneof:"ssh_public_key password"`
}

// into stores the parameters. A mirror pushes protected branches or those that match a regex: the
// last one given wins.
func (in pushMirrorFields) into(m *mirror.PushMirror) error {
	protected, regex := in.OnlyProtectedBranches.Or(false), in.MirrorBranchRegex.Or("") != ""
	if protected && regex {
		return fault.Param("only_protected_branches, mirror_branch_regex are mutually exclusive")
	}
	rest.Merge(m, in, mirror.PushMirror{AuthMethod: mirror.ByPassword})
	if protected || m.MirrorBranchRegex != nil && *m.MirrorBranchRegex == "" {
		m.MirrorBranchRegex = nil
	}
	if regex {
		m.OnlyProtectedBranches = false
	}
	return nil
}

type pushMirrorNew struct {
	URL string `param:"url,required,notempty"`
	pushMirrorFields
}

func (pushMirrors) create(ctx context.Context, s scope.Container, in pushMirrorNew) (pushMirrorView, error) {
	return rest.Show(pushMirrorViewOf)(mirror.CreatePushMirror(ctx, s.Store, s.Container, in.URL, in.into))
}

type pushMirrorChange struct {
	pushMirrorID
	pushMirrorFields
}

func (pushMirrors) update(ctx context.Context, s scope.Container, in pushMirrorChange) (pushMirrorView, error) {
	return rest.Show(pushMirrorViewOf)(mirror.ChangePushMirror(ctx, s.Store, s.Container, in.MirrorID, in.into))
}

func (pushMirrors) delete(ctx context.Context, s scope.Container, in pushMirrorID) (rest.None, error) {
	return rest.None{}, mirror.PushMirrors(s.Store, s.Container).Delete(ctx, db.ByID(in.MirrorID), rest.Unmodified)
}

func (pushMirrors) sync(ctx context.Context, s scope.Container, in pushMirrorID) (rest.None, error) {
	m, err := in.find(ctx, s)
	if err == nil {
		err = mirror.PushNow(ctx, s.Store, m)
	}
	return rest.None{}, err
}
