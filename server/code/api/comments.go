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
		On:    inCommit.notes, Place: placeInCommit,
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

func (a comments) create(ctx context.Context, s scope.InProject, in commentNew) (commentView, error) {
	g, c, err := in.find(ctx, s)
	if err != nil {
		return commentView{}, err
	}
	line, ok := in.Line.Value()
	if in.Path != "" && !ok {
		return commentView{}, fault.Param("line is missing")
	}
	return rest.Show(a.view)(g.AddComment(ctx, c, code.NewComment{
		Author: s.Caller.User, Note: in.Note, Path: in.Path, Line: line, LineType: in.LineType,
	}))
}
