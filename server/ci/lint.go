package ci

import (
	"context"
	"errors"
	"strconv"

	"hew/server/ci/definition"
	"hew/server/ci/document"
	"hew/server/ci/status"
	"hew/server/code"
	"hew/server/db"
	"hew/server/fault"
	"hew/server/git/object"
	"hew/server/policy"
	"hew/server/setting"
	"hew/server/tree"
)

// LintOrder says which definition is to be checked, for whom.
type LintOrder struct {
	Project tree.Project
	By      tree.User
	Content *string   // nil: the one of the project
	Commit  object.ID // that its files are of
	// Ref is the branch or tag of a pipeline to simulate, with all of its rules; "": none, the
	// definition alone is checked.
	Ref string
}

// Lint is what there is to say about a definition (ci §2.3).
type Lint struct {
	Document *document.Document // nil: it could not be read
	Errors   []*definition.Error
	Warnings []*definition.Warning
	Jobs     []*definition.Job // of the definition, or those that the simulated pipeline has
}

// CheckDefinition checks a definition without storing anything. The store is bound to the pool, as
// other hosts may be asked for files.
func CheckDefinition(ctx context.Context, st *db.Store, site Site, o LintOrder) (l Lint, err error) {
	ctx, cancel := context.WithTimeout(ctx, planTime)
	defer cancel()
	c := &creation{
		st: st, site: site,
		Order: Order{Project: o.Project, By: o.By, Source: ByPush, Ref: o.Ref, Commit: o.Commit},
	}
	if err = c.prepareLint(ctx, o); err == nil {
		err = c.lint(ctx, o, &l)
	}
	var r refusal
	if errors.As(err, &r) {
		l.Errors, err = append(l.Errors, &definition.Error{Text: r.text}), nil
	}
	return l, err
}

// prepareLint does what precedes the definition: a simulated pipeline has all checks of a real one.
func (c *creation) prepareLint(ctx context.Context, o LintOrder) (err error) {
	if o.Ref != "" {
		return c.prepare(ctx)
	}
	if c.settings, err = setting.Read(ctx, c.st); err != nil {
		return err
	}
	c.found, err = tree.ProjectFor(ctx, c.st, strconv.FormatInt(o.Project.ID, 10), o.By.ID)
	if err != nil {
		return err
	}
	if c.git, err = code.Open(ctx, c.st, c.found.Project); err != nil {
		return err
	}
	c.name = o.Project.Head
	c.commit, err = c.git.FindCommit(ctx, "Commit", o.Commit)
	c.pipeline = Pipeline{
		ProjectID: o.Project.ID, Status: status.Created, Source: ByPush, Ref: c.name, Commit: o.Commit,
		UserID: &o.By.ID,
	}
	return fault.IgnoreNotFound(err)
}

// lint reads and checks the definition, and evaluates its rules if there is a ref to do so for.
func (c *creation) lint(ctx context.Context, o LintOrder, l *Lint) error {
	request, err := c.lintRequest(ctx, o)
	if err != nil {
		return err
	}
	in, err := c.read(ctx, request)
	if err != nil {
		return err
	}
	l.Document, l.Errors, l.Warnings = in.document, in.errors, in.warnings
	if in.config == nil {
		return nil
	}
	l.Jobs = in.config.Jobs
	if o.Ref == "" {
		return nil
	}
	chosen, err := c.choose(ctx, in.config)
	if err != nil {
		l.Jobs = nil
		return err
	}
	l.Jobs = chosen.Jobs
	return c.checkSize(ctx, chosen.Jobs)
}

// lintRequest returns what to load. Who may not start pipelines sees nothing of the variables of
// the project.
func (c *creation) lintRequest(ctx context.Context, o LintOrder) (r document.Request, err error) {
	if o.Content == nil {
		r, err = c.request(ctx)
		var missing refusal
		if errors.As(err, &missing) && missing.reason == "" {
			return r, refuse("Please provide content of .gitlab-ci.yml")
		}
	} else {
		r, err = c.emptyRequest(ctx)
		r.File, r.Content = usualPath, []byte(*o.Content)
	}
	if err != nil || can(c.By, policy.CreatePipeline, c.found) {
		return r, err
	}
	c.stored = nil
	r.Variables, err = c.variablesOfIncludes()
	return r, err
}
