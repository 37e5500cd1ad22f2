package api

import "hew/server/policy"

// The abilities of this domain and the roles that have them.
var (
	// open merge requests for branches of the project, and for those of forks in the project
	createFrom = policy.Ability{
		Name: "create_merge_request_from", Min: policy.Developer, Feature: policy.Repository, Writes: true,
	}
	createIn = policy.Ability{
		Name: "create_merge_request_in", Min: policy.Reporter, Public: true, Feature: policy.MergeRequests, Writes: true,
	}
	// labels, milestones, people and time, and the merge requests of others
	adminRequest = policy.Ability{
		Name: "admin_merge_request", Min: policy.Developer, Feature: policy.MergeRequests, Writes: true,
	}
	// the text and the state of merge requests that the caller made or is assigned to
	editOwnRequest = policy.Ability{
		Name: "edit_own_merge_request", Min: policy.Reporter, Public: true, Feature: policy.MergeRequests, Writes: true,
	}
	// merge, and rebase; who may merge into the branch, or push to it, is asked beside that
	acceptRequest = policy.Ability{
		Name: "accept_merge_request", Min: policy.Reporter, Public: true, Feature: policy.MergeRequests, Writes: true,
	}
	// what concerns the caller alone
	followRequest = policy.Ability{
		Name: "follow_merge_request", Min: policy.Guest, Public: true, Feature: policy.MergeRequests,
	}
	createNote = policy.Ability{
		Name: "create_merge_request_note", Min: policy.Guest, Public: true, Feature: policy.MergeRequests, Writes: true,
	}
	// the notes of others
	adminNote = policy.Ability{
		Name: "admin_merge_request_note", Min: policy.Maintainer, Feature: policy.MergeRequests, Writes: true,
	}
	awardEmoji = policy.Ability{
		Name: "award_merge_request_emoji", Min: policy.Guest, Public: true, Feature: policy.MergeRequests, Writes: true,
		Hidden: true,
	}
	deleteRequest = policy.Ability{
		Name: "delete_merge_request", Min: policy.Owner, Feature: policy.MergeRequests, Writes: true,
	}
	// approve; reporters may by some rules, so that the rules decide
	approveRequest = policy.Ability{
		Name: "approve_merge_request", Min: policy.Reporter, Feature: policy.MergeRequests, Writes: true, Unsigned: true,
	}
	resetApprovals = policy.Ability{
		Name: "reset_merge_request_approvals", Min: policy.Developer, Feature: policy.MergeRequests, Writes: true,
		Unsigned: true,
	}
	// edit the approval rules of the merge requests of others
	adminApprovers = policy.Ability{
		Name: "admin_merge_request_approvers", Min: policy.Maintainer, Feature: policy.MergeRequests, Writes: true,
	}
)

var abilities = []policy.Ability{
	createFrom, createIn, adminRequest, editOwnRequest, acceptRequest, followRequest, createNote, adminNote, awardEmoji,
	deleteRequest, approveRequest, resetApprovals, adminApprovers,
}
