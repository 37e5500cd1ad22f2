package mapping

import (
	"cmp"
	"fmt"
	"strings"

	"hew/server/forge/github"
	"hew/server/transfer/archive"
)

// PullParts is a pull request and all that belongs to it.
type PullParts struct {
	Pull           github.Pull
	MergeBase      string // the commit that both branches come from; "" if it is not known
	MergedBy       *github.User
	Labels         []github.Label // of the list of issues; nil: those of the pull request
	Requested      []github.User  // who was asked to review
	Reviews        []github.Review
	Comments       []github.Comment
	ReviewComments []github.ReviewComment
	Events         []github.Event
}

// MergeRequest returns the document of a pull request.
func (g GitHub) MergeRequest(parts PullParts) archive.MergeRequest {
	p := parts.Pull
	id, text := g.author(p.User, p.Body)
	doc := archive.MergeRequest{
		IID: int64(p.Number), Title: draftTitle(p.Title, p.Draft), Description: optional(text), AuthorID: id,
		State: pullState(p), Draft: p.Draft, SourceBranch: SourceBranch(p), TargetBranch: p.Base.Ref,
		DiffHeadSHA: optional(p.Head.SHA), SourceBranchSHA: optional(p.Head.SHA), TargetBranchSHA: optional(p.Base.SHA),
		MergeStatus: "unchecked", DiscussionLocked: optionalBool(p.Locked),
		CreatedAt: timeOf(p.CreatedAt), UpdatedAt: timeOf(p.UpdatedAt), Milestone: g.milestone(p.Milestone),
		LabelLinks: g.labelLinks(p.Labels), MergeRequestAssignees: []archive.UserLink{},
		AwardEmoji: []archive.AwardEmoji{}, Timelogs: []archive.Timelog{},
		MergeRequestDiff: &archive.Diff{
			State: "collected", StartCommitSHA: optional(p.Base.SHA),
			BaseCommitSHA: optional(cmp.Or(parts.MergeBase, p.Base.SHA)),
			HeadCommitSHA: optional(p.Head.SHA), CreatedAt: timeOf(p.CreatedAt), UpdatedAt: timeOf(p.UpdatedAt),
		},
	}
	if len(doc.LabelLinks) == 0 {
		doc.LabelLinks = g.labelLinks(parts.Labels)
	}
	if p.Assignee != nil {
		if id := g.People.find(p.Assignee.Login); id != nil {
			doc.MergeRequestAssignees = append(doc.MergeRequestAssignees, archive.UserLink{UserID: id})
		}
	}
	h := g.history(onMerge, "opened", parts.Events)
	doc.ResourceLabelEvents, doc.ResourceMilestoneEvents = h.labels, h.milestones
	doc.ResourceStateEvents = h.states
	g.end(&doc, parts, h)
	notes := g.comments(onMerge, parts.Comments)
	notes = append(notes, g.review(&doc, parts.Requested, parts.Reviews)...)
	notes = append(notes, g.diffNotes(parts)...)
	doc.Notes = sortNotes(append(notes, h.notes...))
	return doc
}

// end stores how a pull request ended.
func (g GitHub) end(doc *archive.MergeRequest, parts PullParts, h history) {
	p := parts.Pull
	switch doc.State {
	case "merged":
		by := cmp.Or(parts.MergedBy, p.MergedBy)
		doc.MergeCommitSHA = p.MergeCommitSHA
		doc.MergeUserID = g.People.find(loginOf(by))
		doc.Metrics = &archive.MergeRequestMetrics{MergedAt: p.MergedAt, MergedByID: doc.MergeUserID}
		doc.MergeStatus = "can_be_merged"
		if by != nil && doc.MergeUserID == nil {
			doc.Description = new(joinTexts(doc.Description, "*Merged by: "+by.Login+"*"))
		}
	case "closed":
		doc.Metrics = &archive.MergeRequestMetrics{
			LatestClosedAt: cmp.Or(p.ClosedAt, timeOf(p.UpdatedAt)), LatestClosedBy: h.closedBy,
		}
	}
}

func joinTexts(first *string, second string) string {
	if first == nil {
		return second
	}
	return *first + "\n\n" + second
}

// draftTitle returns a title that begins with "Draft:" if the request is a draft.
func draftTitle(title string, draft bool) string {
	if draft && !strings.HasPrefix(strings.ToLower(title), "draft:") {
		title = "Draft: " + title
	}
	return cutTitle(title)
}

func pullState(p github.Pull) archive.Word {
	switch {
	case p.MergedAt != nil:
		return "merged"
	case p.State == "open":
		return "opened"
	}
	return "closed"
}

// SourceBranch returns the name of the source branch of a pull request in the project. That of a
// fork, or of one that was removed, becomes github/fork/OWNER/BRANCH; one with the name of the
// target branch gets the number of the pull request.
func SourceBranch(p github.Pull) string {
	switch {
	case isFork(p):
		return fmt.Sprintf("github/fork/%s/%s", loginOf(forkOwner(p.Head)), p.Head.Ref)
	case p.Head.Ref == p.Base.Ref:
		return fmt.Sprintf("%s-%d", p.Head.Ref, p.Number)
	}
	return p.Head.Ref
}

func isFork(p github.Pull) bool {
	return p.Head.Repo == nil || p.Base.Repo != nil && p.Head.Repo.ID != p.Base.Repo.ID
}

func forkOwner(head github.PullRef) *github.User {
	if head.Repo != nil && head.Repo.Owner != nil {
		return head.Repo.Owner
	}
	return head.User
}
