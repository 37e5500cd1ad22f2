package scope

import (
	"context"
	"net/http"

	"hew/server/auth"
	"hew/server/db"
	"hew/server/fault"
	"hew/server/policy"
	"hew/server/rest"
	"hew/server/tree"
)

// Anyone is the scope of a route that needs no caller.
type Anyone struct {
	Store  *db.Store // the pool, or the transaction of this request
	Caller auth.Caller
}

// Signed is the scope of a route that needs a user.
type Signed struct{ Anyone }

// Admin is the scope of a route for administrators.
type Admin struct{ Signed }

// InGroup is the scope of a route of a group.
type InGroup struct {
	Anyone
	Group tree.FoundGroup
}

// InProject is the scope of a route of a project.
type InProject struct {
	Anyone
	Project tree.FoundProject
}

// Who returns the caller with its access level in the group.
func (g InGroup) Who() policy.Who {
	w := Who(g.Caller, g.Group.Level)
	w.Inside = policy.Level(g.Group.Below)
	return w
}

// Can reports whether the caller has an ability besides the one that the guard asked for.
func (g InGroup) Can(a policy.Ability) bool { return policy.Can(g.Who(), a, onGroup(g.Group)) }

// Who returns the caller with its access level in the project.
func (p InProject) Who() policy.Who { return Who(p.Caller, p.Project.Level) }

// Can reports whether the caller has an ability besides the one that the guard asked for.
func (p InProject) Can(a policy.Ability) bool { return policy.Can(p.Who(), a, OnProject(p.Project)) }

// CanAround reports whether the caller has an ability in the group that contains the project.
func (p InProject) CanAround(a policy.Ability) bool {
	return policy.Can(Who(p.Caller, p.Project.GroupLevel), a, policy.On{Pending: p.Project.Pending})
}

// Can reports whether the caller has an ability that concerns the instance.
func (a Anyone) Can(b policy.Ability) bool {
	return policy.Can(Who(a.Caller, 0), b, policy.On{})
}

// Viewer returns the caller as the viewer of invited groups and their members.
func (a Anyone) Viewer() tree.Viewer {
	return tree.Viewer{UserID: a.Caller.ID(), All: a.Caller.Admin()}
}

// ForAnyone returns a guard that admits every caller. A token needs one of the scopes, or api, or
// read_api if the request only reads.
func ForAnyone(scopes ...string) rest.Guard[Anyone] {
	return rest.Guard[Anyone]{Need: "anyone", Open: func(ctx context.Context, r *http.Request) (Anyone, error) {
		return open(ctx, r, scopes...)
	}}
}

// ForSigned returns a guard that admits signed-in users; others get 401.
func ForSigned(scopes ...string) rest.Guard[Signed] {
	return rest.Guard[Signed]{Need: "signed", Open: func(ctx context.Context, r *http.Request) (Signed, error) {
		s, err := open(ctx, r, scopes...)
		if err == nil && !s.Caller.Signed() {
			err = fault.Unauthorized()
		}
		return Signed{s}, err
	}}
}

// ForAdmin returns a guard that admits administrators; other users get 403.
func ForAdmin() rest.Guard[Admin] {
	signed := ForSigned()
	return rest.Guard[Admin]{Need: "admin", Open: func(ctx context.Context, r *http.Request) (Admin, error) {
		user, err := signed.Open(ctx, r)
		if err == nil && !user.Can(policy.AdminInstance) {
			err = fault.Forbidden("")
		}
		return Admin{user}, err
	}}
}

// ForGroup returns a guard that finds the group of the path and admits callers with the ability on
// it. Callers who cannot see the group get 404.
func ForGroup(need policy.Ability, scopes ...string) rest.Guard[InGroup] {
	return guard(need, scopes, func(ctx context.Context, caller Anyone, ref string) (InGroup, error) {
		group, err := tree.GroupFor(ctx, caller.Store, ref, caller.Caller.ID())
		return InGroup{caller, group}, err
	})
}

// ForProject returns a guard that finds the project of the path and admits callers with the ability
// on it. Callers who cannot see the project get 404.
func ForProject(need policy.Ability, scopes ...string) rest.Guard[InProject] {
	return guard(need, scopes, func(ctx context.Context, caller Anyone, ref string) (InProject, error) {
		project, err := tree.ProjectFor(ctx, caller.Store, ref, caller.Caller.ID())
		return InProject{caller, project}, err
	})
}

