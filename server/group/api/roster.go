package api

import (
	"hew/server/group"
	"hew/server/policy"
	"hew/server/scope"
	"hew/server/tree"
)

// roster is a scope: a group or project whose members the caller acts on.
type roster struct {
	scope.Anyone
	group.Roster
	owner bool // the caller owns the group, or the one that the project is in
	seats bool // the answer shows who uses a seat of the license
}

func rosterOfGroup(g scope.InGroup) roster {
	admin := g.Can(adminGroupMember)
	return roster{Anyone: g.Anyone, owner: admin, Roster: group.Roster{
		Source: tree.InGroup(g.Group.Group), By: g.Who(), Need: adminGroupMember, Minimal: g.Group.ParentID == nil,
		Requestable: g.Group.Settings.RequestAccessEnabled,
	}}
}

func rosterOfProject(p scope.InProject) roster {
	around := scope.Who(p.Caller, p.Project.GroupLevel)
	return roster{Anyone: p.Anyone, owner: policy.Can(around, adminGroupMember, policy.On{}), Roster: group.Roster{
		Source: tree.InProject(p.Project.Project), By: p.Who(), Need: adminProjectMember,
		Requestable: p.Project.Settings.RequestAccessEnabled,
	}}
}
