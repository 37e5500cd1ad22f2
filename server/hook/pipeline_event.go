package hook

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"hew/server/ci"
	"hew/server/ci/status"
	"hew/server/code"
	"hew/server/db"
	"hew/server/event"
	"hew/server/merge"
	"hew/server/tree"
)

// pipelineListener sends each other state of a pipeline, and of its jobs, to the hooks of its
// project and of the groups above. Pages are at the address web.
func pipelineListener(web string) event.Listener {
	return event.On(func(ctx context.Context, st *db.Store, e ci.Changed) error {
		s := pipelineScene{store: st, web: web, pipeline: e.Pipeline}
		if err := notifyJobs(ctx, s, e.Jobs); err != nil {
			return err
		}
		// A new pipeline is told of once it is known what becomes of its jobs.
		if e.Before == e.Pipeline.Status || e.Pipeline.Status == status.Created {
			return nil
		}
		if err := s.readRequest(ctx); err != nil {
			return err
		}
		h := s.occurrence("pipeline_events", e.Pipeline.UserID)
		return enqueueDeliveries(ctx, st, h, func() ([]any, error) {
			p, err := s.newPipelinePayload(ctx)
			return []any{p}, err
		})
	})
}

// pipelineScene is a pipeline with what its payloads and those of its jobs show beside it.
type pipelineScene struct {
	store    *db.Store
	web      string
	pipeline ci.Pipeline
	merge    *merge.Request  // nil: it is not one of a merge request, or not read yet
	project  tree.Project    // this and the following are of read
	commit   *bareCommit     // nil: it is not in the repository any more
	source   *sourcePipeline // nil: no other pipeline started it
}

// sourcePipeline is the pipeline that started another one.
type sourcePipeline struct {
	Project struct {
		ID     int64  `json:"id"`
		WebURL string `json:"web_url"`
		Path   string `json:"path_with_namespace"`
	} `json:"project"`
	JobID      int64 `json:"job_id"`
	PipelineID int64 `json:"pipeline_id"`
}

// occurrence returns an event of the pipeline. It is on a branch unless the pipeline is of a tag or
// has no merge request to say of which branch.
func (s pipelineScene) occurrence(flag string, userID *int64) occurrence {
	h := occurrence{
		flag: flag, at: audience{project: &s.pipeline.ProjectID}, user: db.OrZero(userID),
		protected: s.pipeline.Protected,
	}
	if ref := s.ref(); !s.pipeline.Tag && !strings.HasPrefix(ref, "refs/") {
		h.branch = ref
	}
	return h
}

// ref returns what the pipeline is of: of a merge request the source branch.
func (s pipelineScene) ref() string {
	if s.merge != nil {
		return s.merge.SourceBranch
	}
	return s.pipeline.Ref
}

// readRequest reads the merge request of the pipeline, if it has one.
func (s *pipelineScene) readRequest(ctx context.Context) error {
	if s.pipeline.MergeRequestID == nil {
		return nil
	}
	found, err := merge.RequestsByID(ctx, s.store, []int64{*s.pipeline.MergeRequestID})
	if r, ok := found[*s.pipeline.MergeRequestID]; ok {
		s.merge = &r
	}
	return err
}

// read reads what payloads show.
func (s *pipelineScene) read(ctx context.Context) (err error) {
	p := s.pipeline
	if s.project, err = tree.FindProject(ctx, s.store, p.ProjectID); err != nil {
		return err
	}
	name := code.CommitName{ProjectID: p.ProjectID, ID: p.Commit}
	commits, err := code.CommitsNamed(ctx, s.store, []code.CommitName{name})
	if c, ok := commits[name]; ok {
		s.commit = newBareCommit(s.web, s.project, c)
	}
	if err != nil || p.UpstreamJobID == nil {
		return err
	}
	upstream, err := ci.FindJob(ctx, s.store, *p.UpstreamJobID)
	if err != nil {
		return err
	}
	s.source = &sourcePipeline{JobID: upstream.ID, PipelineID: upstream.PipelineID}
	s.source.Project.ID, s.source.Project.Path = upstream.ProjectID, upstream.Path
	s.source.Project.WebURL = s.web + "/" + upstream.Path
	return nil
}

