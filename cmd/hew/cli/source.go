package cli

import (
	"cmp"
	"strings"

	"hew/cmd/hew/view"
	"hew/reconcile/report/prose"
)

// source is where an answer comes from, as far as the variables of a GitLab-compatible CI job or
// of GitHub Actions tell. What was written down before does not say when.
func (a *app) source(f form) view.Source {
	s := view.Source{Directory: a.within(a.path("."))}
	if !f.shows {
		s.Time = a.now().UTC().Format("2006-01-02 15:04 UTC")
	}
	switch {
	case a.env["CI_PROJECT_URL"] != "":
		a.gitlabSource(&s)
	case a.env["GITHUB_REPOSITORY"] != "":
		a.githubSource(&s)
	}
	return s
}

// shortCommit is how much of a commit's id is told.
const shortCommit = 12

func (a *app) gitlabSource(s *view.Source) {
	project, commit := strings.TrimSuffix(a.env["CI_PROJECT_URL"], "/"), a.env["CI_COMMIT_SHA"]
	if commit != "" {
		s.Files = project + "/-/blob/" + commit + "/"
		s.Commit = link("commit "+short(commit), project+"/-/commit/"+commit)
	}
	if request := a.env["CI_MERGE_REQUEST_IID"]; request != "" {
		of := cmp.Or(strings.TrimSuffix(a.env["CI_MERGE_REQUEST_PROJECT_URL"], "/"), project)
		s.MergeRequest = link("!"+request, of+"/-/merge_requests/"+request)
	}
	if id := a.env["CI_PIPELINE_ID"]; id != "" {
		s.Pipeline = link("pipeline "+id, cmp.Or(a.env["CI_PIPELINE_URL"], project+"/-/pipelines/"+id))
	}
	if job := a.env["CI_JOB_URL"]; job != "" {
		s.Job = link("job "+cmp.Or(a.env["CI_JOB_NAME"], a.env["CI_JOB_ID"]), job)
	}
}

func (a *app) githubSource(s *view.Source) {
	server := cmp.Or(strings.TrimSuffix(a.env["GITHUB_SERVER_URL"], "/"), "https://github.com")
	project := server + "/" + a.env["GITHUB_REPOSITORY"]
	if commit := a.env["GITHUB_SHA"]; commit != "" {
		s.Files = project + "/blob/" + commit + "/"
		s.Commit = link("commit "+short(commit), project+"/commit/"+commit)
	}
	if request, of := strings.CutPrefix(a.env["GITHUB_REF"], "refs/pull/"); of {
		number, _, _ := strings.Cut(request, "/")
		s.MergeRequest = link("#"+number, project+"/pull/"+number)
	}
	if id := a.env["GITHUB_RUN_ID"]; id != "" {
		s.Pipeline = link("run "+id, project+"/actions/runs/"+id)
	}
	if job := a.env["GITHUB_JOB"]; job != "" {
		s.Job = link("job "+job, "")
	}
}

func short(commit string) string { return commit[:min(len(commit), shortCommit)] }

func link(text, url string) view.Link { return view.Link{Text: prose.Clean(text), URL: url} }
