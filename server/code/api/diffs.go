package api

import (
	"context"
	"strconv"
	"strings"

	"hew/server/code"
	"hew/server/fault"
	"hew/server/git/diff"
	"hew/server/git/object"
	"hew/server/policy"
	"hew/server/rest"
	"hew/server/scope"
	"hew/server/view"
)

// diffs serves what changes between commits (gaps §9.1, §9.2).
type diffs struct{ *view.Site }

func (a diffs) routes() []rest.Route {
	read := scope.ForProject(policy.ReadCode, "read_repository")
	return []rest.Route{
		rest.Get("/projects/{id}/repository/commits/{sha}/diff", read, a.commit),
		rest.Get("/projects/{id}/repository/compare", read, a.compare),
	}
}

// diffView is the change of one file.
type diffView struct {
	Diff          string `json:"diff"`
	Collapsed     bool   `json:"collapsed"`
	TooLarge      bool   `json:"too_large"`
	NewPath       string `json:"new_path"`
	OldPath       string `json:"old_path"`
	AMode         string `json:"a_mode"`
	BMode         string `json:"b_mode"`
	NewFile       bool   `json:"new_file"`
	RenamedFile   bool   `json:"renamed_file"`
	DeletedFile   bool   `json:"deleted_file"`
	GeneratedFile bool   `json:"generated_file"`
}

// diffViewOf shows a change. As a unified diff it names the files before its hunks.
func diffViewOf(f diff.File, unified bool) diffView {
	v := diffView{
		Diff: f.Patch, TooLarge: f.TooLarge, NewPath: f.NewPath, OldPath: f.OldPath, AMode: modeText(f.OldMode),
		BMode: modeText(f.NewMode), NewFile: f.Status == 'A', RenamedFile: f.Status == 'R',
		DeletedFile: f.Status == 'D',
	}
	if f.Binary {
		v.Diff = "Binary files differ\n"
	}
	if unified && f.Patch != "" {
		old, now := "a/"+f.OldPath, "b/"+f.NewPath
		if v.NewFile {
			old = "/dev/null"
		}
		if v.DeletedFile {
			now = "/dev/null"
		}
		v.Diff = "--- " + old + "\n+++ " + now + "\n" + f.Patch
	}
	return v
}

// DiffView is the change of a file as other parts show it.
type DiffView = diffView

// Shown says how the patches of files are shown.
type Shown struct {
	Unified  bool // each names its files before its hunks
	Expanded bool // the patches of collapsed files are not left out
}

// ViewListed returns how files of a bounded list are shown, which are changed from one commit to
// head (more §6.1).
func ViewListed(
	ctx context.Context, g *code.Git, head object.ID, files []diff.Listed, shown Shown,
) ([]DiffView, error) {
	views := make([]DiffView, len(files))
	for n, f := range files {
		f.Binary = false // its line is in the patch
		views[n] = diffViewOf(f.File, shown.Unified && strings.HasPrefix(f.Patch, "@@"))
		if f.Collapsed && !shown.Expanded {
			views[n].Diff, views[n].Collapsed = "", true
		}
	}
	return views, markGenerated(ctx, g, head, views)
}

// markGenerated says of files of a commit whether they are generated.
func markGenerated(ctx context.Context, g *code.Git, head object.ID, views []DiffView) error {
	paths := make([]string, len(views))
	for n, v := range views {
		paths[n] = v.NewPath
	}
	generated, err := g.Generated(ctx, head, paths)
	for n := range views {
		views[n].GeneratedFile = generated[views[n].NewPath]
	}
	return err
}

type commitDiff struct {
	rest.Paging
	commitSHA
	Unified bool `param:"unidiff"`
}

func (a diffs) commit(ctx context.Context, s scope.InProject, in commitDiff) (rest.List[diffView], error) {
	none := rest.List[diffView]{}
	g, c, err := in.find(ctx, s)
	if err != nil {
		return none, err
	}
	files, err := g.CommitDiff(ctx, c, diff.Limits{})
	if err != nil {
		return none, err
	}
	page := rest.PageOf(files, in.Paging, func(f diff.File) diffView { return diffViewOf(f, in.Unified) })
	return page, markGenerated(ctx, g, c.ID, page.Items)
}

type compare struct {
	From     string          `param:"from,required"`
	To       string          `param:"to,required"`
	Project  rest.Opt[int64] `param:"from_project_id"`
	Straight bool            `param:"straight"`
	Unified  bool            `param:"unidiff"`
}

type comparisonView struct {
	Commit   *commitView  `json:"commit"` // the newest one
	Commits  []commitView `json:"commits"`
	Diffs    []diffView   `json:"diffs"`
	TimedOut bool         `json:"compare_timeout"`
	Same     bool         `json:"compare_same_ref"`
	WebURL   string       `json:"web_url"`
}

func (a diffs) compare(ctx context.Context, s scope.InProject, in compare) (comparisonView, error) {
	v := comparisonView{Commits: []commitView{}, Diffs: []diffView{}}
	g, err := code.Open(ctx, s.Store, s.Project.Project)
	if err != nil {
		return v, err
	}
	c, err := a.comparison(ctx, s, g, in)
	if err != nil {
		return v, err
	}
	commits := commitViews{a.Site, s.Project.Project}
	for _, commit := range c.Commits {
		v.Commits = append(v.Commits, commits.view(commit))
	}
	if n := len(v.Commits); n > 0 {
		v.Commit = &v.Commits[n-1]
	}
	for _, f := range c.Files {
		v.Diffs = append(v.Diffs, diffViewOf(f, in.Unified))
	}
	if err := markGenerated(ctx, g, c.To.ID, v.Diffs); err != nil {
		return v, err
	}
	dots := "..."
	if in.Straight {
		dots = ".."
	}
	v.Same = in.From == in.To
	v.WebURL = a.Web(s.Project.FullPath + "/-/compare/" + c.From.ID.String() + dots + c.To.ID.String())
	return v, nil
}

// comparison compares within the project, or from another one of its fork network.
func (a diffs) comparison(
	ctx context.Context, s scope.InProject, g *code.Git, in compare,
) (c code.Comparison, err error) {
	id, ok := in.Project.Value()
	if !ok || id == s.Project.ID {
		return g.Compare(ctx, in.From, in.To, in.Straight, diff.Limits{})
	}
	from, err := relative(ctx, s, strconv.FormatInt(id, 10))
	if fault.CodeOf(err) == fault.CodeForbidden {
		err = fault.NotFound("Project")
	}
	if err != nil {
		return c, err
	}
	other, err := code.Open(ctx, s.Store, from)
	if err != nil {
		return c, err
	}
	return g.CompareWith(ctx, other, in.From, in.To, in.Straight, diff.Limits{})
}
