package testacc

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/stretchr/testify/require"
)

// get reads something of the repository's project, which must be there.
func (r *gitlabRepository) get(path string, v any) {
	r.Helper()
	reply := r.server.Do(r, r.server.RootToken, "GET", r.path+path, nil)
	require.Equal(r, 200, reply.Status, "%s: %s", path, reply.Body)
	reply.Into(r, v)
}

// planOf returns the last job of a merge request that planned.
func (r *gitlabRepository) planOf(iid string) (last endedJob) {
	for _, j := range r.jobs {
		if j.variable("CI_MERGE_REQUEST_IID") == r.requests[iid] {
			last = j
		}
	}
	require.Equal(r, "plan", last.JobInfo.Name)
	return last
}

// variable returns the value of a variable, as the server sent it.
func (j *jobForRunner) variable(name string) (value string) {
	for _, v := range j.Variables {
		if v.Key == name {
			value = v.Value
		}
	}
	return value
}

// note returns the only note on a merge request that hew wrote.
func (r *gitlabRepository) note(iid string) (body string) {
	var notes []struct {
		Body   string
		System bool
	}
	r.get("/merge_requests/"+r.requests[iid]+"/notes", &notes)
	for _, n := range notes {
		if !n.System {
			require.Empty(r, body, "one note for all runs")
			body = n.Body
		}
	}
	return body
}

// checkReviews looks at what plans left on the host for reviewers: a note, reports and a page. No
// plan was given the token that writes, and one that failed cannot be merged.
func (r *gitlabRepository) checkReviews() {
	for iid, says := range map[string]string{"12": "3 to create", "13": "1 to update", "14": "There is no plan"} {
		job := r.planOf(iid)
		require.Contains(r, r.note(iid), says)
		require.Regexp(r, `<!-- hew plan [0-9a-f]+ `+job.variable("CI_PIPELINE_ID")+` -->\s*$`, r.note(iid))
		require.Empty(r, job.variable("HEW_APPLY_TOKEN"))
	}
	job := r.planOf("12")
	var kept struct {
		Artifacts []struct {
			Type string `json:"file_type"`
		}
	}
	r.get(fmt.Sprint("/jobs/", job.ID), &kept)
	types := []string{}
	for _, a := range kept.Artifacts {
		types = append(types, a.Type)
	}
	require.Subset(r, types, []string{"archive", "junit", "terraform"})
	reply := r.server.Do(r, r.server.RootToken, "GET", fmt.Sprintf("%s/jobs/%d/artifacts", r.path, job.ID), nil)
	archive, err := zip.NewReader(bytes.NewReader(reply.Body), int64(len(reply.Body)))
	require.NoError(r, err)
	require.Len(r, archive.File, 3)
	for _, file := range archive.File {
		content, err := archive.Open(file.Name)
		require.NoError(r, err)
		text, err := io.ReadAll(content)
		require.NoError(r, err)
		for _, secret := range r.secrets {
			require.NotContains(r, string(text), secret, file.Name)
		}
	}
	var report struct {
		Total  int `json:"total_count"`
		Failed int `json:"failed_count"`
	}
	r.get("/pipelines/"+job.variable("CI_PIPELINE_ID")+"/test_report", &report)
	require.NotZero(r, report.Total, "a test for each guard")
	require.Zero(r, report.Failed)

	request := "/merge_requests/" + r.requests["14"]
	refused := r.server.Do(r, r.server.RootToken, "PUT", r.path+request+"/merge", "")
	require.Equal(r, 405, refused.Status, "%s", refused.Body)
	refused = r.server.Do(r, r.server.RootToken, "GET",
		r.path+"/jobs/artifacts/refs"+strings.Replace(request, "_", "-", 1)+"/head/raw/plan.json?job=plan", nil)
	require.Equal(r, 404, refused.Status, "%s", refused.Body)
}

// replacePlan corrects the merge request that was stopped, and thinks better of it while that is
// planned: the first plan is canceled, and the merge, a fast-forward this time, waits for the
// second, which is applied.
func (r *gitlabRepository) replacePlan() {
	r.ask("PUT", r.path, `{"merge_method":"ff"}`)
	release := r.hold()
	r.edit("visibilty", "visibility")
	r.edit(`"public"`, `"private"`)
	r.push("change-14", "Correct it")
	first := r.running(0)
	r.edit("What nobody calls", "What some call")
	r.push("change-14", "Describe it better")
	canceled := r.runner.next()
	require.Equal(r, first, canceled.ID)
	require.NotContains(r, canceled.log, "Plan:")
	r.running(first)
	request := r.path + "/merge_requests/" + r.requests["14"]
	require.Equal(r, "opened", r.ask("PUT", request+"/merge", `{"merge_when_pipeline_succeeds":true}`)["state"])
	release()
	code, log := r.ended("plan")
	require.Zero(r, code, log)
	require.Contains(r, r.note("14"), "2 to update")

	code, log = r.ended("apply")
	require.Zero(r, code, log)
	require.Contains(r, log, "Done: 2 updated")
	require.Equal(r, "private", r.visibility())
	require.Equal(r, "merged", r.ask("GET", request, "{}")["state"])
	r.git.Git("fetch", "-q", "origin", "main")
	r.git.Git("checkout", "-q", "-B", "main", "origin/main")

	var environments []struct {
		ID   int64
		Name string
		Last struct {
			Status     string
			Deployable struct{ ID int64 }
		} `json:"last_deployment"`
	}
	r.get("/environments", &environments)
	require.Len(r, environments, 1)
	r.get(fmt.Sprint("/environments/", environments[0].ID), &environments[0]) // which has the deployment
	require.Equal(r, "production", environments[0].Name)
	require.Equal(r, "success", environments[0].Last.Status)
	require.Equal(r, r.jobs[len(r.jobs)-1].ID, environments[0].Last.Deployable.ID)
}

// hold has jobs wait where they would run hew, until release is called.
func (r *gitlabRepository) hold() (release func()) {
	open := filepath.Join(r.tools, "open")
	script := fmt.Sprintf("#!/bin/sh\nwhile [ ! -e '%s' ]; do sleep 0.05; done\nexec '%s/hew' \"$@\"\n", open, bin)
	_ = os.Remove(open) // of an earlier hold
	require.NoError(r, os.WriteFile(filepath.Join(r.tools, "hew"), []byte(script), 0o755))
	return func() { require.NoError(r, os.WriteFile(open, nil, 0o600)) }
}

// running waits until a job runs that is not the given one, and returns its id.
func (r *gitlabRepository) running(other int64) (id int64) {
	require.Eventually(r, func() bool {
		var jobs []struct{ ID int64 }
		r.get("/jobs?scope=running", &jobs)
		if len(jobs) == 1 {
			id = jobs[0].ID
		}
		return id != 0 && id != other
	}, 30*time.Second, 10*time.Millisecond)
	return id
}
