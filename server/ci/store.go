package ci

import (
	"context"

	"hew/server/ci/definition"
	"hew/server/ci/expression"
	"hew/server/ci/status"
	"hew/server/db"
	"hew/server/event"
	"hew/server/jobs"
)

// plan is a pipeline that is to be stored, with what its definition gives for it. Names of
// resource groups, tags and environments are expanded already.
type plan struct {
	Pipeline  Pipeline // without id and number
	Variables []expression.Variable
	Jobs      []*definition.Job
	// Place gives a job what its definition only names: resource group, environment, timeout.
	Place func(*definition.Job, *Job)
}

// store stores a pipeline with its jobs, and starts those that wait for nothing.
func (p plan) store(ctx context.Context, st *db.Store) (made Pipeline, err error) {
	err = st.Tx(ctx, func(st *db.Store) error {
		row := p.Pipeline
		if row.IID, err = st.NextIID(ctx, db.Container{ProjectID: &row.ProjectID}, "pipeline"); err != nil {
			return err
		}
		if row.ID, err = st.Insert(ctx, "pipelines", row); err != nil {
			return err
		}
		if err := ofPipeline.write(ctx, st, row.ID, p.Variables); err != nil {
			return err
		}
		if err := p.storeJobs(ctx, st, row); err != nil {
			return err
		}
		if made, err = FindPipeline(ctx, st, row.ID); err != nil {
			return err
		}
		if err := event.Emit(ctx, st, Changed{Pipeline: made}); err != nil {
			return err
		}
		if len(p.Jobs) == 0 {
			return followEnded(ctx, st, made)
		}
		if err := InPipeline(ctx, st, row.ID, func(*Change) error { return nil }); err != nil {
			return err
		}
		made, err = FindPipeline(ctx, st, row.ID)
		return err
	})
	return made, err
}

// followEnded tells the bridge that started a pipeline that it was over at once.
func followEnded(ctx context.Context, st *db.Store, p Pipeline) error {
	if p.UpstreamJobID == nil {
		return nil
	}
	return jobs.Enqueue(ctx, st, followDownstream{PipelineID: p.ID})
}

// storeJobs stores the jobs of a pipeline.
func (p plan) storeJobs(ctx context.Context, st *db.Store, in Pipeline) error {
	definitions := make([]Definition, len(p.Jobs))
	for n, j := range p.Jobs {
		definitions[n] = definitionOf(j)
	}
	ids, err := storeDefinitions(ctx, st, in.ProjectID, definitions)
	if err != nil {
		return err
	}
	rows := make([]Job, len(p.Jobs))
	for n, j := range p.Jobs {
		rows[n] = newJob(in, j)
		rows[n].DefinitionID = &ids[n]
		if p.Place != nil {
			p.Place(j, &rows[n])
		}
	}
	_, err = db.InsertAll(ctx, st, "jobs", rows)
	return err
}

// newJob returns the row of a job of a pipeline, as its definition has it.
func newJob(in Pipeline, j *definition.Job) Job {
	row := Job{
		ProjectID: in.ProjectID, PipelineID: in.ID, Kind: string(j.Kind), Name: j.Name, Stage: j.Stage,
		StageIndex: j.StageIndex, Status: status.Created, Starts: status.When(j.When), AllowFailure: j.AllowFailure,
		ByNeeds: j.Needs != nil, Interruptible: j.Interruptible, Protected: in.Protected, Tags: j.Tags,
		UserID: in.UserID,
	}
	if j.StartIn > 0 {
		row.StartIn = new(int(j.StartIn))
	}
	for _, need := range j.Needs {
		row.Needs = append(row.Needs, need.Job)
	}
	if j.Options.Timeout > 0 {
		row.Timeout = new(int(j.Options.Timeout))
	}
	return row
}
