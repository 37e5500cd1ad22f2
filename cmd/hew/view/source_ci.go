package view

import (
	"cmp"
	"strings"

	"hew/reconcile/report/prose"
)

// CISource returns the job and commit that a document comes from, by the variables of a
// GitLab-compatible CI job or of GitHub Actions. It is the zero value outside of both.
func CISource(env map[string]string) (s Source) {
	switch {
	case env["CI_PROJECT_URL"] != "":
		s.addGitLab(env)
	case env["GITHUB_REPOSITORY"] != "":
		s.addGitHub(env)
	}
	return s
}

// shortCommit is the number of digits shown of a commit's id.
const shortCommit = 12

// addGitLab fills in what the variables of a GitLab-compatible CI job say.
func (s *Source) addGitLab(env map[string]string) {
	project, commit := strings.TrimSuffix(env["CI_PROJECT_URL"], "/"), env["CI_COMMIT_SHA"]
	if commit != "" {
		s.Files = project + "/-/blob/" + commit + "/"
		s.Commit = link("commit "+short(commit), project+"/-/commit/"+commit)
	}
	if request := env["CI_MERGE_REQUEST_IID"]; request != "" {
		of := cmp.Or(strings.TrimSuffix(env["CI_MERGE_REQUEST_PROJECT_URL"], "/"), project)
		s.MergeRequest = link("!"+request, of+"/-/merge_requests/"+request)
	}
	if id := env["CI_PIPELINE_ID"]; id != "" {
		s.Pipeline = link("pipeline "+id, cmp.Or(env["CI_PIPELINE_URL"], project+"/-/pipelines/"+id))
	}
	if job := env["CI_JOB_URL"]; job != "" {
		s.Job = link("job "+cmp.Or(env["CI_JOB_NAME"], env["CI_JOB_ID"]), job)
	}
}

// addGitHub fills in what the variables of GitHub Actions say.
func (s *Source) addGitHub(env map[string]string) {
	server := cmp.Or(strings.TrimSuffix(env["GITHUB_SERVER_URL"], "/"), "https://github.com")
	project := server + "/" + env["GITHUB_REPOSITORY"]
	if commit := env["GITHUB_SHA"]; commit != "" {
		s.Files = project + "/blob/" + commit + "/"
		s.Commit = link("commit "+short(commit), project+"/commit/"+commit)
	}
	if request, of := strings.CutPrefix(env["GITHUB_REF"], "refs/pull/"); of {
		number, _, _ := strings.Cut(request, "/")
		s.MergeRequest = link("#"+number, project+"/pull/"+number)
	}
	if id := env["GITHUB_RUN_ID"]; id != "" {
		s.Pipeline = link("run "+id, project+"/actions/runs/"+id)
	}
	if job := env["GITHUB_JOB"]; job != "" {
		s.Job = link("job "+job, "")
	}
}

func short(commit string) string { return commit[:min(len(commit), shortCommit)] }

func link(text, url string) Link { return Link{Text: prose.Clean(text), URL: url} }
