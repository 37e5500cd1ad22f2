package api

import (
	"context"
	"net/http"
	"time"

	"hew/server/code"
	"hew/server/fault"
	"hew/server/note"
	noteapi "hew/server/note/api"
	"hew/server/policy"
	"hew/server/quick"
	"hew/server/rest"
	"hew/server/scope"
	"hew/server/setting"
	"hew/server/view"
)

// comments serves the comments on commits (gaps §9.1).
type comments struct{ *view.Site }

func (a comments) routes() []rest.Route {
	const one = "/projects/{id}/repository/commits/{sha}"
	read := scope.ForProject(policy.ReadCode, "read_repository")
	notes := noteapi.Mount[inCommit]{
		Site: a.Site, Path: one,
		Read:  forCommit(policy.ReadCode, "read_repository"),
		Write: forCommit(createCommitComment),
		On:    inCommit.notes, Place: placeInCommit, Commands: quick.OnCommit, Run: a.runCommands,
	}
	return append([]rest.Route{
		rest.Get(one+"/comments", read, a.list),
		rest.Post(one+"/comments",
			scope.Limited(setting.NotesCreated, scope.ForProject(createCommitComment)), a.create),
	}, notes.Discussions()...)
}

// inCommit is the scope of a route of a commit.
type inCommit struct {
	scope.InProject
	git    *code.Git
	commit code.Commit
}

// forCommit returns a guard that finds the commit {sha} of the project of the path, and admits
// callers who have the ability on the project.
func forCommit(need policy.Ability, scopes ...string) rest.Guard[inCommit] {
	project := scope.ForProject(need, scopes...)
	open := func(ctx context.Context, r *http.Request) (s inCommit, err error) {
		if s.InProject, err = project.Open(ctx, r); err != nil {
			return s, err
		}
		s.git, s.commit, err = commitSHA{r.PathValue("sha")}.find(ctx, s.InProject)
		return s, err
	}
	return rest.Guard[inCommit]{Need: need.Name, Open: open}
}

// notes returns what the scope means for the notes of the commit.
func (s inCommit) notes() noteapi.On {
	who := s.Who()
	return noteapi.On{
		Anyone: s.Anyone, Target: s.git.CommitTarget(s.commit), Moderates: s.Can(adminCommitComment),
		Dates: who.Admin || who.Level >= policy.Owner,
	}
}

func placeInCommit(ctx context.Context, s inCommit, at noteapi.Place, n *note.New) error {
	if at.Position == nil {
		return nil
	}
	p, err := s.git.PlaceNote(ctx, s.commit, *at.Position)
	n.Position = &p
	return err
}

type commentView struct {
	Note      string          `json:"note"`
	Path      *string         `json:"path"`
	Line      *int            `json:"line"`
	LineType  *string         `json:"line_type"`
	Author    *view.BasicUser `json:"author"`
	CreatedAt time.Time       `json:"created_at"`
}

func (a comments) view(c code.Comment) commentView {
	return commentView{c.Body, c.Path, c.Line, c.LineType, a.Author(c.Author), c.CreatedAt}
}

func (a comments) list(ctx context.Context, s scope.InProject, in commitContents) (rest.List[commentView], error) {
	g, c, err := in.find(ctx, s)
	if err != nil {
		return rest.List[commentView]{}, err
	}
	return rest.Pages(a.view)(g.Comments(ctx, c, scope.PageOf(in.Paging)))
}

type commentNew struct {
	commitSHA
	Note     string        `param:"note,required"`
	Path     string        `param:"path"`
	Line     rest.Opt[int] `param:"line"`
	LineType string        `param:"line_type" default:"new" oneof:"new old"`
}

// create stores a comment and runs its quick actions. One of nothing else is not stored.
func (a comments) create(ctx context.Context, s scope.InProject, in commentNew) (rest.Raw, error) {
	g, c, err := in.find(ctx, s)
	if err != nil {
		return nil, err
	}
	line, ok := in.Line.Value()
	if in.Path != "" && !ok {
		return nil, fault.Param("line is missing")
	}
	body, calls := in.Note, []quick.Call(nil)
	if note.Wrong(body) == "" {
		body, calls = quick.Parse(body, quick.OnCommit)
	}
	on := inCommit{s, g, c}
	if body == "" && len(calls) > 0 {
		return noteapi.OnlyCommands(a.runCommands(ctx, on, noteapi.Actions{Calls: calls}))
	}
	stored, err := g.AddComment(ctx, c, code.NewComment{
		Author: s.Caller.User, Note: body, Path: in.Path, Line: line, LineType: in.LineType,
	})
	if err == nil && len(calls) > 0 {
		_, err = a.runCommands(ctx, on, noteapi.Actions{Calls: calls})
	}
	if err != nil {
		return nil, err
	}
	return rest.JSON(http.StatusCreated, a.view(stored)), nil
}

// runCommands runs the quick actions of a note on the commit.
func (a comments) runCommands(ctx context.Context, s inCommit, actions noteapi.Actions) (note.Outcome, error) {
	by := code.Tagger{Author: AuthorOf(s.InProject), May: s.Can(policy.PushCode), Web: a.Web}
	return s.git.RunCommands(ctx, s.Project.Project, by, s.commit, actions.Calls)
}
