package merge

import (
	"hew/server/git/object"
	"hew/server/tree"
)

// Action says what a change did to a merge request, as hooks call it (gaps §13.6).
type Action string

// The actions. Approving is of one of several approvals that are needed, Approved of the last one.
const (
	Opening    Action = "open"
	Updating   Action = "update"
	Closing    Action = "close"
	Reopening  Action = "reopen"
	Merging    Action = "merge"
	Approving  Action = "approval"
	Approved   Action = "approved"
	Unapproved Action = "unapproved"
	Unapproval Action = "unapproval"
)

// Changed is emitted after a merge request was created or changed, in the transaction that does it.
type Changed struct {
	Project         tree.Project // the target
	Before, Request Request      // Before is zero for a new merge request
	Action          Action
	By              tree.User
	OldHead         object.ID // of a push to the source branch: where it was before
	DraftCommit     object.ID // of such a push: the commit whose title makes the merge request a draft
	Automatic       Automatic // what the server did it for, and nobody asked for; "": By did it
}

// Automatic is a reason for which the server changes a merge request by itself, as hooks call it.
type Automatic string

// A push took approvals back: all of them, or those of code owners (more §6.3).
const (
	ApprovalsReset Automatic = "approvals_reset_on_push"
	OwnersReset    Automatic = "code_owner_approvals_reset_on_push"
)

// Deleted is emitted before a merge request is deleted.
type Deleted struct {
	Project tree.Project
	Request Request
	By      tree.User
}

// actionOf returns what changing a state from one to another is.
func actionOf(before, now string) Action {
	switch {
	case before == now:
		return Updating
	case now == Closed:
		return Closing
	case now == Merged:
		return Merging
	case now == Opened && before == Closed:
		return Reopening
	}
	return Updating
}
