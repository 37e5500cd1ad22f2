package merge

import (
	"context"
	"errors"
	"fmt"
	"net/url"

	"hew/schema/catalogue"
	"hew/server/code"
	"hew/server/db"
	"hew/server/fault"
	"hew/server/jobs"
	"hew/server/note"
	"hew/server/policy"
	"hew/server/protect"
	"hew/server/tree"
	"hew/server/work"
)

// requestForIssue asks for a branch and a merge request that closes an issue. It is a job, because
// transactions lock branches before issues, and who asks has locked the issue.
type requestForIssue struct {
	jobs.Sole
	IssueID int64  `json:"issue_id"`
	Branch  string `json:"branch"`
	UserID  int64  `json:"user_id"`
}

// Kind implements jobs.Args.
func (requestForIssue) Kind() string { return "create_issue_merge_request" }

// onRequestAsked enqueues the merge request for an issue, or returns why the user may not have it.
func onRequestAsked(ctx context.Context, st *db.Store, e work.RequestAsked) error {
	p, err := proposable(ctx, st, e.Project.ID, e.By)
	if err != nil {
		return err
	}
	if !catalogue.IsBranchName(e.Branch) {
		return fault.Invalid("branch", "is invalid")
	}
	by, err := authorIn(ctx, st, p, e.By)
	if err != nil {
		return err
	}
	protection, err := protect.ReadProtection(ctx, st, p.ID, by.Pusher)
	if err != nil {
		return err
	}
	if !protection.MayPush(e.Branch) {
		return fault.Forbidden("")
	}
	g, err := code.Open(ctx, st, p)
	if err != nil {
		return err
	}
	if empty, err := g.Empty(ctx); err != nil || empty {
		return errors.Join(err, fault.NotFound("Branch"))
	}
	_, err = g.FindBranch(ctx, "Branch", code.Heads+e.Branch)
	switch {
	case err == nil:
		return fault.Conflict("Branch already exists")
	case fault.CodeOf(err) != fault.CodeNotFound:
		return err
	}
	return jobs.Enqueue(ctx, st, requestForIssue{IssueID: e.Issue.ID, Branch: e.Branch, UserID: e.By.ID})
}

// proposable returns the project, if the user may make branches and merge requests in it.
func proposable(ctx context.Context, st *db.Store, projectID int64, u tree.User) (tree.Project, error) {
	found, err := tree.ProjectFor(ctx, st, fmt.Sprint(projectID), u.ID)
	if err != nil {
		return found.Project, err
	}
	set := found.Settings
	if !u.Usable() || found.Archived || found.Pending ||
		policy.Access(set.MergeRequestsAccess) == policy.Disabled ||
		policy.Access(set.RepositoryAccess) == policy.Disabled ||
		!u.Admin && policy.Level(found.Level) < policy.Developer {
		return found.Project, fault.Forbidden("")
	}
	return found.Project, nil
}

// create makes the branch and the merge request. If it is run again, it goes on where it ended.
func (m referrer) create(ctx context.Context, st *db.Store, j requestForIssue) error {
	issues, err := work.IssuesByID(ctx, st, []int64{j.IssueID})
	i, ok := issues[j.IssueID]
	if err != nil || !ok || i.Confidential { // the title would tell
		return err
	}
	user, err := tree.FindUser(ctx, st, j.UserID)
	if err != nil {
		return fault.IgnoreNotFound(err)
	}
	p, err := proposable(ctx, st, i.ProjectID, user)
	if err != nil { // who asked has lost the right
		return fault.IgnoreRefused(err)
	}
	by, err := authorIn(ctx, st, p, user)
	if err != nil {
		return err
	}
	err = st.Tx(ctx, func(st *db.Store) error {
		if _, err := code.CreateBranch(ctx, st, p, by, j.Branch, p.Head); err != nil {
			return err
		}
		compare := m.base + "/" + p.FullPath + "/-/compare/" + url.PathEscape(p.Head) + "..." +
			url.PathEscape(j.Branch)
		return note.AddSystem(ctx, st, i.Target(), user.ID,
			fmt.Sprintf("created branch [`%s`](%s) to address this issue", j.Branch, compare))
	})
	if err := fault.IgnoreRefused(err); err != nil {
		return err
	}
	source, target := Branch{Project: p, Name: j.Branch}, Branch{Project: p, Name: p.Head}
	r, err := Create(ctx, st, source, target, user, func(_ *db.Store, r *Request) error {
		r.Title, r.Description = resolving(i.Title), new(fmt.Sprintf("Closes #%d", i.IID))
		r.AssigneeIDs, r.LabelIDs, r.MilestoneID = []int64{user.ID}, i.LabelIDs, i.MilestoneID
		return nil
	})
	if err != nil {
		return fault.IgnoreRefused(err)
	}
	return note.AddSystemAbout(ctx, st, i.Target(), r.Target(), user.ID,
		"created merge request "+r.ReferenceFrom(p.FullPath)+" to address this issue")
}

// resolving returns the title of a merge request that resolves an issue with a title.
func resolving(title string) string {
	const most = 255 // characters
	text := []rune(`Draft: Resolve "` + title)
	return string(text[:min(len(text), most-1)]) + `"`
}
