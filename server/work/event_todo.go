package work

import "hew/server/tree"

// TodoAsked is emitted when a quick action asks for a to-do item of an issue, or says that it is
// done.
type TodoAsked struct {
	Project tree.Project
	Issue   Issue
	By      tree.User
	Done    bool
}
