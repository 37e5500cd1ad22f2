package scope

import (
	"hew/server/db"
	"hew/server/policy"
	"hew/server/rest"
	"hew/server/tree"
)

// Container is the scope of routes that groups and projects share, such as those of labels. An
// empty db.Container is the instance.
type Container struct {
	Anyone
	db.Container
	Source tree.Source // the same group or project, as the source of members
	who    policy.Who
	can    func(policy.Ability) bool
}

// Who returns the caller with its access level in the group or project.
func (c Container) Who() policy.Who { return c.who }

// Can reports whether the caller has an ability besides the one that the guard asked for.
func (c Container) Can(a policy.Ability) bool { return c.can(a) }

// Container returns the scope of what the group holds.
func (g InGroup) Container() Container {
	return Container{
		Anyone: g.Anyone, Container: g.Group.Container(), Source: tree.InGroup(g.Group.Group), who: g.Who(), can: g.Can,
	}
}

// Container returns the scope of what the project holds.
func (p InProject) Container() Container {
	return Container{
		Anyone: p.Anyone, Container: p.Project.Container(), Source: tree.InProject(p.Project.Project), who: p.Who(),
		can: p.Can,
	}
}

// HeldByGroup returns ForGroup with a Container as its scope.
func HeldByGroup(need policy.Ability, scopes ...string) rest.Guard[Container] {
	return As(ForGroup(need, scopes...), InGroup.Container)
}

// HeldByProject returns ForProject with a Container as its scope.
func HeldByProject(need policy.Ability, scopes ...string) rest.Guard[Container] {
	return As(ForProject(need, scopes...), InProject.Container)
}

// Container returns the scope of what the instance holds for all groups and projects.
func (a Admin) Container() Container {
	return Container{Anyone: a.Anyone, who: Who(a.Caller, 0), can: a.Can}
}
