package scope

import (
	"context"
	"net/http"
	"strconv"

	"hew/server/auth"
	"hew/server/db"
	"hew/server/policy"
	"hew/server/rest"
	"hew/server/setting"
	"hew/server/tree"
)

// As returns a guard that opens a view of the scope of g. With it groups and projects share the
// handlers of what both hold.
func As[S, T any](g rest.Guard[S], view func(S) T) rest.Guard[T] {
	return rest.Guard[T]{Need: g.Need, Open: func(ctx context.Context, r *http.Request) (T, error) {
		s, err := g.Open(ctx, r)
		if err != nil {
			var none T
			return none, err
		}
		return view(s), nil
	}}
}

// Unless returns a guard that also refuses callers for whom reason returns an error.
func Unless[S any](g rest.Guard[S], reason func(context.Context, S) error) rest.Guard[S] {
	return rest.Guard[S]{Need: g.Need, Open: func(ctx context.Context, r *http.Request) (S, error) {
		s, err := g.Open(ctx, r)
		if err == nil {
			err = reason(ctx, s)
		}
		return s, err
	}}
}

// Reserved returns a reason for Unless: refusal, for callers other than administrators if the
// settings reserve something for those.
func Reserved(where func(setting.Settings) bool, refusal error) func(context.Context, Container) error {
	return func(ctx context.Context, s Container) error {
		settings, err := setting.Read(ctx, s.Store)
		if err == nil && where(settings) && !s.Caller.Admin() {
			err = refusal
		}
		return err
	}
}

// OpenTo returns the least visibility of what the caller sees without being a member.
func OpenTo(c auth.Caller) db.Visibility {
	switch {
	case c.Admin():
		return db.Private
	case c.Signed() && !c.User.External:
		return db.Internal
	}
	return db.Public
}

// InGroup opens the scope of a group that a parameter names, with the checks of ForGroup.
func (a Anyone) InGroup(ctx context.Context, id int64, need policy.Ability) (InGroup, error) {
	found, err := tree.GroupFor(ctx, a.Store, strconv.FormatInt(id, 10), a.Caller.ID())
	if err != nil {
		return InGroup{}, err
	}
	g := InGroup{a, found}
	return g, g.Place().Admit(need, "")
}

// FindGroup returns a group as a scope, without any check.
func FindGroup(ctx context.Context, caller Anyone, ref string) (InGroup, error) {
	group, err := tree.GroupFor(ctx, caller.Store, ref, caller.Caller.ID())
	return InGroup{caller, group}, err
}

// FindProject returns a project as a scope, with what a caller who is a job may do there, and
// without any check.
func FindProject(ctx context.Context, caller Anyone, ref string) (InProject, error) {
	project, err := tree.ProjectFor(ctx, caller.Store, ref, caller.Caller.ID())
	if err == nil {
		err = caller.Caller.Within(ctx, caller.Store, &project)
	}
	return InProject{Anyone: caller, Project: project}, err
}

// InProjectRef returns another project than that of the path, by id or full path, as a scope, if
// the caller has the ability on it; otherwise the fault that a route of it would answer with.
func (a Anyone) InProjectRef(ctx context.Context, ref string, need policy.Ability) (InProject, error) {
	p, err := FindProject(ctx, a, ref)
	if err != nil {
		return InProject{}, err
	}
	return p, p.Place().Admit(need, "")
}