// newPipelinePayload returns the payload of the pipeline.
func (s pipelineScene) newPipelinePayload(ctx context.Context) (payload pipelinePayload, err error) {
	if err := s.read(ctx); err != nil {
		return payload, err
	}
	jobs, err := ci.JobDetails(ctx, s.store, s.pipeline.ID)
	if err != nil {
		return payload, err
	}
	keys, err := db.Values[string](ctx, s.store, `select key from pipeline_variables where pipeline_id = @id order by id`,
		pgx.NamedArgs{"id": s.pipeline.ID})
	if err != nil {
		return payload, err
	}
	payload = pipelinePayload{
		ObjectKind: "pipeline", Attributes: s.attributes(jobs), Commit: s.commit, Source: s.source,
		Builds: []buildPayload{},
	}
	for _, key := range keys {
		payload.Attributes.Variables = append(payload.Attributes.Variables, variablePayload{key, redactedText})
	}
	if payload.Request, err = s.request(ctx); err != nil {
		return payload, err
	}
	var users []int64
	for _, j := range jobs {
		if j.UserID != nil && !slices.Contains(users, *j.UserID) {
			users = append(users, *j.UserID)
		}
	}
	refs, err := readRefs(ctx, s.store, s.web, nil, users)
	now := time.Now()
	for _, j := range jobs {
		if j.Kind == ci.Build {
			payload.Builds = append(payload.Builds, newBuildPayload(j, refs.users, now))
		}
	}
	return payload, err
}

// attributes shows the pipeline, whose jobs say what stages it has and whether one failed that may.
func (s pipelineScene) attributes(jobs []ci.JobDetail) pipelineAttributes {
	p, warnings := s.pipeline, false
	a := pipelineAttributes{
		ID: p.ID, IID: p.IID, Name: p.Name, Ref: s.ref(), Tag: p.Tag, SHA: p.Commit.String(), BeforeSHA: p.Before.String(),
		Source: p.Source, Status: p.Status, Stages: []string{}, CreatedAt: wholeSeconds(p.CreatedAt),
		FinishedAt: secondsOf(p.FinishedAt), Duration: p.Duration, QueuedDuration: p.QueuedDuration,
		Variables: []variablePayload{}, URL: fmt.Sprintf("%s/%s/-/pipelines/%d", s.web, s.project.FullPath, p.ID),
	}
	byStage := slices.Clone(jobs)
	slices.SortStableFunc(byStage, func(a, b ci.JobDetail) int { return cmp.Compare(a.StageIndex, b.StageIndex) })
	for _, j := range byStage {
		warnings = warnings || j.AllowFailure && j.Status == status.Failed
		if !slices.Contains(a.Stages, j.Stage) {
			a.Stages = append(a.Stages, j.Stage)
		}
	}
	a.Detailed = ci.FaceOf(p.Status, warnings).Label
	return a
}

// samplePipeline returns an event of the newest pipeline of the project.
func samplePipeline(ctx context.Context, st *db.Store, at sampleScope) (any, error) {
	if err := at.needProject(); err != nil {
		return nil, err
	}
	list, _, err := ci.Pipelines(st, at.project.ID).List(ctx, db.Page{Limit: 1, Desc: true})
	switch {
	case err != nil:
		return nil, err
	case len(list) == 0:
		return sampleMissing("CI pipelines")(ctx, st, at)
	}
	s := pipelineScene{store: st, web: at.web, pipeline: list[0]}
	if err := s.readRequest(ctx); err != nil {
		return nil, err
	}
	return s.newPipelinePayload(ctx)
}
