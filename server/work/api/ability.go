package api

import "hew/server/policy"

// The abilities of this domain and the roles that have them.
var (
	readGroupLabel = policy.Ability{
		Name: "read_group_label", Min: policy.Guest, Public: true, Also: policy.IsMemberInside,
	}
	// ReadGroupMilestone is the ability to read the milestones of a group.
	ReadGroupMilestone = policy.Ability{
		Name: "read_group_milestone", Min: policy.Guest, Public: true, Also: policy.IsMemberInside,
	}
	adminGroupLabel     = policy.Ability{Name: "admin_group_label", Min: policy.Planner, Writes: true}
	adminGroupMilestone = policy.Ability{Name: "admin_group_milestone", Min: policy.Planner, Writes: true}
	adminLabel          = policy.Ability{Name: "admin_label", Min: policy.Planner, Writes: true}
	createIssue         = policy.Ability{
		Name: "create_issue", Min: policy.Guest, Public: true, Feature: policy.Issues, Writes: true,
	}
	// labels, milestones, assignees, dates, weight, order, time, links, and the issues of others
	adminIssue = policy.Ability{Name: "admin_issue", Min: policy.Planner, Feature: policy.Issues, Writes: true}
	// the text and the state of issues that the caller made or is assigned to
	editOwnIssue = policy.Ability{
		Name: "edit_own_issue", Min: policy.Guest, Public: true, Feature: policy.Issues, Writes: true,
	}
	deleteIssue = policy.Ability{Name: "delete_issue", Min: policy.Owner, Feature: policy.Issues, Writes: true}
	// what concerns the caller alone
	followIssue    = policy.Ability{Name: "follow_issue", Min: policy.Guest, Public: true, Feature: policy.Issues}
	readEpic       = policy.Ability{Name: "read_epic", Min: policy.Guest, Public: true, Also: policy.IsMemberInside}
	adminEpic      = policy.Ability{Name: "admin_epic", Min: policy.Planner, Writes: true}
	deleteEpic     = policy.Ability{Name: "delete_epic", Min: policy.Owner, Writes: true}
	adminIteration = policy.Ability{Name: "admin_iteration", Min: policy.Planner, Writes: true}
	readIteration  = policy.Ability{
		Name: "read_iteration", Min: policy.Guest, Public: true, Also: policy.IsMemberInside,
	}
	createNote = policy.Ability{
		Name: "create_note", Min: policy.Guest, Public: true, Feature: policy.Issues, Writes: true,
	}
	// the notes of others
	adminNote  = policy.Ability{Name: "admin_note", Min: policy.Maintainer, Feature: policy.Issues, Writes: true}
	awardEmoji = policy.Ability{
		Name: "award_emoji", Min: policy.Guest, Public: true, Feature: policy.Issues, Writes: true, Hidden: true,
	}
	createEpicNote = policy.Ability{Name: "create_epic_note", Min: policy.Guest, Public: true, Writes: true}
	adminEpicNote  = policy.Ability{Name: "admin_epic_note", Min: policy.Maintainer, Writes: true}
	awardEpicEmoji = policy.Ability{
		Name: "award_epic_emoji", Min: policy.Guest, Public: true, Writes: true, Hidden: true,
	}
	adminMilestone = policy.Ability{Name: "admin_milestone", Min: policy.Planner, Writes: true}
)

var abilities = []policy.Ability{
	readGroupLabel, ReadGroupMilestone, adminGroupLabel, adminGroupMilestone, adminLabel, adminMilestone,
	createIssue, adminIssue, editOwnIssue, deleteIssue, followIssue,
	createNote, adminNote, awardEmoji, createEpicNote, adminEpicNote, awardEpicEmoji,
	readEpic, adminEpic, deleteEpic, readIteration, adminIteration,
}
