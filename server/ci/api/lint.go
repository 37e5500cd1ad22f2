package api

import (
	"context"
	"net/http"
	"time"

	"hew/server/ci"
	"hew/server/ci/definition"
	"hew/server/ci/document"
	"hew/server/code"
	"hew/server/db"
	"hew/server/policy"
	"hew/server/rest"
	"hew/server/scope"
)

// planTime is how long the files of a definition are waited for.
const planTime = 90 * time.Second

// lint serves the checks of definitions (ci §2.3).
type lint struct{ ci ci.Site }

func (a lint) routes() []rest.Route {
	const path = "/projects/{id}/ci/lint"
	return []rest.Route{
		rest.Get(path, scope.ForProject(policy.ReadCode), a.stored).WithoutTransaction().Timeout(planTime),
		rest.Post(path, scope.ForProject(policy.CreatePipeline), a.given).
			Status(http.StatusOK).WithoutTransaction().Timeout(planTime),
	}
}

type lintQuery struct {
	ContentRef  string `param:"content_ref"`
	SHA         string `param:"sha"` // the older name
	DryRun      bool   `param:"dry_run"`
	DryRunRef   string `param:"dry_run_ref"`
	Ref         string `param:"ref"` // the older name
	IncludeJobs bool   `param:"include_jobs"`
}

// stored checks the definition of a commit.
func (a lint) stored(ctx context.Context, s scope.InProject, in lintQuery) (lintView, error) {
	o := ci.LintOrder{Project: s.Project.Project, By: s.Caller.User}
	revision := firstOf(in.ContentRef, in.SHA, "HEAD")
	g, err := code.Open(ctx, s.Store, o.Project)
	if err != nil {
		return lintView{}, err
	}
	if empty, err := g.Empty(ctx); err != nil || empty && revision == "HEAD" {
		return a.view(s, o, in.IncludeJobs, ci.Lint{Errors: []*definition.Error{{Text: noContent}}}), err
	}
	if o.Commit, err = g.Resolve(ctx, "Commit", revision); err != nil {
		return lintView{}, err
	}
	if in.DryRun {
		o.Ref = firstOf(in.DryRunRef, in.Ref, o.Project.Head)
	}
	l, err := ci.CheckDefinition(ctx, s.Store, a.ci, o)
	return a.view(s, o, in.IncludeJobs, l), err
}

const noContent = "Please provide content of .gitlab-ci.yml"

type lintContent struct {
	Content     string `param:"content,required"`
	DryRun      bool   `param:"dry_run"`
	IncludeJobs bool   `param:"include_jobs"`
	Ref         string `param:"ref"`
}

// given checks a definition as if it were the one of the default branch.
func (a lint) given(ctx context.Context, s scope.InProject, in lintContent) (lintView, error) {
	o := ci.LintOrder{Project: s.Project.Project, By: s.Caller.User, Content: &in.Content}
	if in.DryRun {
		o.Ref = firstOf(in.Ref, o.Project.Head)
	}
	g, err := code.Open(ctx, s.Store, o.Project)
	if err != nil {
		return lintView{}, err
	}
	if empty, err := g.Empty(ctx); err != nil {
		return lintView{}, err
	} else if !empty && !in.DryRun {
		if o.Commit, err = g.Resolve(ctx, "Commit", "HEAD"); err != nil {
			return lintView{}, err
		}
	}
	l, err := ci.CheckDefinition(ctx, s.Store, a.ci, o)
	return a.view(s, o, in.IncludeJobs, l), err
}

func firstOf(texts ...string) string {
	for _, text := range texts {
		if text != "" {
			return text
		}
	}
	return ""
}

// lintView is what there is to say about a definition.
type lintView struct {
	Valid          bool            `json:"valid"`
	MergedYAML     *string         `json:"merged_yaml"`
	Errors         []string        `json:"errors"`
	ErrorLocations []errorLocation `json:"error_locations"` // of ours: where the errors are
	Warnings       []string        `json:"warnings"`
	Includes       []includeView   `json:"includes"`
	Jobs           *[]lintJob      `json:"jobs,omitempty"`
}

// errorLocation is the place of an error; without a line if no line is to blame.
type errorLocation struct {
	Message string  `json:"message"`
	File    *string `json:"file"`
	Line    *int    `json:"line"`
}

type includeView struct {
	Type           document.Form  `json:"type"`
	Location       string         `json:"location"`
	Blob           *string        `json:"blob"`
	Raw            *string        `json:"raw"`
	Extra          *document.Node `json:"extra"`
	ContextProject *string        `json:"context_project"`
	ContextSHA     *string        `json:"context_sha"`
}

func (a lint) view(s scope.InProject, o ci.LintOrder, jobs bool, l ci.Lint) lintView {
	v := lintView{
		Valid: len(l.Errors) == 0, Errors: []string{}, ErrorLocations: []errorLocation{}, Warnings: []string{},
		Includes: []includeView{},
	}
	for _, e := range l.Errors {
		v.Errors = append(v.Errors, e.Text)
		at := errorLocation{Message: e.Text}
		if e.Line > 0 {
			at.File, at.Line = &e.File, &e.Line
		}
		v.ErrorLocations = append(v.ErrorLocations, at)
	}
	for _, w := range l.Warnings {
		v.Warnings = append(v.Warnings, w.Text)
	}
	if l.Document != nil {
		v.MergedYAML = new(l.Document.MergedYAML())
		for _, i := range l.Document.Includes {
			v.Includes = append(v.Includes, includeView{
				Type: i.Form, Location: i.Location, Blob: db.NilIfZero(i.Blob), Raw: db.NilIfZero(i.Raw), Extra: i.Extra,
				ContextProject: db.NilIfZero(i.Context.Project), ContextSHA: db.NilIfZero(i.Context.SHA),
			})
		}
	}
	if jobs {
		v.Jobs = new(lintJobs(l.Jobs, o.Ref != ""))
	}
	return v
}
