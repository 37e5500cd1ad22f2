package ci

import (
	"context"
	"errors"
	"regexp"
	"strconv"
	"time"

	"hew/server/ci/definition"
	"hew/server/ci/expression"
	"hew/server/ci/status"
	"hew/server/code"
	"hew/server/db"
	"hew/server/fault"
	"hew/server/protect"
	"hew/server/setting"
	"hew/server/tree"
)

// creation is the creation of one pipeline.
type creation struct {
	Order
	st       *db.Store
	site     Site
	settings setting.Settings

	found      tree.FoundProject // with the level of the user
	git        *code.Git
	protection *protect.Protection
	kind       protect.RefKind // "": the ref of a merge request
	name       string          // of the branch or tag, the source branch of a merge request
	pipeline   Pipeline
	commit     code.Commit

	files      *files
	stored     StoredVariables
	predefined []expression.Variable
	names      map[*definition.Job]jobNames
}

// Create creates a pipeline and returns it. Where there is none, the error is a fault with the
// reason: 400 with the field base. A definition that is wrong is an error for those who wait for
// the answer; else the pipeline is stored as failed (ci §2.1). The store is bound to the pool, as
// other hosts may be asked for files.
func Create(ctx context.Context, st *db.Store, site Site, o Order) (Pipeline, error) {
	c := &creation{Order: o, st: st, site: site}
	p, err := c.run(ctx)
	var r refusal
	if !errors.As(err, &r) {
		return p, err
	}
	if r.reason != "" && o.keeps() {
		return c.storeFailed(ctx, r)
	}
	if o.finish != nil {
		if failed := st.Tx(ctx, func(st *db.Store) error { return o.finish(ctx, st) }); failed != nil {
			return p, failed
		}
	}
	return p, err
}

// run takes the steps in the order of ci §2.1. The first that fails says why.
func (c *creation) run(ctx context.Context) (Pipeline, error) {
	if err := c.prepare(ctx); err != nil {
		return Pipeline{}, err
	}
	if err := c.count(ctx); err != nil {
		return Pipeline{}, err
	}
	if c.Skip || c.skippable() && skipsPipeline.MatchString(c.commit.Message) {
		c.pipeline.Status = status.Skipped
		return c.store(ctx, plan{Pipeline: c.pipeline, Variables: c.Variables})
	}
	p, err := c.plan(ctx)
	if err != nil {
		return Pipeline{}, err
	}
	return c.store(ctx, p)
}

// skipsPipeline matches messages of commits that want no pipeline.
var skipsPipeline = regexp.MustCompile(`(?i)\[(ci[ _-]skip|skip[ _-]ci)\]`)

// prepare checks who asks for what, and finds the commit.
func (c *creation) prepare(ctx context.Context) (err error) {
	if c.settings, err = setting.Read(ctx, c.st); err != nil {
		return err
	}
	c.found, err = tree.ProjectFor(ctx, c.st, strconv.FormatInt(c.Project.ID, 10), c.By.ID)
	if err != nil {
		return err
	}
	c.Project = c.found.Project
	if c.git, err = code.Open(ctx, c.st, c.Project); err != nil {
		return err
	}
	missing, err := c.findRef(ctx)
	if err != nil {
		return err
	}
	if err := c.checkRights(ctx); err != nil {
		return err
	}
	if missing != nil {
		return missing
	}
	c.commit, err = c.git.FindCommit(ctx, "Commit", c.Commit)
	if fault.CodeOf(err) == fault.CodeNotFound {
		return refuse("Commit not found")
	}
	c.pipeline = c.newPipeline()
	return err
}

// newPipeline returns the pipeline without what its definition says.
func (c *creation) newPipeline() Pipeline {
	p := Pipeline{
		ProjectID: c.Project.ID, Status: status.Created, Source: c.Source, Ref: c.name, Tag: c.kind == protect.Tag,
		Commit: c.Commit, Before: c.Before, SourceHead: c.SourceHead, TargetHead: c.TargetHead, UserID: &c.By.ID,
		Protected: c.protected(), ScheduleID: c.ScheduleID, TriggerID: c.TriggerID, CancelOlder: "conservative",
		CommittedAt: new(c.commit.CommittedAt), Path: c.Project.FullPath,
	}
	if r := c.Request; r != nil {
		p.MergeRequestID = &r.ID
		if c.Ref == "" {
			p.Ref = requestRef(*r, !c.SourceHead.IsZero())
		}
	}
	if c.bridge != nil {
		p.UpstreamJobID = &c.bridge.Job.ID
	}
	return p
}

// count counts the pipelines that a user starts for one commit.
func (c *creation) count(ctx context.Context) error {
	holder := strconv.FormatInt(c.Project.ID, 10) + " " + strconv.FormatInt(c.By.ID, 10) + " " + c.Commit.String()
	ok, err := setting.PipelinesCreated.Count(ctx, c.st, holder)
	if err == nil && !ok {
		err = refuse("Too many pipelines created in the last minute. Try again later.")
	}
	return err
}

// store stores the pipeline, with what follows from it, and what the order has to do at once.
func (c *creation) store(ctx context.Context, p plan) (made Pipeline, err error) {
	err = c.st.Tx(ctx, func(st *db.Store) error {
		if c.finish != nil {
			if err := c.finish(ctx, st); err != nil {
				return err
			}
		}
		places, err := c.places(ctx, st, p.Jobs)
		if err != nil {
			return err
		}
		p.Place = places.place
		if made, err = p.store(ctx, st); err != nil {
			return err
		}
		return c.follow(ctx, st, made)
	})
	return made, err
}

// storeFailed stores a pipeline without jobs that says what is wrong.
func (c *creation) storeFailed(ctx context.Context, r refusal) (Pipeline, error) {
	p := c.pipeline
	p.Status, p.FailureReason = status.Failed, &r.reason
	p.FinishedAt = new(time.Now().Truncate(time.Millisecond))
	if r.reason == "config_error" {
		p.YAMLErrors = &r.text
	}
	return c.store(ctx, plan{Pipeline: p, Variables: c.Variables})
}
