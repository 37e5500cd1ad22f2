package ci

import (
	"context"

	"github.com/jackc/pgx/v5"

	"hew/server/code"
	"hew/server/db"
	"hew/server/fault"
	"hew/server/git/object"
	"hew/server/tree"
)

// Work is all that a runner has to know of a job that it has taken (CI facts §4.2).
type Work struct {
	Taken
	Project      tree.Project
	Variables    []JobVariable // with repetitions, in ascending precedence
	Dependencies []Dependency
	Caches       []JobCache
	Busy         int // jobs of the project that runners of the instance run
}

// Dependency is a job whose artifacts another one gets. Archive is nil if it left none.
type Dependency struct {
	Job     Job
	Archive *Artifact
}

// ReadWork returns what the runner of a job has to know. Until the pipeline is over its commit can
// be fetched by its hidden ref.
func ReadWork(ctx context.Context, st *db.Store, site Site, t Taken, r Runner) (w Work, err error) {
	w.Taken = t
	if w.Project, err = tree.FindProject(ctx, st, t.Job.ProjectID); err != nil {
		return w, err
	}
	if err := keepPipelineRef(ctx, st, w.Project, t.Pipeline); err != nil {
		return w, err
	}
	if err := w.readDependencies(ctx, st); err != nil {
		return w, err
	}
	if err := w.readVariables(ctx, st, site, r); err != nil {
		return w, err
	}
	if err := w.readCrossNeeds(ctx, st); err != nil {
		return w, err
	}
	if err := w.signTokens(ctx, st, site, r); err != nil {
		return w, err
	}
	if err := w.readCaches(ctx, st); err != nil {
		return w, err
	}
	w.Busy, err = db.Value[int](ctx, st, `select `+busyIn(`@project`), pgx.NamedArgs{"project": w.Project.ID})
	return w, err
}

func (w *Work) readDependencies(ctx context.Context, st *db.Store) error {
	var ids []int64
	for _, j := range w.needed {
		w.Dependencies = append(w.Dependencies, Dependency{Job: j})
		ids = append(ids, j.ID)
	}
	if len(ids) == 0 {
		return nil
	}
	kept, err := ArtifactsOf(ctx, st, ids...)
	for n, d := range w.Dependencies {
		for _, a := range kept[d.Job.ID] {
			if a.FileType == ArchiveFile {
				w.Dependencies[n].Archive = &a
			}
		}
	}
	return err
}

// keepPipelineRef makes the hidden ref by which runners fetch the commit of a pipeline, unless the
// pipeline is over: dropRef has removed its ref, or is about to.
func keepPipelineRef(ctx context.Context, st *db.Store, p tree.Project, in Pipeline) error {
	g, err := code.Open(ctx, st, p)
	if err != nil {
		return err
	}
	name := pipelineRef(in.ID)
	if _, err = g.FindRef(ctx, st, "Ref", name); fault.CodeOf(err) != fault.CodeNotFound {
		return err
	}
	return st.Tx(ctx, func(st *db.Store) error {
		now, err := lockPipeline(ctx, st, in.ID)
		if err != nil || now.Status.Complete() {
			return fault.IgnoreNotFound(err)
		}
		return code.SetHiddenRefs(ctx, st, p, map[string]object.ID{name: in.Commit})
	})
}

// PipelineRef is the hidden ref of a pipeline, by which its runners fetch the commit.
func (p Pipeline) PipelineRef() string { return pipelineRef(p.ID) }

// dropPipelineRef asks to remove the hidden ref of a pipeline that is over.
type dropPipelineRef struct {
	PipelineID int64 `json:"pipeline_id"`
}

// Kind implements jobs.Args.
func (dropPipelineRef) Kind() string { return "drop_pipeline_ref" }

func dropRef(ctx context.Context, st *db.Store, task dropPipelineRef) error {
	return st.Tx(ctx, func(st *db.Store) error {
		in, err := lockPipeline(ctx, st, task.PipelineID)
		if err != nil || !in.Status.Complete() {
			return fault.IgnoreNotFound(err)
		}
		p, err := tree.FindProject(ctx, st, in.ProjectID)
		if err == nil {
			err = code.SetHiddenRefs(ctx, st, p, map[string]object.ID{in.PipelineRef(): {}})
		}
		return fault.IgnoreNotFound(err)
	})
}
