package api

import "hew/server/policy"

// The abilities of this domain: what concerns the caller alone.
var (
	createIssueTodo = policy.Ability{
		Name: "create_issue_todo", Min: policy.Guest, Public: true, Feature: policy.Issues,
	}
	createRequestTodo = policy.Ability{
		Name: "create_merge_request_todo", Min: policy.Guest, Public: true, Feature: policy.MergeRequests,
	}
	createEpicTodo = policy.Ability{Name: "create_epic_todo", Min: policy.Guest, Public: true}
)

var abilities = []policy.Ability{createIssueTodo, createRequestTodo, createEpicTodo}
