package mapping

import (
	"fmt"
	"strings"

	"hew/server/forge/github"
	"hew/server/transfer/archive"
)

// history is what a timeline says of an issue or a merge request.
type history struct {
	labels     []archive.ResourceLabelEvent
	milestones []archive.ResourceMilestoneEvent
	states     []archive.ResourceStateEvent
	notes      []archive.Note
	closedBy   *int64 // the last one who closed it
}

// history reads the events that this server has something like; it ignores others, and those on
// labels and milestones that are not named.
func (g GitHub) history(on, state string, events []github.Event) history {
	h := history{
		labels: []archive.ResourceLabelEvent{}, milestones: []archive.ResourceMilestoneEvent{},
		states: []archive.ResourceStateEvent{},
	}
	for _, e := range events {
		actor := g.People.find(loginOf(e.Actor))
		at := timeOf(e.CreatedAt)
		switch e.Event {
		case "closed", "reopened", "merged":
			state = e.Event
			if e.Event == "closed" {
				h.closedBy = actor
			}
			h.states = append(h.states, archive.ResourceStateEvent{
				State: archive.Word(e.Event), UserID: actor, SourceCommit: e.CommitID, CreatedAt: at,
			})
		case "labeled", "unlabeled":
			if e.Label != nil && e.Label.Name != "" {
				h.labels = append(h.labels, archive.ResourceLabelEvent{
					Action: added(e.Event == "labeled"), UserID: actor, CreatedAt: at, Label: new(g.Label(*e.Label)),
				})
			}
		case "milestoned", "demilestoned":
			if e.Milestone != nil && e.Milestone.Title != "" {
				h.milestones = append(h.milestones, archive.ResourceMilestoneEvent{
					Action: added(e.Event == "milestoned"), State: stateWord(state), UserID: actor, CreatedAt: at,
					Milestone: &archive.Milestone{Title: cutTitle(e.Milestone.Title), State: "active"},
				})
			}
		default:
			if action, text := g.systemText(e); text != "" {
				h.notes = append(h.notes, archive.Note{
					Note: text, NoteableType: on, AuthorID: actor, System: true, CreatedAt: at, UpdatedAt: at,
					SystemNoteMetadata: &archive.SystemNoteMetadata{Action: action},
				})
			}
		}
	}
	return h
}

func added(yes bool) archive.Word {
	if yes {
		return "add"
	}
	return "remove"
}

// stateWord returns the state that something has after an event.
func stateWord(event string) archive.Word {
	if event == "reopened" {
		return "opened"
	}
	return archive.Word(event)
}

// systemText returns what a system note says of an event, and the name of its kind; "" for events
// that have none. Events of an unknown actor begin with who it was.
func (g GitHub) systemText(e github.Event) (action, text string) {
	switch e.Event {
	case "renamed":
		if e.Rename != nil {
			action = "title"
			text = fmt.Sprintf("changed title from **%s** to **%s**", plain(e.Rename.From), plain(e.Rename.To))
		}
	case "assigned":
		action, text = "assignee", "assigned to "+g.mention(e.Assignee)
	case "unassigned":
		action, text = "assignee", "unassigned "+g.mention(e.Assignee)
	case "review_requested":
		if e.RequestedReviewer != nil { // nil: a team was asked
			action, text = "reviewer", "requested review from "+g.mention(e.RequestedReviewer)
		}
	case "cross-referenced":
		action, text = "cross_reference", g.crossReference(e)
	}
	if login := loginOf(e.Actor); text != "" && g.People.find(login) == nil {
		text = fmt.Sprintf("%s (*by %s*)", text, login)
	}
	return action, text
}

// crossReference returns the text for a mention in another issue or pull request, "" if that is of
// another repository.
func (g GitHub) crossReference(e github.Event) string {
	if e.Source == nil || e.Source.Issue == nil {
		return ""
	}
	from := e.Source.Issue
	if from.Repository != nil && !strings.EqualFold(from.Repository.FullName, g.FullName) {
		return ""
	}
	if from.PullRequest != nil {
		return fmt.Sprintf("mentioned in merge request !%d", from.Number)
	}
	return fmt.Sprintf("mentioned in issue #%d", from.Number)
}

func (g GitHub) mention(u *github.User) string { return g.People.mention(loginOf(u)) }

// plain returns a title as it can stand between asterisks.
func plain(title string) string {
	return quoteMentions(strings.ReplaceAll(cutTitle(title), "*", `\*`))
}
