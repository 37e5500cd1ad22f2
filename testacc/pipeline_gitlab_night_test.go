package testacc

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/stretchr/testify/require"
)

// playNight has a schedule start the pipeline of a night.
func (r *gitlabRepository) playNight() {
	night := r.made(r.path+"/pipeline_schedules", `{"description":"Nightly","ref":"main","cron":"17 3 * * *"}`)["id"]
	r.made(r.path+"/pipeline_schedules/"+night+"/play", "{}")
}

// checkNights looks at what the nights left: a warning, and an alert that has ended once the drift
// is gone. Two nights at once wait for each other.
func (r *gitlabRepository) checkNights() {
	for _, j := range r.jobs {
		if j.JobInfo.Name != "drift" {
			continue
		}
		var pipeline struct {
			Source, Status string
			Detailed       struct{ Label string } `json:"detailed_status"`
		}
		r.get("/pipelines/"+j.variable("CI_PIPELINE_ID"), &pipeline)
		require.Equal(r, "schedule", pipeline.Source)
		require.Equal(r, "success", pipeline.Status)
		require.Equal(r, map[int]string{0: "passed", 2: "passed with warnings"}[j.code], pipeline.Detailed.Label)
	}
	release := r.hold()
	r.playNight()
	r.playNight()
	require.Eventually(r, func() bool {
		var jobs []struct{ Status string }
		r.get("/jobs?scope[]=running&scope[]=waiting_for_resource", &jobs)
		return len(jobs) == 2 && jobs[0].Status != jobs[1].Status
	}, 30*time.Second, 10*time.Millisecond)
	release()
	for range 2 {
		code, log := r.ended("drift")
		require.Zero(r, code, log)
	}
	require.Equal(r, []string{"resolved"}, r.alerts())
}

// openIssue tells of drift by an issue instead of an alert, as README.md says, and no second one in
// the night after.
func (r *gitlabRepository) openIssue() {
	token := r.made("/projects/"+r.ledger+"/access_tokens",
		`{"name":"drift","scopes":["api"],"access_level":20,"expires_at":`+soon(30)+`}`)["token"]
	r.made(r.path+"/variables", fmt.Sprintf(`{"key":"HEW_ISSUE_TOKEN","value":%q,"masked":true,"protected":true}`, token))
	file := filepath.Join(r.dir, ".gitlab-ci.yml")
	text, err := os.ReadFile(file)
	require.NoError(r, err)
	const alert = `-alert="$HEW_ALERT_URL"`
	require.Contains(r, string(text), alert)
	text = []byte(strings.Replace(string(text), alert, "-issue=root/ledger", 1))
	require.NoError(r, os.WriteFile(file, text, 0o600))
	r.git.Git("commit", "-q", "-a", "-m", "Tell of drift by an issue\n\n[skip ci]")
	r.git.Git("push", "-q", "origin", "main")
	r.setVisibility("internal")
	for range 2 {
		code, log := r.do("drift", nil)
		require.Equal(r, 2, code, log)
		var issues []struct{ Title, Description string }
		r.server.Do(r, r.server.RootToken, "GET", "/projects/"+r.ledger+"/issues?state=opened", nil).Into(r, &issues)
		require.Len(r, issues, 1)
		require.Contains(r, issues[0].Title, "Drift of ")
		require.Contains(r, issues[0].Description, "group.platform")
	}
}
