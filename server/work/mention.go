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
		event.On(m.issueChanged), event.On(m.noteCreated), event.On(m.noteChanged), event.On(m.pushed),
		event.On(onProjectChanged), event.On(onGroupMoved),
	}
}

// mentioner notes down on issues that texts mention them (more §2.4).
type mentioner struct{ base string }

// source is what mentions issues.
type source struct {
	note.Target
	path string // full path of the project or group
	mark string // what stands before the path: "issue "
	text string // how it is called within the path: "#1"
}

// in returns how the source is called in a project.
func (s source) in(project string) string {
	path := RelativePath(s.path, project)
	if s.Kind == note.Commit && path != "" {
		path += "@"
	}
	return "mentioned in " + s.mark + path + s.text
}

// viewerOf returns a user as who reads issues.
func viewerOf(u tree.User) Viewer {
	v := Viewer{UserID: u.ID, Open: db.Internal, All: u.Admin}
	if u.External {
		v.Open = db.Public
	}
	return v
}

func (m mentioner) issueChanged(ctx context.Context, st *db.Store, e IssueChanged) error {
	text, before := e.Issue.Title+"\n\n"+textOf(e.Issue.Description), e.Before.Title+"\n\n"+textOf(e.Before.Description)
	if text == before {
		return nil
	}
	return m.mention(ctx, st, sourceIssue(e.Issue.Target(), e.Issue.Path), e.By, text)
}

func sourceIssue(on note.Target, path string) source {
	return source{on, path, "issue ", fmt.Sprintf("#%d", on.IID)}
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

// noted notes down what a note mentions. Internal notes leave no trace elsewhere.
func (m mentioner) noted(ctx context.Context, st *db.Store, on note.Target, n note.Note, by tree.User) error {
	if n.Internal || len(markdown.References(n.Body)) == 0 {
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
		from.mark, from.text = "epic ", fmt.Sprintf("&%d", on.IID)
	case note.Commit:
		from = sourceCommit(on, path)
	}
	return m.mention(ctx, st, from, by, n.Body)
}

// mention notes down on the issues that a text of a source mentions, and its author sees, that it
// does.
func (m mentioner) mention(ctx context.Context, st *db.Store, from source, by tree.User, text string) error {
	at := Place{Base: m.base, Path: from.path, Group: from.Kind == note.Epic}
	list, err := viewerOf(by).ReferredIssues(ctx, st, at, markdown.References(text))
	if err != nil {
		return err
	}
	// in one order, so that two texts that mention the same issues do not wait for each other
	slices.SortFunc(list, func(a, b Issue) int { return cmp.Compare(a.ID, b.ID) })
	for _, i := range list {
		if from.Kind == note.Issue && i.ID == from.ID {
			continue
		}
		if err := note.AddMention(ctx, st, i.Target(), from.Target, by.ID, from.in(i.Path)); err != nil {
			return err
		}
	}
	return nil
}

// touchNoted marks an issue as changed when somebody writes a note.
func touchNoted(ctx context.Context, st *db.Store, e note.Created) error {
	if e.Target.Kind != note.Issue {
		return nil
	}
	return st.Exec(ctx, `update issues set updated_at = now() where id = @id`, pgx.NamedArgs{"id": e.Target.ID})
}
