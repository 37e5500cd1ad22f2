package api

import (
	"context"
	"net/http"
	"strconv"

	"hew/server/auth"
	"hew/server/db"
	"hew/server/fault"
	"hew/server/packages"
	"hew/server/policy"
	"hew/server/rest"
	"hew/server/scope"
	"hew/server/setting"
	"hew/server/tree"
)

// realm is what clients of packages ask their users a name and a password for (gaps §11).
const realm = "GitLab Packages Registry"

// The scopes of deploy tokens for packages.
const (
	readScope  = "read_package_registry"
	writeScope = "write_package_registry"
)

// toRead and toWrite return guards of the packages of the project in the path. They admit jobs and
// deploy tokens, too.
func toRead(need policy.Ability) rest.Guard[scope.InProject] {
	return scope.ForProjectBy(need, findRegistry, auth.JobScope, readScope)
}

func toWrite(need policy.Ability) rest.Guard[scope.InProject] {
	return scope.ForProjectBy(need, finderFor(need), auth.JobScope, writeScope)
}

// groupToRead returns a guard of the packages of the group in the path.
func groupToRead() rest.Guard[scope.InGroup] {
	return scope.ForGroupBy(readGroupPackages, findGroupRegistry, auth.JobScope, readScope)
}

// challengeAnonymous returns a guard that admits those of another guard, and asks callers without a
// token for one where others are told that there is nothing.
func challengeAnonymous[S any](g rest.Guard[S]) rest.Guard[S] {
	return rest.Guard[S]{Need: g.Need, Open: func(ctx context.Context, r *http.Request) (S, error) {
		s, err := g.Open(ctx, r)
		if code := fault.CodeOf(err); code == fault.CodeNotFound || code == fault.CodeForbidden {
			if !auth.From(ctx).Known() {
				err = fault.Unauthorized()
			}
		}
		return s, err
	}}
}

// findRegistry returns a project as a scope. Deploy tokens have a level in it, and a project whose
// packages anybody may read is as good as public here, except that those who may not see it are not
// told its path.
func findRegistry(ctx context.Context, caller scope.Anyone, ref string) (scope.InProject, error) {
	p, err := scope.FindProject(ctx, caller, ref)
	if err != nil {
		return p, err
	}
	if t := caller.Caller.DeployToken; t != nil && t.Reaches(p.Project.Project) {
		p.Project.Level = int(deployLevel(caller.Caller))
	}
	s := p.Project.Settings
	if s.PackagesEnabled && policy.Access(s.PackageRegistryAccess) == tree.PublicPackages {
		settings, err := setting.Read(ctx, caller.Store)
		if err != nil {
			return p, err
		}
		if settings.PublicPackages && p.Project.Visibility != db.Public {
			p.Project.Former = p.Project.Former && p.Can(policy.ReadProject)
			p.Project.Visibility = db.Public
			p.Project.Settings.BuildsAccess = string(policy.MembersOnly) // pipelines are as they were
		}
	}
	return p, nil
}

// finderFor returns what finds a project for callers who need an ability. Deploy tokens that may
// publish may also delete (gaps §11), as maintainers do.
func finderFor(need policy.Ability) func(context.Context, scope.Anyone, string) (scope.InProject, error) {
	if need.Name != destroyPackage.Name {
		return findRegistry
	}
	return func(ctx context.Context, caller scope.Anyone, ref string) (scope.InProject, error) {
		p, err := findRegistry(ctx, caller, ref)
		if t := caller.Caller.DeployToken; err == nil && t != nil && t.Reaches(p.Project.Project) &&
			caller.Caller.Allows(writeScope) {
			p.Project.Level = int(policy.Maintainer)
		}
		return p, err
	}
}

// findGroupFeed returns a group as a scope whose feed is read. A group with a project whose
// packages anybody may read is as good as public here, except that those who may not see it are not
// told its path (gaps §11): the feed then has those packages.
func findGroupFeed(ctx context.Context, caller scope.Anyone, ref string) (scope.InGroup, error) {
	g, err := findGroupRegistry(ctx, caller, ref)
	if err != nil || g.Can(readGroupPackages) {
		return g, err
	}
	settings, err := setting.Read(ctx, caller.Store)
	if err != nil || !settings.PublicPackages {
		return g, err
	}
	public, err := packages.PublicInGroup(ctx, caller.Store, g.Group.ID)
	if public {
		g.Group.Visibility, g.Group.Former = db.Public, false
	}
	return g, err
}

// findGroupRegistry returns a group as a scope, in which deploy tokens of it, or of a group above
// it, have a level.
func findGroupRegistry(ctx context.Context, caller scope.Anyone, ref string) (scope.InGroup, error) {
	g, err := scope.FindGroup(ctx, caller, ref)
	if t := caller.Caller.DeployToken; err == nil && t != nil && t.ReachesGroup(g.Group.Group) {
		g.Group.Level = int(policy.Reporter)
	}
	return g, err
}

// deployLevel is the level that a deploy token stands for.
func deployLevel(c auth.Caller) policy.Level {
	if c.Allows(writeScope) {
		return policy.Developer
	}
	return policy.Reporter
}

// publisher returns the caller as who publishes or deletes packages of a project, for which they
// need an ability.
func publisher(ctx context.Context, s scope.InProject, need policy.Ability) (packages.Publisher, error) {
	by := packages.Publisher{Level: policy.Level(s.Project.Level), Admin: s.Caller.Admin()}
	by.Reload = func(ctx context.Context, tx *db.Store) (packages.Publisher, error) {
		caller, err := s.Caller.Reload(ctx, tx)
		if err != nil {
			return by, err
		}
		now := by
		find, ref := finderFor(need), strconv.FormatInt(s.Project.ID, 10)
		p, err := find(ctx, scope.Anyone{Store: tx, Caller: caller}, ref)
		if err != nil {
			return by, err
		}
		now.Level, now.Admin = policy.Level(p.Project.Level), caller.Admin()
		return now, p.Place().Admit(need, "")
	}
	if s.Caller.Signed() {
		by.UserID = new(s.Caller.ID())
	}
	if t := s.Caller.JobToken; t != nil {
		id, err := packages.PipelineOf(ctx, s.Store, t.JobID)
		by.PipelineID = &id
		return by, err
	}
	return by, nil
}

// readerOf returns the caller as who reads the packages of a group.
func readerOf(ctx context.Context, s scope.InGroup) (packages.Reader, error) {
	settings, err := setting.Read(ctx, s.Store)
	r := packages.Reader{
		UserID: s.Caller.ID(), Open: scope.OpenTo(s.Caller), All: s.Caller.Admin(), Anyone: settings.PublicPackages,
	}
	if t := s.Caller.DeployToken; t != nil {
		r.DeployGroup, r.DeployProject = db.OrZero(t.NamespaceID), db.OrZero(t.ProjectID)
	}
	if t := s.Caller.JobToken; t != nil {
		r.Job = &packages.JobScope{ProjectID: t.ProjectID, NamespaceIDs: t.NamespaceIDs}
	}
	return r, err
}
