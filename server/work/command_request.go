package work

import (
	"context"
	"fmt"
	"regexp"
	"strings"

	"hew/server/db"
	"hew/server/event"
	"hew/server/tree"
)

// RequestAsked is emitted when a quick action asks for a branch of the default branch, and for a
// merge request of it that closes an issue. A listener that returns a fault refuses.
type RequestAsked struct {
	Project tree.Project
	Issue   Issue
	Branch  string
	By      tree.User
}

// maxBranchName is how long the names are that branches get from the titles of issues.
const maxBranchName = 100

var notInBranchName = regexp.MustCompile(`[^a-z0-9_]+`)

// branchName returns the name of a branch for an issue, such as "7-fix-the-login".
func branchName(i Issue) string {
	title := notInBranchName.ReplaceAllString(strings.ToLower(i.Title), "-")
	name := fmt.Sprint(i.IID, "-", strings.Trim(title, "-"))
	return strings.TrimRight(name[:min(len(name), maxBranchName)], "-")
}

// createRequestValue is the value of create_merge_request in commands_changes.
type createRequestValue struct {
	Branch *string `json:"branch_name"`
	IID    int     `json:"issue_iid"`
}

// askRequest has a branch and a merge request made for the issue, after all that the other commands
// change. They would tell the title of a confidential issue, which therefore gets none.
func askRequest(_ context.Context, _ *db.Store, r *issueRun, i *Issue, branch string) (string, error) {
	if i.ID == 0 || i.Confidential {
		return "", nil
	}
	r.Last(func(ctx context.Context, st *db.Store, i Issue) (string, error) {
		name, said := branch, "Created branch '"+branch+"' and a merge request to resolve this issue."
		if branch == "" {
			name, said = branchName(i), "Created a branch and a merge request to resolve this issue."
		}
		err := event.Emit(ctx, st, RequestAsked{Project: r.on.Project, Issue: i, Branch: name, By: r.Actor.User})
		if err == nil {
			r.Changes("create_merge_request", createRequestValue{db.NilIfZero(branch), i.IID})
		}
		return said, err
	})
	return "", nil
}
