package scope

import (
	"hew/server/db"
	"hew/server/policy"
	"hew/server/rest"
	"hew/server/tree"
)

// Container is a group or a project that holds something both can hold: the scope of the routes for
// it. Where the instance can hold it too, that is an empty container.
type Container struct {
	Anyone
	db.Container
	Source tree.Source // the same as what members belong to
	who    policy.Who
	can    func(policy.Ability) bool
}

// Who is the caller as the group or project sees him.
func (c Container) Who() policy.Who { return c.who }

// Can says whether the caller may do more than what the guard asked for.
func (c Container) Can(a policy.Ability) bool { return c.can(a) }

func (g InGroup) Container() Container {
	return Container{
		Anyone: g.Anyone, Container: g.Group.Container(), Source: tree.InGroup(g.Group.Group), who: g.Who(), can: g.Can,
	}
}

func (p InProject) Container() Container {
	return Container{
		Anyone: p.Anyone, Container: p.Project.Container(), Source: tree.InProject(p.Project.Project), who: p.Who(),
		can: p.Can,
	}
}

// HeldByGroup admits whoever has the ability on the group of the path to what it holds.
func HeldByGroup(need policy.Ability, scopes ...string) rest.Guard[Container] {
	return As(ForGroup(need, scopes...), InGroup.Container)
}

// HeldByProject admits whoever has the ability on the project of the path to what it holds.
func HeldByProject(need policy.Ability, scopes ...string) rest.Guard[Container] {
	return As(ForProject(need, scopes...), InProject.Container)
}

// Container is the instance, which holds what is for all groups and projects.
func (a Admin) Container() Container {
	return Container{Anyone: a.Anyone, who: Who(a.Caller, 0), can: a.Can}
}
