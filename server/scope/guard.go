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

// InGroup is the scope of a route of a group that the caller may do something with.
type InGroup struct {
	Anyone
	Group tree.FoundGroup
}

// InProject is the scope of a route of a project that the caller may do something with.
type InProject struct {
	Anyone
	Project tree.FoundProject

	Collaborates bool // a merge request lets the caller push to a branch; known where pushes are
}

// Who returns the caller with the level in the group.
func (g InGroup) Who() policy.Who {
	w := Who(g.Caller, g.Group.Level)
	w.Inside = policy.Level(g.Group.Below)
	return w
}

// Can reports whether the caller has an ability besides the one that the guard required.
func (g InGroup) Can(a policy.Ability) bool { return policy.Can(g.Who(), a, onGroup(g.Group)) }

// Who returns the caller with the level in the project.
func (p InProject) Who() policy.Who {
	w := Who(p.Caller, p.Project.Level)
	w.Collaborates = p.Collaborates
	return w
}

// Can reports whether the caller has an ability besides the one that the guard required.
func (p InProject) Can(a policy.Ability) bool { return policy.Can(p.Who(), a, p.Project.On()) }

// CanAround reports whether the caller has an ability in the group of the project.
func (p InProject) CanAround(a policy.Ability) bool {
	return policy.Can(Who(p.Caller, p.Project.GroupLevel), a, policy.On{Pending: p.Project.Pending})
}

// Can reports whether the caller has an ability that concerns no group or project.
func (a Anyone) Can(b policy.Ability) bool {
	return policy.Can(Who(a.Caller, 0), b, policy.On{})
}

// Viewer returns the caller for queries that leave out what the caller may not see.
func (a Anyone) Viewer() tree.Viewer {
	return tree.Viewer{UserID: a.Caller.ID(), All: a.Caller.Admin()}
}

// ForAnyone returns a guard that admits everybody. The scopes are those of tokens that are accepted
// besides api and read_api.
func ForAnyone(scopes ...string) rest.Guard[Anyone] {
	return rest.Guard[Anyone]{Need: "anyone", Open: func(ctx context.Context, r *http.Request) (Anyone, error) {
		return open(ctx, r, scopes...)
	}}
}

// ForSigned returns a guard that admits users.
func ForSigned(scopes ...string) rest.Guard[Signed] {
	return rest.Guard[Signed]{Need: "signed", Open: func(ctx context.Context, r *http.Request) (Signed, error) {
		s, err := open(ctx, r, scopes...)
		if err == nil && !s.Caller.Signed() {
			err = fault.Unauthorized()
		}
		return Signed{s}, err
	}}
}

// ForAdmin returns a guard that admits administrators.
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
// it. A group that the caller may not see is not found.
func ForGroup(need policy.Ability, scopes ...string) rest.Guard[InGroup] {
	return ForGroupBy(need, FindGroup, scopes...)
}

// ForGroupBy is ForGroup with a way to find the group that adds to it what the ability depends on.
func ForGroupBy(
	need policy.Ability, find func(ctx context.Context, caller Anyone, ref string) (InGroup, error), scopes ...string,
) rest.Guard[InGroup] {
	return guard(need, scopes, find)
}

// ForProject returns a guard that finds the project of the path and admits callers with the ability
// on it. A project that the caller may not see is not found.
func ForProject(need policy.Ability, scopes ...string) rest.Guard[InProject] {
	return ForProjectBy(need, FindProject, scopes...)
}

// ForProjectBy is ForProject with a way to find the project that adds to it what the ability
// depends on.
func ForProjectBy(
	need policy.Ability, find func(ctx context.Context, caller Anyone, ref string) (InProject, error), scopes ...string,
) rest.Guard[InProject] {
	return guard(need, scopes, find)
}

// guard returns a guard of the group or project that {id} in the path stands for. If the request
// writes, the check is repeated under its first lock.
func guard[S interface{ Place() place }](
	need policy.Ability, scopes []string, find func(ctx context.Context, caller Anyone, ref string) (S, error),
) rest.Guard[S] {
	return rest.Guard[S]{Need: need.Name, Open: func(ctx context.Context, r *http.Request) (S, error) {
		var none S
		caller, err := open(ctx, r, scopes...)
		switch {
		case err != nil:
			return none, err
		case !caller.Caller.Known() && !forNobody(need, r):
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

// open checks the scopes of the token, as every guard does first. Requests that read also accept
// read_api.
func open(ctx context.Context, r *http.Request, scopes ...string) (Anyone, error) {
	if reads(r) {
		scopes = append([]string{"read_api"}, scopes...)
	}
	s := Anyone{Store: db.From(ctx), Caller: auth.From(ctx)}
	return s, s.Caller.Need(scopes...)
}

// place is what refusals depend on: the group or project of a request, and the caller's rights.
type place struct {
	What, path string
	former     bool // the request has an earlier path of it
	Seen       bool
	Can        func(policy.Ability) bool
}

// Place returns the group with what its refusals depend on.
func (g InGroup) Place() place {
	return place{"Group", g.Group.FullPath, g.Group.Former, g.Can(policy.ReadGroup), g.Can}
}

// Place returns the project with what its refusals depend on.
func (p InProject) Place() place {
	return place{"Project", p.Project.FullPath, p.Project.Former, p.Can(policy.ReadProject), p.Can}
}

// Admit returns nil if the caller has the ability, or else the refusal. What the caller may not
// read is not found, an earlier path is redirected only for those who may read, and what the caller
// may read but not do is forbidden, or not found if the policy hides it.
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

// forNobody reports whether a request without a caller may be admitted: it only reads, and
// everybody can have the ability.
func forNobody(need policy.Ability, r *http.Request) bool {
	return reads(r) && need.Public
}
