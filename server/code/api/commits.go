package api

import (
	"context"
	"strings"
	"time"

	"hew/server/auth"
	"hew/server/code"
	"hew/server/fault"
	"hew/server/git/object"
	"hew/server/policy"
	"hew/server/rest"
	"hew/server/scope"
	"hew/server/view"
)

// commits serves the commits of projects (spec 1 §4.4, gaps §9.1).
type commits struct{ *view.Site }

func (a commits) routes() []rest.Route {
	const path, one = "/projects/{id}/repository/commits", "/projects/{id}/repository/commits/{sha}"
	read := scope.ForProject(policy.ReadCode, "read_repository")
	push := forBranch()
	return []rest.Route{
		rest.Get(path, read, a.list),
		rest.Post(path, push, a.create).LongText(maxCommitText, pushLarger).Timeout(commitTimeout),
		rest.Get(one, scope.ForProject(policy.ReadCode, "read_repository", auth.JobScope), a.show),
		rest.Get(one+"/refs", read, a.listRefs),
		rest.Get(one+"/sequence", read, a.sequence),
		rest.Post(one+"/cherry_pick", push, a.cherryPick),
		rest.Post(one+"/revert", push, a.revert),
		rest.Get("/projects/{id}/repository/merge_base", read, a.mergeBase),
	}
}

// The limits of a commit through the API. Its content is in memory as a whole.
const (
	maxCommitText = 64 << 20 // bytes; a file in base64 has 3/4 of it
	pushLarger    = "make several commits of it, or commit larger files with git and push them"
	commitTimeout = 10 * time.Minute
)

func (a commits) views(s scope.InProject) commitViews {
	return commitViews{a.Site, s.Project.Project}
}

type commitList struct {
	rest.Paging
	Ref         string     `param:"ref_name"`
	Since       *time.Time `param:"since"`
	Until       *time.Time `param:"until"`
	Path        string     `param:"path"`
	Author      string     `param:"author"`
	All         bool       `param:"all"`
	WithStats   bool       `param:"with_stats"`
	FirstParent bool       `param:"first_parent"`
	Order       string     `param:"order" default:"default" oneof:"default topo"`
	Trailers    bool       `param:"trailers"`
}

func (a commits) list(ctx context.Context, s scope.InProject, in commitList) (rest.List[commitView], error) {
	page := rest.List[commitView]{Total: -1}
	g, err := code.Open(ctx, s.Store, s.Project.Project)
	if err != nil {
		return page, err
	}
	if empty, err := g.Empty(ctx); err != nil || empty {
		return page, err
	}
	if !code.IsRevision(in.Ref) {
		return page, fault.BadRequest("ref_name is invalid").In(fault.Text)
	}
	f := code.LogFilter{
		Path: strings.Trim(in.Path, "/"), Author: in.Author, Since: in.Since, Until: in.Until,
		FirstParent: in.FirstParent, Topo: in.Order == "topo", Limit: in.Limit(), Offset: in.Offset(),
	}
	if in.All {
		err = g.FromAll(ctx, &f)
	} else {
		err = g.FromRange(ctx, "Commit", in.Ref, &f)
	}
	if err != nil {
		return page, err
	}
	log, err := g.Log(ctx, f)
	if err != nil {
		return page, err
	}
	views := a.views(s)
	for _, c := range log {
		v := views.view(c)
		if in.Trailers {
			v = v.withTrailers()
		}
		page.Items = append(page.Items, v)
	}
	if in.WithStats {
		err = addStats(ctx, g, log, page.Items)
	}
	return page, err
}

type commitSHA struct {
	SHA string `param:"sha"`
}

// find returns the commit that a path names: an id, a branch or a tag.
func (in commitSHA) find(ctx context.Context, s scope.InProject) (*code.Git, code.Commit, error) {
	g, err := code.Open(ctx, s.Store, s.Project.Project)
	if err != nil {
		return nil, code.Commit{}, err
	}
	id, err := g.Resolve(ctx, "Commit", in.SHA)
	if err != nil {
		return nil, code.Commit{}, err
	}
	c, err := g.FindCommit(ctx, "Commit", id)
	return g, c, err
}

type commitShow struct {
	commitSHA
	Stats bool `param:"stats" default:"true"`
}

func (a commits) show(ctx context.Context, s scope.InProject, in commitShow) (commitDetails, error) {
	g, c, err := in.find(ctx, s)
	if err != nil {
		return commitDetails{}, err
	}
	v, err := a.views(s).details(ctx, g, c, in.Stats)
	if err != nil {
		return v, err
	}
	return a.withPipeline(ctx, s, c, v)
}

type commitRefs struct {
	rest.Paging
	commitSHA
	Type string `param:"type" default:"all" oneof:"branch tag all"`
}

type refView struct {
	Type string `json:"type"`
	Name string `json:"name"`
}

func (a commits) listRefs(ctx context.Context, s scope.InProject, in commitRefs) (rest.List[refView], error) {
	none := rest.List[refView]{}
	g, c, err := in.find(ctx, s)
	if err != nil {
		return none, err
	}
	prefixes := map[string][]string{"branch": {code.Heads}, "tag": {code.Tags}, "all": {code.Heads, code.Tags}}
	refs, err := g.RefsContaining(ctx, c.ID, prefixes[in.Type]...)
	if err != nil {
		return none, err
	}
	return rest.PageOf(refs, in.Paging, refViewOf), nil
}

func refViewOf(r code.Ref) refView {
	if strings.HasPrefix(r.Name, code.Tags) {
		return refView{"tag", r.Short()}
	}
	return refView{"branch", r.Short()}
}

type commitSequence struct {
	commitSHA
	FirstParent bool `param:"first_parent"`
}

type sequenceView struct {
	Count int `json:"count"`
}

func (a commits) sequence(ctx context.Context, s scope.InProject, in commitSequence) (sequenceView, error) {
	g, c, err := in.find(ctx, s)
	if err != nil {
		return sequenceView{}, err
	}
	n, err := g.Count(ctx, c.ID, in.FirstParent)
	return sequenceView{n}, err
}

type commitContents struct {
	rest.Paging
	commitSHA
}

type mergeBase struct {
	Refs []string `param:"refs,required"`
}

func (a commits) mergeBase(ctx context.Context, s scope.InProject, in mergeBase) (commitView, error) {
	if len(in.Refs) < 2 {
		return commitView{}, fault.BadRequest("Provide at least 2 refs").In(fault.Text)
	}
	g, err := code.Open(ctx, s.Store, s.Project.Project)
	if err != nil {
		return commitView{}, err
	}
	ids := make([]object.ID, len(in.Refs))
	var unknown []string
	for i, ref := range in.Refs {
		ids[i], err = g.Resolve(ctx, "Commit", ref)
		switch {
		case fault.CodeOf(err) == fault.CodeNotFound:
			unknown = append(unknown, ref)
		case err != nil:
			return commitView{}, err
		}
	}
	if unknown != nil {
		return commitView{}, fault.BadRequest("Could not find ref: " + strings.Join(unknown, ", ")).In(fault.Text)
	}
	base, err := g.MergeBase(ctx, ids)
	if err != nil {
		return commitView{}, err
	}
	return rest.Show(a.views(s).view)(g.FindCommit(ctx, "Merge Base", base))
}
