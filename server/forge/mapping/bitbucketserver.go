package mapping

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"hew/server/forge/bitbucketserver"
	"hew/server/transfer/archive"
)

// BitbucketServer makes documents of what a host of the Bitbucket Server kind answers about a
// repository. Its People are known by their e-mail addresses.
type BitbucketServer struct{ People People }

// author returns the id of a user, and their text with a line that names them if they are unknown.
func (b BitbucketServer) author(u bitbucketserver.User, text string) (*int64, string) {
	id := b.People.find(u.Email)
	text = quoteMentions(text)
	if id != nil {
		return id, text
	}
	line := fmt.Sprintf("*By %s*", clean(cmp.Or(u.DisplayName, u.Name, ghost)))
	if u.Email != "" {
		line = fmt.Sprintf("*By %s (%s)*", clean(cmp.Or(u.DisplayName, u.Name, ghost)), clean(u.Email))
	}
	if text == "" {
		return nil, line
	}
	return nil, line + "\n\n" + text
}

// MergeRequest returns the document of a pull request with its activities, the newest first.
func (b BitbucketServer) MergeRequest(
	p bitbucketserver.Pull, activities []bitbucketserver.Activity,
) archive.MergeRequest {
	id, text := b.author(p.Author.User, p.Description)
	doc := archive.MergeRequest{
		IID: int64(p.ID), Title: cutTitle(p.Title), Description: optional(text), AuthorID: id,
		State: bitbucketState(p.State), SourceBranch: BitbucketSourceBranch(p), TargetBranch: p.To.Branch(),
		DiffHeadSHA: optional(p.From.LatestCommit), SourceBranchSHA: optional(p.From.LatestCommit),
		TargetBranchSHA: optional(p.To.LatestCommit), MergeStatus: "unchecked",
		CreatedAt: timeOf(p.CreatedDate.Time), UpdatedAt: timeOf(p.UpdatedDate.Time),
		LabelLinks: []archive.LabelLink{}, MergeRequestAssignees: []archive.UserLink{},
		Approvals: []archive.UserLink{}, MergeRequestReviewers: []archive.Reviewer{},
		AwardEmoji: []archive.AwardEmoji{}, Timelogs: []archive.Timelog{},
		ResourceLabelEvents: []archive.ResourceLabelEvent{}, ResourceMilestoneEvents: []archive.ResourceMilestoneEvent{},
		ResourceStateEvents: []archive.ResourceStateEvent{},
		MergeRequestDiff: &archive.Diff{
			State: "collected", BaseCommitSHA: optional(p.To.LatestCommit), StartCommitSHA: optional(p.To.LatestCommit),
			HeadCommitSHA: optional(p.From.LatestCommit), CreatedAt: timeOf(p.CreatedDate.Time),
		},
	}
	for _, r := range p.Reviewers {
		setReviewer(&doc, archive.Reviewer{UserID: b.People.find(r.User.Email), State: "unreviewed"})
	}
	notes := []archive.Note{}
	for i := range activities {
		a := activities[len(activities)-1-i]
		notes = append(notes, b.activity(&doc, p, a)...)
	}
	for _, r := range p.Reviewers {
		if known := b.People.find(r.User.Email); known != nil && !r.Approved {
			b.withdraw(&doc, known, r.Status)
		}
	}
	if doc.State == "closed" && doc.Metrics == nil {
		doc.Metrics = &archive.MergeRequestMetrics{LatestClosedAt: cmp.Or(timeOf(p.ClosedDate.Time), doc.UpdatedAt)}
	}
	doc.Notes = sortNotes(notes)
	return doc
}

func bitbucketState(state string) archive.Word {
	switch state {
	case "MERGED":
		return "merged"
	case "OPEN":
		return "opened"
	}
	return "closed"
}

// BitbucketSourceBranch returns the name of the source branch of a pull request in the project.
// That of a fork, or of one that was removed, is named after its project.
func BitbucketSourceBranch(p bitbucketserver.Pull) string {
	from, to := p.From.Repository, p.To.Repository
	switch {
	case from != nil && to != nil && from.ID != to.ID:
		return fmt.Sprintf("bitbucket/fork/%s/%s", strings.TrimPrefix(from.Project.Key, "~"), p.From.Branch())
	case from == nil && to != nil:
		return fmt.Sprintf("bitbucket/fork/%s/%s", ghost, p.From.Branch())
	case p.From.Branch() == p.To.Branch():
		return fmt.Sprintf("%s-%d", p.From.Branch(), p.ID)
	}
	return p.From.Branch()
}

// activity stores what an activity says in a document, or returns its notes.
func (b BitbucketServer) activity(
	doc *archive.MergeRequest, p bitbucketserver.Pull, a bitbucketserver.Activity,
) []archive.Note {
	at := timeOf(a.CreatedDate.Time)
	known := b.People.find(a.User.Email)
	switch a.Action {
	case "COMMENTED":
		if a.Comment != nil {
			return b.comments(p, a)
		}
	case "MERGED":
		doc.MergeUserID = known
		doc.Metrics = &archive.MergeRequestMetrics{MergedAt: at, MergedByID: known}
		doc.ResourceStateEvents = append(doc.ResourceStateEvents, archive.ResourceStateEvent{
			State: "merged", UserID: known, CreatedAt: at,
		})
		if a.Commit != nil && a.Commit.ID != "" {
			doc.MergeCommitSHA = &a.Commit.ID
		}
	case "DECLINED", "REOPENED":
		state := archive.Word("closed")
		if a.Action == "REOPENED" {
			state = "reopened"
		} else {
			doc.Metrics = &archive.MergeRequestMetrics{LatestClosedAt: at, LatestClosedBy: known}
		}
		doc.ResourceStateEvents = append(doc.ResourceStateEvents, archive.ResourceStateEvent{
			State: state, UserID: known, CreatedAt: at,
		})
	case "APPROVED":
		return b.approval(doc, a, known, at)
	case "UNAPPROVED", "REVIEWED": // the latter asks for changes
		if known != nil {
			b.withdraw(doc, known, "")
		}
	}
	return nil
}

// withdraw removes the approval of a user, whose status as a reviewer is that of the host.
func (b BitbucketServer) withdraw(doc *archive.MergeRequest, known *int64, status string) {
	doc.Approvals = slices.DeleteFunc(doc.Approvals, func(l archive.UserLink) bool { return *l.UserID == *known })
	for i, r := range doc.MergeRequestReviewers {
		if *r.UserID == *known {
			doc.MergeRequestReviewers[i].State = "unreviewed"
			if status == "NEEDS_WORK" {
				doc.MergeRequestReviewers[i].State = "requested_changes"
			}
		}
	}
}

func (b BitbucketServer) approval(
	doc *archive.MergeRequest, a bitbucketserver.Activity, known *int64, at *time.Time,
) []archive.Note {
	note := archive.Note{NoteableType: onMerge, AuthorID: known, CreatedAt: at, UpdatedAt: at}
	if known == nil {
		_, note.Note = b.author(a.User, "**Review:** Approved")
		return []archive.Note{note}
	}
	setReviewer(doc, archive.Reviewer{UserID: known, State: "approved", CreatedAt: at})
	approve(doc, archive.UserLink{UserID: known, CreatedAt: at})
	note.Note, note.System = "approved this merge request", true
	note.SystemNoteMetadata = &archive.SystemNoteMetadata{Action: "approved"}
	return []archive.Note{note}
}
