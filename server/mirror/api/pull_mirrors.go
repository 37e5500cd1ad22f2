package api

import (
	"context"

	"hew/server/mirror"
	"hew/server/rest"
	"hew/server/scope"
	"hew/server/tree"
)

// pullMirrors are the routes of what projects follow. The attributes of projects say what that is.
type pullMirrors struct{}

func (a pullMirrors) routes() []rest.Route {
	const one = "/projects/{id}/mirror/pull"
	return []rest.Route{
		rest.Get(one, scope.ForProject(adminPullMirror), a.show),
		rest.Get(one+"/public_key", scope.ForProject(adminPullMirror), a.showKey),
		rest.Put(one, scope.ForProject(adminPullMirror), a.update),
		rest.Post(one, scope.ForProject(adminPullMirror), a.start).Status(200),
	}
}

// pullMirrorView is a mirror with the attributes of its project.
type pullMirrorView struct {
	mirror.PullMirror
	Enabled            bool    `json:"enabled"`
	TriggerBuilds      bool    `json:"mirror_trigger_builds"`
	OnlyProtected      *bool   `json:"only_mirror_protected_branches"`
	OverwritesDiverged *bool   `json:"mirror_overwrites_diverged_branches"`
	BranchRegex        *string `json:"mirror_branch_regex"`

	HostKeys []hostKeyView `json:"host_keys"` // none: no host was met yet by SSH
}

func pullMirrorViewOf(p tree.Project, m mirror.PullMirror) pullMirrorView {
	s := p.Settings
	return pullMirrorView{
		m, s.Mirror, s.MirrorTriggerBuilds, s.OnlyMirrorProtectedBranches, s.MirrorOverwritesDiverged,
		s.MirrorBranchRegex, hostKeyViewsOf(m.SSH),
	}
}

func (pullMirrors) show(ctx context.Context, s scope.InProject, _ rest.None) (pullMirrorView, error) {
	m, err := mirror.FindPullMirror(ctx, s.Store, s.Project.ID)
	return pullMirrorViewOf(s.Project.Project, m), err
}

func (pullMirrors) showKey(ctx context.Context, s scope.InProject, _ rest.None) (publicKey, error) {
	key, err := mirror.PullPublicKey(ctx, s.Store, s.Project.ID)
	return publicKey{key}, err
}

type pullMirrorChange struct {
	HostKeys []string `param:"host_keys,required"`
}

// update sets the host keys alone: all else are attributes of the project.
func (pullMirrors) update(ctx context.Context, s scope.InProject, in pullMirrorChange) (pullMirrorView, error) {
	m, err := mirror.SetPullHostKeys(ctx, s.Store, s.Project.ID, in.HostKeys)
	return pullMirrorViewOf(s.Project.Project, m), err
}

// start answers with the status, as the public service does.
func (pullMirrors) start(ctx context.Context, s scope.InProject, _ rest.None) (int, error) {
	return 200, mirror.PullNow(ctx, s.Store, s.Project.Project)
}
