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
}

func pullMirrorViewOf(p tree.Project, m mirror.PullMirror) pullMirrorView {
	s := p.Settings
	return pullMirrorView{
		m, s.Mirror, s.MirrorTriggerBuilds, s.OnlyMirrorProtectedBranches, s.MirrorOverwritesDiverged,
		s.MirrorBranchRegex,
	}
}

func (pullMirrors) show(ctx context.Context, s scope.InProject, _ rest.None) (pullMirrorView, error) {
	m, err := mirror.FindPullMirror(ctx, s.Store, s.Project.ID)
	return pullMirrorViewOf(s.Project.Project, m), err
}

// start answers with the status, as the public service does.
func (pullMirrors) start(ctx context.Context, s scope.InProject, _ rest.None) (int, error) {
	return 200, mirror.PullNow(ctx, s.Store, s.Project.Project)
}
