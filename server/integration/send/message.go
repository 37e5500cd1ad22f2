package send

import (
	"fmt"
	"strings"
	"time"
)

// message is an event in words, for chats.
type message struct {
	summary text   // one sentence
	title   string // of what the event is about; empty: nothing beyond the sentence
	url     string // of what the event is about
	detail  text   // its text
	color   string // as #rrggbb
	channel string // the parameter with the channel of this kind: push_channel
	thread  string // what the messages of one issue, merge request or pipeline have in common
}

// Colors of messages.
const (
	neutral = "#345345"
	good    = "#36a64f"
	danger  = "#d00000"
	warning = "#daa038"
)

// Limits of messages, in bytes: services refuse longer ones.
const (
	maxDetail = 2000
	maxTitle  = 250
)

// maxShownCommits is how many commits of a push a message shows.
const maxShownCommits = 10

// messages makes messages of kinds. A kind that is not here makes none.
var messages = map[string]func(Event) (message, bool){
	PushEvents:         pushMessage,
	TagPushEvents:      pushMessage,
	IssuesEvents:       issueMessage("issue_channel"),
	ConfidentialIssues: issueMessage("confidential_issue_channel"),
	NoteEvents:         noteMessage("note_channel"),
	ConfidentialNotes:  noteMessage("confidential_note_channel"),
	MergeRequests:      mergeMessage,
	PipelineEvents:     pipelineMessage,
	WikiPageEvents:     wikiMessage,
	DeploymentEvents:   deploymentMessage,
	AlertEvents:        alertMessage,
}

// messageOf returns the message of an event, or false if chats are not told of it.
func messageOf(e Event) (m message, ok bool) {
	if of, known := messages[e.Kind]; known {
		m, ok = of(e)
	}
	m.title = cut(m.title, maxTitle)
	for i := range m.detail {
		m.detail[i].text = cut(m.detail[i].text, maxDetail)
	}
	return m, ok
}

func (e Event) projectLink() span { return link(e.Project.Path, e.Project.WebURL) }

// who returns the user who caused the event as "Ann (ann)".
func (e Event) who() span {
	p := e.person()
	return word(fmt.Sprintf("%s (%s)", p.Name, p.Username))
}

func pushMessage(e Event) (message, bool) {
	what, pages, m := "branch", "/-/commits/", message{color: neutral, channel: "push_channel"}
	if e.Kind == TagPushEvents {
		what, m.channel = "tag", "tag_push_channel"
	}
	name := e.refName()
	if e.deletes() {
		m.summary = words(e.who(), word(" removed "+what+" "+name+" from "), e.projectLink())
		return m, true
	}
	m.url = e.Project.WebURL + pages + escapePath(name)
	ref := link(name, m.url)
	if e.Before == noObject {
		m.summary = words(e.who(), word(" pushed new "+what+" "), ref, word(" to "), e.projectLink())
	} else {
		compare := e.Project.WebURL + "/-/compare/" + e.Before + "..." + e.After
		m.summary = words(e.who(), word(" pushed to "+what+" "), ref, word(" of "), e.projectLink()).
			and(aside(" (", "Compare changes", compare, ")")...)
	}
	for i, c := range e.Commits[max(0, len(e.Commits)-maxShownCommits):] {
		if i > 0 {
			m.detail = m.detail.and(word("\n"))
		}
		m.detail = m.detail.and(link(shortID(c.ID), c.URL), word(": "+cut(c.Title, maxTitle)+" - "+c.Author.Name))
	}
	return m, true
}

// pastTense is how messages tell of actions.
var pastTense = map[string]string{
	"open": "opened", "close": "closed", "reopen": "reopened", "merge": "merged", "approved": "approved",
	"unapproved": "unapproved", "approval": "added an approval to", "unapproval": "removed an approval from",
	"create": "created", "update": "edited", "delete": "deleted",
}

func issueMessage(channel string) func(Event) (message, bool) {
	return func(e Event) (message, bool) {
		o := e.Object
		m := message{
			title: fmt.Sprintf("#%d %s", o.IID, o.Title), url: o.URL, color: neutral, channel: channel,
			thread: fmt.Sprintf("issue %s#%d", e.Project.Path, o.IID),
		}
		what := "Issue "
		if o.Type == "Incident" {
			what, m.channel = "Incident ", "incident_channel"
		}
		m.summary = words(word(what), link(m.title, m.url), word(" "+pastTense[o.Action]+" by "), e.who(),
			word(" in "), e.projectLink())
		if o.Action == "open" {
			m.detail = words(word(o.Description))
		}
		return m, o.Action != "update" && pastTense[o.Action] != ""
	}
}

