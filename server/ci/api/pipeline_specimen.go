package api

import (
	"archive/zip"
	"bytes"
	"context"
	"fmt"
	"strings"

	"hew/server/blob"
	"hew/server/ci"
	"hew/server/ci/definition"
	"hew/server/ci/expression"
	"hew/server/ci/status"
	"hew/server/code"
	"hew/server/db"
	"hew/server/git/object"
	"hew/server/part"
	"hew/server/policy"
	"hew/server/protect"
)

// specimenPipelines makes n pipelines of a commit in a project, which a schedule starts. The last
// one has n variables, n jobs, which a runner has run and which failed, and n trigger jobs. The
// last job has left a trace, an archive and a report of tests.
func specimenPipelines(
	ctx context.Context, h *db.Store, at part.Place, runner, schedule int64, n int, values part.Values,
) (id int64, err error) {
	commit, err := specimenCommit(ctx, h, at)
	if err != nil {
		return 0, err
	}
	values["sha"], values["artifact_path"] = commit.String(), "report.txt"
	values["ref_path"] = at.Project.Head + "/download"
	for i := range n {
		row := ci.Pipeline{
			ProjectID: at.Project.ID, Source: ci.ByPush, Ref: at.Project.Head, Commit: commit, UserID: &at.Owner.ID,
			ScheduleID: &schedule,
		}
		if i < n-1 {
			if _, err := ci.StorePipeline(ctx, h, row, nil, specimenJobs(1)); err != nil {
				return 0, err
			}
			continue
		}
		var variables []expression.Variable
		for k := range n {
			variables = append(variables, expression.Variable{Key: fmt.Sprint("KEY_", k), Value: "value"})
		}
		p, err := ci.StorePipeline(ctx, h, row, variables, specimenJobs(n))
		if err != nil {
			return 0, err
		}
		id = p.ID
		last, err := runSpecimen(ctx, h, p, runner)
		if err != nil {
			return 0, err
		}
		values["jobs/id"] = fmt.Sprint(last.ID)
		values["pipeline_id"], values["job_id"] = fmt.Sprint(p.ID), fmt.Sprint(last.ID)
		if err := specimenArtifacts(ctx, h, last); err != nil {
			return 0, err
		}
	}
	return id, nil
}

// specimenCommit makes a commit in the project.
func specimenCommit(ctx context.Context, h *db.Store, at part.Place) (object.ID, error) {
	by := code.Author{
		Pusher: protect.Pusher{Who: policy.Who{ID: at.Owner.ID, Level: policy.Owner}}, User: at.Owner, Web: true,
	}
	c, err := code.CreateCommit(ctx, h, code.NewCommit{
		Project: at.Project, By: by, Branch: at.Project.Head, Message: "Have something to test",
		Actions: []code.Action{{Do: "create", Path: "tested.txt", Content: new("text\n")}},
	})
	return c.ID, err
}

// specimenJobs are n jobs with a script and n trigger jobs.
func specimenJobs(n int) (jobs []*definition.Job) {
	for k := range 2 * n {
		j := &definition.Job{
			Name: fmt.Sprint("test ", k), Base: fmt.Sprint("test ", k), Stage: "test", StageIndex: 1,
			Kind: definition.Build, When: definition.OnSuccess, Options: definition.Options{Script: []string{"true"}},
		}
		if k%2 == 0 {
			j.Kind, j.Name, j.When = definition.Bridge, fmt.Sprint("deploy ", k), definition.Manual
		}
		jobs = append(jobs, j)
	}
	return jobs
}

// runSpecimen has a runner run the jobs of a pipeline, and returns the last one.
func runSpecimen(ctx context.Context, h *db.Store, p ci.Pipeline, runner int64) (last ci.Job, err error) {
	managers, err := ci.RunnerManagers(ctx, h, runner)
	if err != nil {
		return last, err
	}
	err = ci.InPipeline(ctx, h, p.ID, func(c *ci.Change) error {
		for _, j := range c.Jobs {
			if j.Kind == ci.Build {
				j.RunnerID, j.RunnerManagerID = &runner, &managers[0].ID
				c.Set(j, status.Running)
				c.SetFailed(j, "script_failure")
				last = *j
			}
		}
		return nil
	})
	return last, err
}

// specimenArtifacts leaves a trace, an archive and a report behind.
func specimenArtifacts(ctx context.Context, h *db.Store, j ci.Job) error {
	var archive bytes.Buffer
	z := zip.NewWriter(&archive)
	f, err := z.Create("report.txt")
	if err == nil {
		_, err = f.Write([]byte("text\n"))
	}
	if err == nil {
		err = z.Close()
	}
	if err != nil {
		return err
	}
	for _, a := range []struct{ kind, format, name, content string }{
		{ci.ArchiveFile, "zip", "artifacts.zip", archive.String()},
		{ci.TraceFile, "raw", "job.log", "It fails.\n"},
		{ci.JUnitFile, "raw", "junit.xml", `<testsuite><testcase name="a"><failure/></testcase></testsuite>`},
	} {
		_, err := ci.AddArtifact(ctx, h, j, ci.Artifact{
			FileType: a.kind, FileFormat: a.format, Filename: a.name, Access: ci.AllAccess,
		}, strings.NewReader(a.content), blob.NoLimit)
		if err != nil {
			return err
		}
	}
	return nil
}
