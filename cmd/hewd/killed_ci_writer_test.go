package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"github.com/stretchr/testify/require"
)

// ciDefinitions are the definition files of the projects.
var ciDefinitions = []string{`
stages: [build, test, deploy]
compile:
  stage: build
  script: make
  artifacts: {paths: [out]}
shaky: {stage: test, script: make test, retry: 1}
lint: {stage: test, script: make lint, allow_failure: true}
pages-by-hand: {stage: deploy, script: make deploy, when: manual}
deploy: {stage: deploy, script: make deploy}
`, `
stages: [build, test, deploy]
compile:
  stage: build
  script: make
  artifacts: {paths: [out]}
test: {stage: test, script: make test}
deploy:
  stage: deploy
  script: make deploy
  resource_group: production
  environment: production
`, `
stages: [build, test, deploy]
workflow:
  rules:
    - if: $CI_PIPELINE_SOURCE == "merge_request_event"
    - if: $CI_COMMIT_BRANCH == "main" || $CI_COMMIT_BRANCH == "pushed"
compile: {stage: build, script: make, artifacts: {paths: [out]}}
parts:
  stage: test
  trigger: {include: parts.yml, strategy: depend}
deploy: {stage: deploy, script: make deploy, needs: [compile, parts]}
`}

const partsDefinition = `
part one: {script: make, rules: [{when: on_success}]}
part two: {script: make, rules: [{when: on_success}], needs: [part one]}
`

// ciProject is a project that clients write to.
type ciProject struct {
	*target
	works  *works
	armed  []int   // merge requests whose arming or merge was acknowledged
	played []int64 // schedules whose play was acknowledged
}

// newCIProject creates project n, whose main has the definition.
func newCIProject(w *works, n int, definition string) *ciProject {
	p := &ciProject{works: w, target: newTarget(w.t, w, fmt.Sprint("ci-", n), w.acks)}
	if n == 1 { // here each pipeline runs to its end
		require.Equal(w.t, 200, p.request("PUT", fmt.Sprint("/projects/", p.id),
			map[string]any{"auto_cancel_pending_pipelines": "disabled"}, nil))
	}
	var made struct{ ID string }
	require.Equal(w.t, 201, p.request("POST", fmt.Sprintf("/projects/%d/repository/commits", p.id), map[string]any{
		"branch": "main", "commit_message": "Begin", "actions": []any{
			map[string]any{"action": "create", "file_path": ".gitlab-ci.yml", "content": definition},
			map[string]any{"action": "create", "file_path": "parts.yml", "content": partsDefinition},
		},
	}, &made))
	p.acknowledge("main", made.ID)
	for name, text := range map[string]string{".gitlab-ci.yml": definition, "parts.yml": partsDefinition} {
		require.NoError(w.t, os.WriteFile(filepath.Join(p.dir, name), []byte(text), 0o600))
	}
	return p
}

// writeInterval is how often each project is written to, so that five runners keep up.
const writeInterval = 250 * time.Millisecond

// writeAll writes to all projects, in turns by each way that makes pipelines.
func (w *works) writeAll() (stop func()) {
	turns := make([]int, len(w.projects))
	return repeatAll(w.t, len(w.projects), func(ctx context.Context, n int) {
		p := w.projects[n]
		turns[n]++
		switch turns[n] % 4 {
		case 0:
			p.pushOne(3)
		case 1:
			p.commitOne(turns[n])
		case 2:
			p.armOne(turns[n])
		case 3:
			p.playOne(turns[n])
		}
		wait := time.NewTimer(writeInterval)
		defer wait.Stop()
		select {
		case <-wait.C:
		case <-ctx.Done():
		}
	})
}

// armOne makes a merge request of a new branch, which is to be merged when its pipeline succeeds.
func (p *ciProject) armOne(n int) {
	branch := fmt.Sprint("topic-", n)
	var made struct{ ID string }
	if p.request("POST", fmt.Sprintf("/projects/%d/repository/commits", p.id), map[string]any{
		"branch": branch, "start_branch": "main", "commit_message": branch, "actions": []any{map[string]any{
			"action": "create", "file_path": "merged/" + branch, "content": branch,
		}},
	}, &made) != http.StatusCreated {
		return
	}
	p.acknowledge(branch, made.ID)
	requests := fmt.Sprintf("/projects/%d/merge_requests", p.id)
	var r mergeRequest
	if p.request("POST", requests, map[string]any{
		"source_branch": branch, "target_branch": "main", "title": "Merge " + branch,
	}, &r) != http.StatusCreated {
		return
	}
	if p.request("PUT", fmt.Sprintf("%s/%d/merge", requests, r.IID),
		map[string]any{"merge_when_pipeline_succeeds": true}, &r) == http.StatusOK {
		p.armed = append(p.armed, r.IID)
	}
}

// playOne plays a schedule that is not due.
func (p *ciProject) playOne(n int) {
	schedules := fmt.Sprintf("/projects/%d/pipeline_schedules", p.id)
	var made struct{ ID int64 }
	if p.request("POST", schedules, map[string]any{
		"description": fmt.Sprint(n), "ref": "refs/heads/main", "cron": "0 0 1 1 *",
	}, &made) == http.StatusCreated && p.request("POST", fmt.Sprintf("%s/%d/play", schedules, made.ID), nil, nil) ==
		http.StatusCreated {
		p.played = append(p.played, made.ID)
	}
}
