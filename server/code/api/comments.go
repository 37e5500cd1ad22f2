package api

import (
	"context"
	"time"

	"hew/server/code"
	"hew/server/fault"
	"hew/server/policy"
	"hew/server/rest"
	"hew/server/scope"
	"hew/server/view"
)

// comments serves the comments on commits (gaps §9.1).
type comments struct{ *view.Site }

func (a comments) routes() []rest.Route {
	const one = "/projects/{id}/repository/commits/{sha}"
	read := scope.ForProject(policy.ReadCode, "read_repository")
	return []rest.Route{
		rest.Get(one+"/comments", read, a.list),
		rest.Post(one+"/comments", scope.ForProject(createCommitComment), a.create),
		rest.Get(one+"/discussions", read, a.discussions),
	}
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
	return commentView{c.Note, c.Path, c.Line, c.LineType, a.Author(c.Author), c.CreatedAt}
}

func (a comments) list(ctx context.Context, s scope.InProject, in commitContents) (rest.List[commentView], error) {
	g, c, err := in.find(ctx, s)
	if err != nil {
		return rest.List[commentView]{}, err
	}
	return rest.Pages(a.view)(g.Comments(ctx, c.ID, scope.PageOf(in.Paging)))
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
	return rest.Show(a.view)(g.AddComment(ctx, s.Project.Project, c, code.NewComment{
		Author: s.Caller.User, Note: in.Note, Path: in.Path, Line: line, LineType: in.LineType,
	}))
}

// discussions answers none until package work keeps them.
func (a comments) discussions(ctx context.Context, s scope.InProject, in commitContents) (rest.List[rest.None], error) {
	_, _, err := in.find(ctx, s)
	return rest.List[rest.None]{}, err
}
