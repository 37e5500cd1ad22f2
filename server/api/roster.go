package api

import (
	"hew/server/forge"
	"hew/server/policy"
	"hew/server/store"
)

// roster is a group or a project as far as its members go: the scope of the routes for them.
type roster struct {
	Anyone
	forge.Roster
	owner bool // the caller owns the group, or the one that the project is in
	seats bool // the answer is to say who uses a seat of the licence
}

func (g InGroup) roster() roster {
	admin := g.Can(policy.AdminGroupMember)
	return roster{Anyone: g.Anyone, owner: admin, Roster: forge.Roster{
		Source: store.InGroup(g.Group.Group), By: g.Who(), Admin: admin, Minimal: g.Group.ParentID == nil,
	}}
}

func (p InProject) roster() roster {
	around := who(p.Caller, p.Project.GroupLevel)
	return roster{Anyone: p.Anyone, owner: policy.Can(around, policy.AdminGroupMember, policy.On{}), Roster: forge.Roster{
		Source: store.InProject(p.Project.Project), By: p.Who(), Admin: p.Can(policy.AdminProjectMember),
	}}
}