// guard returns a guard of the object that the wildcard {id} of a path names. It reads before the
// request's transaction begins. When a handler takes its first lock, the guard checks again, since
// the level or the object may have changed in between.
func guard[S interface{ Place() place }](
	need policy.Ability, scopes []string, find func(ctx context.Context, caller Anyone, ref string) (S, error),
) rest.Guard[S] {
	return rest.Guard[S]{Need: need.Name, Open: func(ctx context.Context, r *http.Request) (S, error) {
		var none S
		caller, err := open(ctx, r, scopes...)
		switch {
		case err != nil:
			return none, err
		case !caller.Caller.Signed() && !forNobody(need, r):
			return none, fault.Unauthorized()
		}
		ref := r.PathValue("id")
		s, err := find(ctx, caller, ref)
		if err != nil {
			return none, err
		}
		if !reads(r) {
			caller.Store.OnLock(func(ctx context.Context, tx *db.Store) error {
				now, err := find(ctx, Anyone{Store: tx, Caller: caller.Caller}, ref)
				if err != nil {
					return err
				}
				return now.Place().Admit(need, ref)
			})
		}
		return s, s.Place().Admit(need, ref)
	}}
}

// open returns the caller if its token has one of the scopes; every guard begins with it. read_api
// is enough for requests that only read.
func open(ctx context.Context, r *http.Request, scopes ...string) (Anyone, error) {
	if reads(r) {
		scopes = append([]string{"read_api"}, scopes...)
	}
	s := Anyone{Store: db.From(ctx), Caller: auth.From(ctx)}
	return s, s.Caller.Need(scopes...)
}

// place holds what Admit has to know of the object that a request names.
type place struct {
	What, path string
	former     bool // the request used a former path of the object
	Seen       bool
	Can        func(policy.Ability) bool
}

// Place returns the group for Admit.
func (g InGroup) Place() place {
	return place{"Group", g.Group.FullPath, g.Group.Former, g.Can(policy.ReadGroup), g.Can}
}

// Place returns the project for Admit.
func (p InProject) Place() place {
	return place{"Project", p.Project.FullPath, p.Project.Former, p.Can(policy.ReadProject), p.Can}
}

// Admit returns nil if the caller has the ability. Callers who cannot see the object get 404. A
// former path is redirected. Callers who can see the object but lack the ability get 403, or 404 or
// 401 where the ability says so.
func (p place) Admit(need policy.Ability, ref string) error {
	switch {
	case !p.Seen:
		return fault.NotFound(p.What)
	case p.former:
		return fault.Moved(p.What, ref, p.path)
	case p.Can(need):
		return nil
	case need.Hidden:
		return fault.NotFound("")
	case need.Unsigned:
		return fault.Unauthorized()
	}
	return fault.Forbidden("")
}

func reads(r *http.Request) bool { return r.Method == http.MethodGet || r.Method == http.MethodHead }

// forNobody reports whether a request without a user can succeed: it only reads, and the ability
// may be open to the public.
func forNobody(need policy.Ability, r *http.Request) bool {
	return reads(r) && need.Public
}

// Who returns a caller as policy sees it, with this access level; 0 for none.
func Who(c auth.Caller, level int) policy.Who {
	return policy.Who{
		ID: c.ID(), Level: policy.Level(level), Admin: c.Admin(), External: c.User.External,
		CreateGroup: c.User.CanCreateGroup,
	}
}

func onGroup(g tree.FoundGroup) policy.On {
	return policy.On{
		Visibility: policy.Visibility(g.Visibility), Pending: g.Pending,
		ProjectCreation: g.Settings.ProjectCreationLevel, SubgroupCreation: g.Settings.SubgroupCreationLevel,
	}
}

// OnProject returns a project as policy sees it.
func OnProject(p tree.FoundProject) policy.On {
	return policy.On{
		Visibility: policy.Visibility(p.Visibility), Archived: p.Archived, Pending: p.Pending,
		Features: map[policy.Feature]policy.Access{
			policy.Issues:        policy.Access(p.Settings.IssuesAccess),
			policy.MergeRequests: policy.Access(p.Settings.MergeRequestsAccess),
			policy.Repository:    policy.Access(p.Settings.RepositoryAccess),
		},
	}
}
