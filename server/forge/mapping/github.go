package mapping

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"hew/server/forge/github"
	"hew/server/transfer/archive"
)

// GitHub makes documents of what a host of the GitHub kind answers about a repository.
type GitHub struct {
	People   People
	FullName string // of the repository: acme/site
}

// loginOf returns the login of a user, that of a ghost if the account was removed.
func loginOf(u *github.User) string {
	if u == nil || u.Login == "" {
		return ghost
	}
	return u.Login
}

// author returns the id of a user, and their text with a line that names them if they are unknown.
func (g GitHub) author(u *github.User, text string) (*int64, string) {
	login := loginOf(u)
	return g.People.find(login), g.People.sign(login, quoteMentions(text))
}

// Label returns the document of a label.
func (g GitHub) Label(l github.Label) archive.Label {
	return archive.Label{
		Title: cutTitle(l.Name), Color: "#" + cmp.Or(strings.TrimPrefix(l.Color, "#"), "ededed"),
		Description: optional(clean(l.Description)), Type: archive.ProjectLabel,
	}
}

func (g GitHub) labelLinks(labels []github.Label) []archive.LabelLink {
	links := []archive.LabelLink{}
	for _, l := range labels {
		links = append(links, archive.LabelLink{Label: new(g.Label(l))})
	}
	return links
}

// Milestone returns the document of a milestone.
func (g GitHub) Milestone(m github.Milestone) archive.Milestone {
	state := archive.Word("active")
	if m.State == "closed" {
		state = "closed"
	}
	doc := archive.Milestone{
		IID: int64(m.Number), Title: cutTitle(m.Title), Description: optional(quoteMentions(m.Description)),
		State: state, CreatedAt: timeOf(m.CreatedAt), UpdatedAt: timeOf(m.UpdatedAt),
	}
	if m.DueOn != nil {
		doc.DueDate = new(m.DueOn.UTC().Format(time.DateOnly))
	}
	return doc
}

func (g GitHub) milestone(m *github.Milestone) *archive.Milestone {
	if m == nil {
		return nil
	}
	return new(g.Milestone(*m))
}

// Release returns the document of a release, and false if it has no tag. A draft becomes a release
// of now. Assets stay at the host.
func (g GitHub) Release(r github.Release, now time.Time) (archive.Release, bool) {
	if r.TagName == nil || *r.TagName == "" {
		return archive.Release{}, false
	}
	tag := *r.TagName
	released := cmp.Or(r.PublishedAt, &r.CreatedAt)
	if r.Draft {
		released = &now
	}
	id, text := g.author(r.Author, cmp.Or(r.Body, "Release for tag "+tag))
	return archive.Release{
		Tag: tag, Name: new(cutTitle(cmp.Or(r.Name, tag))), Description: &text, AuthorID: id,
		ReleasedAt: released, CreatedAt: timeOf(r.CreatedAt), UpdatedAt: timeOf(r.CreatedAt),
		Links: []archive.ReleaseLink{}, MilestoneReleases: []archive.MilestoneRelease{},
	}, true
}

// Issue returns the document of an issue with its comments and the events of its timeline.
func (g GitHub) Issue(i github.Issue, comments []github.Comment, events []github.Event) archive.Issue {
	id, text := g.author(i.User, i.Body)
	doc := archive.Issue{
		IID: int64(i.Number), Title: cutTitle(i.Title), Description: optional(text), State: "opened", AuthorID: id,
		IssueType: "issue", DiscussionLocked: optionalBool(i.Locked), CreatedAt: timeOf(i.CreatedAt),
		UpdatedAt: timeOf(i.UpdatedAt), Milestone: g.milestone(i.Milestone), LabelLinks: g.labelLinks(i.Labels),
		IssueAssignees: []archive.UserLink{}, AwardEmoji: []archive.AwardEmoji{}, Timelogs: []archive.Timelog{},
	}
	if i.State == "closed" {
		doc.State, doc.ClosedAt = "closed", cmp.Or(i.ClosedAt, timeOf(i.UpdatedAt))
	}
	for _, u := range i.Assignees {
		if id := g.People.find(u.Login); id != nil {
			doc.IssueAssignees = append(doc.IssueAssignees, archive.UserLink{UserID: id})
		}
	}
	h := g.history(onIssue, "opened", events)
	doc.ResourceLabelEvents, doc.ResourceMilestoneEvents = h.labels, h.milestones
	doc.ResourceStateEvents = h.states
	doc.ClosedByID = h.closedBy
	doc.Notes = sortNotes(append(g.comments(onIssue, comments), h.notes...))
	return doc
}

// The kinds of what notes are on, as documents name them.
const (
	onIssue = "Issue"
	onMerge = "MergeRequest"
)

func (g GitHub) comments(on string, comments []github.Comment) []archive.Note {
	notes := []archive.Note{}
	for _, c := range comments {
		id, text := g.author(c.User, c.Body)
		if text == "" {
			continue
		}
		notes = append(notes, archive.Note{
			Note: text, NoteableType: on, AuthorID: id, CreatedAt: timeOf(c.CreatedAt), UpdatedAt: timeOf(c.UpdatedAt),
		})
	}
	return notes
}

// sortNotes returns notes in the order in which they were written, and notes of equal times in the
// order that they have.
func sortNotes(notes []archive.Note) []archive.Note {
	slices.SortStableFunc(notes, func(a, b archive.Note) int {
		return stamp(a.CreatedAt).Compare(stamp(b.CreatedAt))
	})
	return notes
}

func stamp(t *time.Time) time.Time {
	if t == nil {
		return time.Time{}
	}
	return *t
}

// timeOf returns a pointer to a time, nil if the host did not say it.
func timeOf(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}

func optionalBool(b bool) *bool {
	if !b {
		return nil
	}
	return &b
}
