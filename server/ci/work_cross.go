package ci

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/jackc/pgx/v5"

	"hew/server/ci/definition"
	"hew/server/ci/expression"
	"hew/server/db"
	"hew/server/fault"
	"hew/server/people"
	"hew/server/policy"
	"hew/server/tree"
)

// ErrMissingDependency is the error of a job that needs artifacts that it cannot have: there are
// none, or they are not for its user, or for the jobs of its project.
var ErrMissingDependency = errors.New("artifacts of another pipeline that the job needs cannot be had")

// readCrossNeeds adds the jobs of other pipelines whose artifacts the job needs (CI facts §1.5).
// The names in the needs can be variables.
func (w *Work) readCrossNeeds(ctx context.Context, st *db.Store) error {
	lookup := w.Lookup()
	for _, need := range w.Definition.Options.CrossNeeds {
		if !need.Artifacts {
			continue
		}
		d, err := w.crossNeed(ctx, st, need, lookup)
		if fault.CodeOf(err) == fault.CodeNotFound {
			err = fmt.Errorf("%w: job %q", ErrMissingDependency, need.Job)
		}
		if err != nil {
			return err
		}
		w.Dependencies = append(w.Dependencies, d)
	}
	return nil
}

func (w *Work) crossNeed(
	ctx context.Context, st *db.Store, need definition.CrossNeed, lookup expression.Lookup,
) (d Dependency, err error) {
	name := expression.Expand(need.Job, lookup)
	var p tree.FoundProject
	if need.Project == "" {
		d.Job, err = w.jobInHierarchy(ctx, st, expression.Expand(need.Pipeline, lookup), name)
	} else if p, err = w.crossProject(ctx, st, expression.Expand(need.Project, lookup)); err == nil {
		d.Job, err = LatestJob(ctx, st, p.ID, cmp.Or(expression.Expand(need.Ref, lookup), p.Head), name)
	}
	if err != nil {
		return d, err
	}
	archive, err := FindArtifact(ctx, st, d.Job.ID, ArchiveFile)
	if err == nil && need.Project != "" {
		var gone bool
		if gone, err = archive.HasExpired(ctx, st); err == nil && (gone || !archive.IsFor(policy.Level(p.Level))) {
			err = fault.NotFound("")
		}
	}
	d.Archive = &archive
	return d, err
}

// crossProject returns a project whose artifacts the job may have: its user reads them, and the
// project lets the token of the job in.
func (w *Work) crossProject(ctx context.Context, st *db.Store, path string) (p tree.FoundProject, err error) {
	if w.Job.UserID == nil {
		return p, fault.NotFound("Project")
	}
	token := people.JobToken{
		JobID: w.Job.ID, ProjectID: w.Project.ID, UserID: w.Job.UserID, NamespaceIDs: w.Project.NamespaceIDs,
	}
	return ReachedProject(ctx, st, token, path)
}

// ReachedProject returns a project, named by its path or id, whose pipelines the token of a job
// reads; a not-found fault if it does not. What everybody sees jobs see, too.
func ReachedProject(
	ctx context.Context, st *db.Store, token people.JobToken, path string,
) (p tree.FoundProject, err error) {
	by, err := tree.FindUser(ctx, st, *token.UserID)
	if err != nil {
		return p, err
	}
	if p, err = tree.ProjectFor(ctx, st, path, by.ID); err != nil {
		return p, err
	}
	reaches, err := token.Reaches(ctx, st, p.Project)
	if err != nil {
		return p, err
	}
	if !reaches {
		p.Level, p.GroupLevel, p.OwnLevel, by.Admin = 0, 0, 0, false
	}
	if !can(by, policy.ReadPipeline, p) {
		err = fault.NotFound("Project")
	}
	return p, err
}

// jobInHierarchy returns the successful job of a name in a pipeline that has a parent with the
// pipeline of the job in common, or is that parent.
func (w *Work) jobInHierarchy(ctx context.Context, st *db.Store, pipeline, name string) (Job, error) {
	id, err := strconv.ParseInt(pipeline, 10, 64)
	if err != nil {
		return Job{}, fault.NotFound("Pipeline")
	}
	return db.One[Job](ctx, st, "Job", `
		with recursive up as (
			select t.id as first, t.id, t.source, t.upstream_job_id from pipelines t where t.id in (@id, @own)
			union all
			select u.first, t.id, t.source, t.upstream_job_id
			from up u join jobs j on j.id = u.upstream_job_id join pipelines t on t.id = j.pipeline_id
			where u.source = 'parent_pipeline'),
		root as (select first, id from up where source <> 'parent_pipeline')`+selectJobs+`
		where t.pipeline_id = @id and t.name = @name and not t.retried and t.status = 'success'
			and (select id from root where first = @id) = (select id from root where first = @own)`,
		pgx.NamedArgs{"id": id, "own": w.Pipeline.ID, "name": name})
}

// IsFor reports whether somebody with a level in the project may read the artifact, of those who
// see its job.
func (a Artifact) IsFor(level policy.Level) bool {
	switch a.Access {
	case AllAccess:
		return true
	case DeveloperAccess:
		return level >= policy.Developer
	case MaintainerAccess:
		return level >= policy.Maintainer
	}
	return false
}
