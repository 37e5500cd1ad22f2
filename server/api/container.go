package api

import (
	"hew/server/policy"
	"hew/server/store"
)

// container is a group or a project that holds something both can hold: the scope of the routes for it. Where the instance
// can hold it too, that is an empty container.
type container struct {
	Anyone
	store.Container
	source store.Source // the same as what members belong to
	who    policy.Who
	can    func(policy.Ability) bool
}

// Who is the caller as the group or project sees him.
func (c container) Who() policy.Who { return c.who }

// Can says whether the caller may do more than what the guard asked for.
func (c container) Can(a policy.Ability) bool { return c.can(a) }

func (g InGroup) container() container {
	return container{
		Anyone: g.Anyone, Container: g.Group.Container(), source: store.InGroup(g.Group.Group), who: g.Who(), can: g.Can,
	}
}

func (p InProject) container() container {
	return container{
		Anyone: p.Anyone, Container: p.Project.Container(), source: store.InProject(p.Project.Project), who: p.Who(), can: p.Can,
	}
}

// container is the instance, which holds what is for all groups and projects.
func (a Admin) container() container {
	return container{Anyone: a.Anyone, who: who(a.Caller, 0), can: a.Can}
}
