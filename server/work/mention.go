package work

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/event"
	"hew/server/markdown"
	"hew/server/note"
	"hew/server/tree"
)

// Listeners returns what the domain does when something happens elsewhere. Base is the address of
// the server.
func Listeners(base string) []event.Listener {
	m := mentioner{base}
	return []event.Listener{
		// it locks the row of the issue, before mentions are locked, as a change of the issue does
		event.On(touchNoted),
		event.On(m.issueChanged), event.On(m.epicChanged),
		event.On(m.noteCreated), event.On(m.noteChanged), event.On(m.pushed),
		event.On(onProjectChanged), event.On(onGroupMoved), event.On(beforeUserRemoval),
	}
}

// mentioner notes down on issues and epics that texts mention them (more §2.4).
type mentioner struct{ base string }

// Source is what mentions issues, epics and merge requests.
type Source struct {
	note.Target
	Path string // full path of the project or group
	Mark string // what stands before the path: "issue "
	Text string // how it is called within the path: "#1"
}

// Mentions is emitted when a text refers to merge requests, whether they exist or not.
type Mentions struct {
	From     Source
	Requests []Numbered
	By       tree.User
}

// In returns the text of a note in a project that the source mentions something there.
func (s Source) In(project string) string {
	path := RelativePath(s.Path, project)
	if s.Kind == note.Epic && path != "" {
		path = s.Path
	}
	if s.Kind == note.Commit && path != "" {
		path += "@"
	}
	return "mentioned in " + s.Mark + path + s.Text
}

// ViewerOf returns a user as who reads issues and merge requests.
func ViewerOf(u tree.User) Viewer {
	v := Viewer{UserID: u.ID, Open: db.Internal, All: u.Admin}
	if u.External {
		v.Open = db.Public
	}
	return v
}

func (m mentioner) issueChanged(ctx context.Context, st *db.Store, e IssueChanged) error {
	text := e.Issue.Title + "\n\n" + db.OrZero(e.Issue.Description)
	if text == e.Before.Title+"\n\n"+db.OrZero(e.Before.Description) {
		return nil
	}
	return m.mention(ctx, st, sourceIssue(e.Issue.Target(), e.Issue.Path), e.By, text)
}

func sourceIssue(on note.Target, path string) Source {
	return Source{on, path, "issue ", fmt.Sprintf("#%d", on.IID)}
}

// SourceRequest returns a merge request of a project with a path as what mentions others.
func SourceRequest(on note.Target, path string) Source {
	return Source{on, path, "merge request ", fmt.Sprintf("!%d", on.IID)}
}

func (m mentioner) epicChanged(ctx context.Context, st *db.Store, e EpicChanged) error {
	text := e.Epic.Title + "\n\n" + db.OrZero(e.Epic.Description)
	if text == e.Before.Title+"\n\n"+db.OrZero(e.Before.Description) {
		return nil
	}
	return m.mention(ctx, st, sourceEpic(e.Epic.Target(), e.Epic.Path), e.By, text)
}

func sourceEpic(on note.Target, path string) Source {
	return Source{on, path, "epic ", fmt.Sprintf("&%d", on.IID)}
}

func (m mentioner) noteCreated(ctx context.Context, st *db.Store, e note.Created) error {
	return m.noted(ctx, st, e.Target, e.Note, e.By)
}

func (m mentioner) noteChanged(ctx context.Context, st *db.Store, e note.Changed) error {
	if e.Note.Body == e.Before.Body {
		return nil
	}
	return m.noted(ctx, st, e.Target, e.Note, e.By)
}

// noted notes down what a note mentions. Internal notes, and those on snippets, which fewer can
// see, leave no trace elsewhere.
func (m mentioner) noted(ctx context.Context, st *db.Store, on note.Target, n note.Note, by tree.User) error {
	if n.Internal || on.Kind == note.Snippet || len(markdown.References(n.Body)) == 0 {
		return nil
	}
	path, err := db.Value[string](ctx, st, `
		select coalesce((select full_path from projects where id = @project),
			(select full_path from namespaces where id = @namespace), '')`,
		pgx.NamedArgs{"project": on.ProjectID, "namespace": on.NamespaceID})
	if err != nil {
		return err
	}
	from := sourceIssue(on, path)
	switch on.Kind {
	case note.Epic:
		from = sourceEpic(on, path)
	case note.MergeRequest:
		from = SourceRequest(on, path)
	case note.Commit:
		from = sourceCommit(on, path)
	}
	return m.mention(ctx, st, from, by, n.Body)
}

// Mention notes down on the issues and epics that a text of a source mentions, and its author sees,
// that it does, and tells of the merge requests. Base is the address of the server.
func Mention(ctx context.Context, st *db.Store, base string, from Source, by tree.User, text string) error {
	return mentioner{base}.mention(ctx, st, from, by, text)
}

func (m mentioner) mention(ctx context.Context, st *db.Store, from Source, by tree.User, text string) error {
	at := Place{Base: m.base, Path: from.Path, Group: from.Kind == note.Epic}
	references := markdown.References(text)
	issues, err := ViewerOf(by).ReferredIssues(ctx, st, at, references)
	if err != nil {
		return err
	}
	epics, err := ViewerOf(by).ReferredEpics(ctx, st, at, references)
	if err != nil {
		return err
	}
	var list []Linkable
	for _, i := range issues {
		list = append(list, i)
	}
	for _, e := range epics {
		list = append(list, e)
	}
	// in one order, so that two texts that mention the same things do not wait for each other
	slices.SortFunc(list, func(a, b Linkable) int {
		one, other := a.Target(), b.Target()
		return cmp.Or(cmp.Compare(one.Kind, other.Kind), cmp.Compare(one.ID, other.ID))
	})
	for _, mentioned := range list {
		on := mentioned.Target()
		if on.Kind == from.Kind && on.ID == from.ID {
			continue
		}
		if err := note.AddMention(ctx, st, on, from.Target, by.ID, from.In(mentioned.place())); err != nil {
			return err
		}
	}
	if requests := RequestReferent.Find(at, references); len(requests) > 0 {
		return event.Emit(ctx, st, Mentions{From: from, Requests: requests, By: by})
	}
	return nil
}

// touched are the tables of what is marked as changed when somebody writes a note on it.
var touched = map[note.Kind]string{note.Issue: "issues", note.MergeRequest: "merge_requests"}

// touchNoted marks an issue or merge request as changed when somebody writes a note.
func touchNoted(ctx context.Context, st *db.Store, e note.Created) error {
	table, ok := touched[e.Target.Kind]
	if !ok {
		return nil
	}
	return st.Exec(ctx, `update `+table+` set updated_at = now() where id = @id`, pgx.NamedArgs{"id": e.Target.ID})
}
