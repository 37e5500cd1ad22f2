package cli

import (
	"cmp"
	"strings"

	"hew/cmd/hew/view"
	"hew/reconcile/report/prose"
)

// source returns the job and commit that a report comes from, by the variables of a
// GitLab-compatible CI job or of GitHub Actions. A saved report does not say when it was made.
func (a *app) source(f rendering) view.Source {
	s := view.Source{Directory: a.Dir.InRepository(a.Environ["CI_PROJECT_DIR"])}
	if !f.saved {
		s.Time = a.now().UTC().Format("2006-01-02 15:04 UTC")
	}
	switch {
	case a.Environ["CI_PROJECT_URL"] != "":
		a.gitlabSource(&s)
	case a.Environ["GITHUB_REPOSITORY"] != "":
		a.githubSource(&s)
	}
	return s
}

// shortCommit is the number of digits shown of a commit's id.
const shortCommit = 12

func (a *app) gitlabSource(s *view.Source) {
	project, commit := strings.TrimSuffix(a.Environ["CI_PROJECT_URL"], "/"), a.Environ["CI_COMMIT_SHA"]
	if commit != "" {
		s.Files = project + "/-/blob/" + commit + "/"
		s.Commit = link("commit "+short(commit), project+"/-/commit/"+commit)
	}
	if request := a.Environ["CI_MERGE_REQUEST_IID"]; request != "" {
		of := cmp.Or(strings.TrimSuffix(a.Environ["CI_MERGE_REQUEST_PROJECT_URL"], "/"), project)
		s.MergeRequest = link("!"+request, of+"/-/merge_requests/"+request)
	}
	if id := a.Environ["CI_PIPELINE_ID"]; id != "" {
		s.Pipeline = link("pipeline "+id, cmp.Or(a.Environ["CI_PIPELINE_URL"], project+"/-/pipelines/"+id))
	}
	if job := a.Environ["CI_JOB_URL"]; job != "" {
		s.Job = link("job "+cmp.Or(a.Environ["CI_JOB_NAME"], a.Environ["CI_JOB_ID"]), job)
	}
}

func (a *app) githubSource(s *view.Source) {
	server := cmp.Or(strings.TrimSuffix(a.Environ["GITHUB_SERVER_URL"], "/"), "https://github.com")
	project := server + "/" + a.Environ["GITHUB_REPOSITORY"]
	if commit := a.Environ["GITHUB_SHA"]; commit != "" {
		s.Files = project + "/blob/" + commit + "/"
		s.Commit = link("commit "+short(commit), project+"/commit/"+commit)
	}
	if request, of := strings.CutPrefix(a.Environ["GITHUB_REF"], "refs/pull/"); of {
		number, _, _ := strings.Cut(request, "/")
		s.MergeRequest = link("#"+number, project+"/pull/"+number)
	}
	if id := a.Environ["GITHUB_RUN_ID"]; id != "" {
		s.Pipeline = link("run "+id, project+"/actions/runs/"+id)
	}
	if job := a.Environ["GITHUB_JOB"]; job != "" {
		s.Job = link("job "+job, "")
	}
}

func short(commit string) string { return commit[:min(len(commit), shortCommit)] }

func link(text, url string) view.Link { return view.Link{Text: prose.Clean(text), URL: url} }
