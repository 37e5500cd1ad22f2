package api

import (
	"context"
	"net/http"
	"strings"

	"hew/server/code"
	"hew/server/fault"
	"hew/server/git/object"
	"hew/server/policy"
	"hew/server/rest"
	"hew/server/scope"
	"hew/server/view"
)

// blames serves which commits brought the lines of a file (more-2 §8.3).
type blames struct{ *view.Site }

func (a blames) routes() []rest.Route {
	read := scope.ForProject(policy.ReadCode, "read_repository")
	return []rest.Route{rest.Get("/projects/{id}/repository/files/{file_path}/blame", read, a.show)}
}

type lineRange struct {
	Start rest.Opt[int] `param:"start"`
	End   rest.Opt[int] `param:"end"`
}

type blame struct {
	fileAt
	Range rest.Opt[lineRange] `param:"range"`
}

// lines returns the first and the last line that are asked for, 0 and 0 for all.
func (in blame) lines() (first, last int, err error) {
	r, ok := in.Range.Value()
	if !ok {
		return 0, 0, nil
	}
	first, last = r.Start.Or(0), r.End.Or(0)
	switch {
	case !r.Start.Given():
		return 0, 0, fault.Param("range[start] is missing")
	case !r.End.Given():
		return 0, 0, fault.Param("range[end] is missing")
	case first < 1 || last < 1 || first > last:
		return 0, 0, fault.BadRequest("range[start] must be less than or equal to range[end]").In(fault.Text)
	}
	return first, last, nil
}

type blameView struct {
	Commit blameCommit `json:"commit"`
	Lines  []string    `json:"lines"`
}

// blameCommit is a commit as a blame shows it.
type blameCommit struct {
	ID             string     `json:"id"`
	ParentIDs      []string   `json:"parent_ids"`
	Message        string     `json:"message"`
	AuthoredDate   commitTime `json:"authored_date"`
	AuthorName     string     `json:"author_name"`
	AuthorEmail    string     `json:"author_email"`
	CommittedDate  commitTime `json:"committed_date"`
	CommitterName  string     `json:"committer_name"`
	CommitterEmail string     `json:"committer_email"`
}

func (a blames) show(ctx context.Context, s scope.InProject, in blame) (rest.Raw, error) {
	first, last, err := in.lines()
	if err != nil {
		return nil, err
	}
	file, err := in.open(ctx, s, in.Ref)
	if err != nil {
		return nil, err
	}
	g, err := code.Open(ctx, s.Store, s.Project.Project)
	if err != nil {
		return nil, err
	}
	at, _ := object.ParseID(file.CommitID)
	ranges, err := g.Blame(ctx, at, strings.TrimPrefix(in.Path, "/"), first, last)
	if err != nil {
		return nil, err
	}
	views, err := a.views(ctx, s, g, ranges)
	if err != nil {
		return nil, err
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		file.headers(w.Header())
		rest.JSON(http.StatusOK, views).ServeHTTP(w, r)
	}), nil
}

func (a blames) views(
	ctx context.Context, s scope.InProject, g *code.Git, ranges []code.BlameRange,
) ([]blameView, error) {
	var ids []object.ID
	for _, r := range ranges {
		ids = append(ids, r.Commit)
	}
	commits, err := g.Commits(ctx, ids)
	if err != nil {
		return nil, err
	}
	at := map[object.ID]commitView{}
	for _, c := range commits {
		at[c.ID] = commitViews{a.Site, s.Project.Project}.view(c)
	}
	views := make([]blameView, 0, len(ranges))
	for _, r := range ranges {
		c := at[r.Commit]
		views = append(views, blameView{Lines: r.Lines, Commit: blameCommit{
			ID: c.ID, ParentIDs: c.ParentIDs, Message: c.Message, AuthoredDate: c.AuthoredDate,
			AuthorName:  c.AuthorName,
			AuthorEmail: c.AuthorEmail, CommittedDate: c.CommittedDate, CommitterName: c.CommitterName,
			CommitterEmail: c.CommitterEmail,
		}})
	}
	return views, nil
}
