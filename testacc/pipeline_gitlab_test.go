package testacc

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/git/gittest"
)

// gitlabRepository is a repository on hewd with the pipeline of examples/ci, and a runner for it.
type gitlabRepository struct {
	*repository
	git      gittest.Client // in the checkout
	path     string         // of the project in the API
	runner   *shellRunner
	requests map[string]string // merge requests, by their number in the story
	merged   string            // a commit whose pipeline has not been looked at
	jobs     []endedJob
}

// newGitLabRepository follows examples/ci/README.md.
func newGitLabRepository(t *testing.T) *gitlabRepository {
	r := &gitlabRepository{repository: newRepository(t), requests: map[string]string{}}
	id := r.made("/projects", `{"name":"infra","only_allow_merge_if_pipeline_succeeds":true}`)["id"]
	r.path = "/projects/" + id
	r.project["HEW_COMMENT_TOKEN"] = r.made(r.path+"/access_tokens",
		`{"name":"hew","scopes":["api"],"access_level":20,"expires_at":`+soon(30)+`}`)["token"]
	r.secrets = append(r.secrets, r.project["HEW_COMMENT_TOKEN"])
	masked := map[string]bool{}
	for _, secret := range r.secrets {
		masked[secret] = true
	}
	for name, value := range r.project {
		r.made(r.path+"/variables", fmt.Sprintf(
			`{"key":%q,"value":%q,"masked":%t,"protected":%t}`, name, value, masked[value], name == "HEW_APPLY_TOKEN"))
	}
	token := r.made("/user/runners", `{"runner_type":"project_type","project_id":`+id+`}`)["token"]
	r.runner = newShellRunner(t, r.server.URL, token, 2, r.tools, bin)

	// main begins with the pipeline; what it manages comes by a merge request.
	r.git = gittest.ClientIn(t, r.dir)
	pipeline, err := os.ReadFile(pipelines + "gitlab-ci.yml")
	require.NoError(t, err)
	r.git.Write(".gitlab-ci.yml", string(pipeline))
	r.git.Git("init", "-q", "-b", "main")
	address := r.ask("GET", r.path, "{}")["http_url_to_repo"]
	r.git.Git("remote", "add", "origin", strings.Replace(address, "://", "://root:"+r.server.RootToken+"@", 1))
	r.git.Git("add", ".gitlab-ci.yml", "hew.hcl")
	r.git.Git("commit", "-q", "-m", "Define the pipeline")
	r.git.Git("push", "-q", "origin", "main")
	code, log := r.ended("apply")
	require.Equal(t, 1, code, log)
	return r
}

// push commits all that is in the checkout and pushes it to a branch.
func (r *gitlabRepository) push(branch, message string) {
	r.git.Git("add", "-A")
	r.git.Git("commit", "-q", "--allow-empty", "-m", message)
	r.git.Git("push", "-q", "origin", "HEAD:refs/heads/"+branch)
}

// ended waits for a job to end, and returns its exit code and its log, which needed no masks.
func (r *gitlabRepository) ended(name string) (code int, log string) {
	r.Helper()
	j := r.runner.next()
	require.Equal(r, name, j.JobInfo.Name, j.log)
	require.NotContains(r, j.log, "[MASKED]", "%s prints a secret", name)
	r.jobs = append(r.jobs, j)
	return j.code, j.log
}

// do has a job of a pipeline run: plan by a push to the branch of a merge request, apply by a
// merge, by hand where one was applied already, or by a push to main, and drift by a schedule.
func (r *gitlabRepository) do(name string, more map[string]string) (code int, log string) {
	r.Helper()
	switch {
	case name == "plan" && r.requests[more["iid"]] == "":
		branch := "change-" + more["iid"]
		r.git.Git("checkout", "-q", "-b", branch)
		r.push(branch, "Change what is managed")
		r.requests[more["iid"]] = r.made(r.path+"/merge_requests", fmt.Sprintf(
			`{"source_branch":%q,"target_branch":"main","title":"Change what is managed"}`, branch))["iid"]
	case name == "plan":
		r.push("change-"+more["iid"], "Change it again")
	case name == "drift":
		r.playNight()
	case more["commit"] == r.merged: // its pipeline runs
		r.merged = ""
	case more["commit"] == "pushed-by-hand":
		r.git.Git("checkout", "-q", "main")
		r.push("main", "Push past all reviews")
	default:
		r.made(fmt.Sprintf("%s/jobs/%d/retry", r.path, r.jobs[len(r.jobs)-1].ID), "{}")
	}
	return r.ended(name)
}

// merge merges a merge request, and leaves the checkout with what main is then.
func (r *gitlabRepository) merge(commit string, iid int) {
	r.merged = commit
	r.ask("PUT", r.path+"/merge_requests/"+r.requests[fmt.Sprint(iid)]+"/merge",
		fmt.Sprintf(`{"squash":%t,"should_remove_source_branch":true}`, commit == "squashed"))
	r.git.Git("fetch", "-q", "origin", "main")
	r.git.Git("checkout", "-q", "main")
	r.git.Git("reset", "-q", "--hard", "origin/main")
}

// TestPipelineOfGitLab runs examples/ci/gitlab-ci.yml on hewd, as it stands there, from merge
// requests to the nights.
func TestPipelineOfGitLab(t *testing.T) {
	t.Parallel()
	r := newGitLabRepository(t)
	r.tellPipeline(r.do, r.merge)
	r.checkReviews()
	r.replacePlan()
	r.checkNights()
	r.openIssue()
}
