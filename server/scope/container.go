package scope

import (
	"hew/server/db"
	"hew/server/policy"
	"hew/server/rest"
	"hew/server/tree"
)

// Container is the scope of routes for what both groups and projects can hold: one of them, or the
// instance as an empty container.
type Container struct {
	Anyone
	db.Container
	Source tree.Source // the same group or project, as members belong to it
	who    policy.Who
	can    func(policy.Ability) bool
}

// Who returns the caller with the level in the group or project.
func (c Container) Who() policy.Who { return c.who }

// Can reports whether the caller has an ability besides the one that the guard required.
func (c Container) Can(a policy.Ability) bool { return c.can(a) }

// Container returns the group as a container.
func (g InGroup) Container() Container {
	return Container{
		Anyone: g.Anyone, Container: g.Group.Container(), Source: tree.InGroup(g.Group.Group), who: g.Who(), can: g.Can,
	}
}

// Container returns the project as a container.
func (p InProject) Container() Container {
	return Container{
		Anyone: p.Anyone, Container: p.Project.Container(), Source: tree.InProject(p.Project.Project), who: p.Who(),
		can: p.Can,
	}
}

// HeldByGroup returns a guard that admits callers with the ability on the group of the path.
func HeldByGroup(need policy.Ability, scopes ...string) rest.Guard[Container] {
	return As(ForGroup(need, scopes...), InGroup.Container)
}

// HeldByProject returns a guard that admits callers with the ability on the project of the path.
func HeldByProject(need policy.Ability, scopes ...string) rest.Guard[Container] {
	return As(ForProject(need, scopes...), InProject.Container)
}

// Container returns the instance as a container.
func (a Admin) Container() Container {
	return Container{Anyone: a.Anyone, who: Who(a.Caller, 0), can: a.Can}
}