func mergeMessage(e Event) (message, bool) {
	o := e.Object
	m := message{
		title: fmt.Sprintf("!%d %s", o.IID, o.Title), url: o.URL, color: neutral, channel: "merge_request_channel",
		thread: fmt.Sprintf("merge request %s!%d", e.Project.Path, o.IID),
	}
	m.summary = words(e.who(), word(" "+pastTense[o.Action]+" merge request "), link(m.title, m.url), word(" in "),
		e.projectLink())
	if o.Action == "open" {
		m.detail = words(word(o.Description))
	}
	return m, !o.System && o.Action != "update" && pastTense[o.Action] != ""
}

func noteMessage(channel string) func(Event) (message, bool) {
	return func(e Event) (message, bool) {
		m := message{url: e.Object.URL, color: neutral, channel: channel, detail: words(word(e.Object.Note))}
		what := "a comment"
		switch {
		case e.Issue != nil:
			what, m.title = fmt.Sprintf("issue #%d", e.Issue.IID), e.Issue.Title
		case e.Merge != nil:
			what, m.title = fmt.Sprintf("merge request !%d", e.Merge.IID), e.Merge.Title
		case e.Snippet != nil:
			what, m.title = fmt.Sprintf("snippet $%d", e.Snippet.ID), e.Snippet.Title
		case e.Commit != nil:
			what, m.title = "commit "+shortID(e.Commit.ID), e.Commit.Title
		}
		m.thread = strings.Replace(what, "issue ", "issue "+e.Project.Path, 1)
		m.summary = words(e.who(), word(" commented on "), link(what, m.url), word(" in "), e.projectLink(),
			word(": "+cut(m.title, maxTitle)))
		return m, !e.Object.System
	}
}

// pipelineStates is how messages tell of the statuses of pipelines; other statuses are not told.
var pipelineStates = map[string]toldState{
	"success": {"passed", good}, "failed": {"failed", danger}, "canceled": {"was canceled", warning},
}

type toldState struct{ text, color string }

// pipelineStateOf returns how a message tells of a pipeline, or false if it does not.
func pipelineStateOf(o attributes) (toldState, bool) {
	state, ok := pipelineStates[o.Status]
	if o.Status == "success" && o.Detailed == "passed with warnings" {
		state = toldState{o.Detailed, warning}
	}
	return state, ok
}

func pipelineMessage(e Event) (message, bool) {
	o, what := e.Object, "branch"
	state, ok := pipelineStateOf(o)
	if o.Tag {
		what = "tag"
	}
	m := message{
		url: e.Project.WebURL + fmt.Sprintf("/-/pipelines/%d", o.ID), color: state.color, channel: "pipeline_channel",
		thread: fmt.Sprintf("pipeline %s %d", e.Project.Path, o.ID),
	}
	m.summary = words(e.projectLink(), word(": Pipeline "), link(fmt.Sprintf("#%d", o.ID), m.url),
		word(" of "+what+" "), link(o.Ref, e.Project.WebURL+"/-/commits/"+escapePath(o.Ref)), word(" by "), e.who(),
		word(fmt.Sprintf(" %s in %s", state.text, time.Duration(o.Duration)*time.Second)))
	if e.Commit != nil {
		m.title, m.detail = e.Commit.Title, words(word(e.Commit.Message))
	}
	return m, ok
}

func wikiMessage(e Event) (message, bool) {
	o := e.Object
	m := message{title: o.Title, url: o.URL, color: neutral, channel: "wiki_page_channel",
		detail: words(word(o.Message))}
	m.summary = words(e.who(), word(" "+pastTense[o.Action]+" "), link("wiki page", o.URL), word(" in "),
		e.projectLink(), word(": "+cut(o.Title, maxTitle)))
	return m, pastTense[o.Action] != ""
}

// deploymentStates is how messages tell of the statuses of deployments.
var deploymentStates = map[string]struct{ text, color string }{
	"running": {"Starting deploy to ", neutral}, "success": {"Deployed to ", good},
	"failed": {"Failed to deploy to ", danger}, "canceled": {"Canceled deploy to ", warning},
}

func deploymentMessage(e Event) (message, bool) {
	state, ok := deploymentStates[e.Status]
	m := message{
		title: e.CommitTitle, url: e.DeployableURL, color: state.color, channel: "deployment_channel",
		detail: words(link(e.ShortSHA, e.CommitURL), word(" "+e.CommitTitle)),
	}
	m.summary = words(word(state.text+e.Environment+" of "), e.projectLink(), word(" by "), e.who())
	return m, ok
}

func alertMessage(e Event) (message, bool) {
	o := e.Object
	m := message{
		title: o.Title, url: e.Project.WebURL + "/-/alert_management/" + id(o.IID) + "/details", color: danger,
		channel: "alert_channel", detail: words(word(o.Description)),
	}
	m.summary = words(word("Alert of severity "+o.Severity+" in "), e.projectLink(), word(": "),
		link(fmt.Sprintf("%d %s", o.IID, cut(o.Title, maxTitle)), m.url))
	return m, true
}
