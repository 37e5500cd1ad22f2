package testacc

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// jobForRunner is a job as a runner is given it.
type jobForRunner struct {
	ID      int64
	Token   string
	JobInfo struct {
		Name, Stage string
	} `json:"job_info"`
	GitInfo struct {
		RepoURL  string `json:"repo_url"`
		SHA      string
		Refspecs []string
		Depth    int
	} `json:"git_info"`
	RunnerInfo struct {
		Timeout int // seconds
	} `json:"runner_info"`
	Variables []struct {
		Key, Value        string
		Masked, File, Raw bool
	}
	Steps []struct {
		Name   string
		Script []string
		When   string
	}
	Artifacts    []artifactOfJob
	Dependencies []struct {
		ID            int64
		Name, Token   string
		ArtifactsFile *struct {
			Filename string
		} `json:"artifacts_file"`
	}
	Features struct {
		TokenMaskPrefixes []string `json:"token_mask_prefixes"`
		FailureReasons    []string `json:"failure_reasons"`
	}
}

// artifactOfJob says which files of a job its runner sends, as what, and when.
type artifactOfJob struct {
	Name           string
	Untracked      bool
	Paths, Exclude []string
	When           string
	ExpireIn       string `json:"expire_in"`
	Type           string `json:"artifact_type"`
	Format         string `json:"artifact_format"`
}

// runnerInfo is what the runner tells of itself with every request for a job.
var runnerInfo = map[string]any{
	"name": "shell-runner", "version": "16.11.0", "revision": "test", "platform": "linux", "architecture": "amd64",
	"executor": "shell", "shell": "bash", "features": map[string]bool{
		"variables": true, "artifacts": true, "artifacts_exclude": true, "upload_multiple_artifacts": true,
		"upload_raw_artifacts": true, "refspecs": true, "masking": true, "raw_variables": true, "trace_reset": true,
		"trace_checksum": true, "trace_size": true, "return_exit_code": true, "cancelable": true,
		"cancel_gracefully": true, "multi_build_steps": true,
	},
}

// serverAnswer is what the server says to the runner.
type serverAnswer struct {
	status int
	header http.Header
	body   []byte
}

// send sends a request of the runner. Any body but a reader is sent as JSON.
func (r *shellRunner) send(
	ctx context.Context, method, path string, header map[string]string, body any,
) (serverAnswer, error) {
	kind, ok := "", false
	var content io.Reader
	if content, ok = body.(io.Reader); !ok && body != nil {
		text, err := json.Marshal(body)
		if err != nil {
			return serverAnswer{}, err
		}
		content, kind = bytes.NewReader(text), "application/json"
	}
	request, err := http.NewRequestWithContext(ctx, method, r.url+path, content)
	if err != nil {
		return serverAnswer{}, err
	}
	request.Header.Set("Accept", "application/json")
	if kind != "" {
		request.Header.Set("Content-Type", kind)
	}
	for name, value := range header {
		request.Header.Set(name, value)
	}
	response, err := r.client.Do(request)
	if err != nil {
		return serverAnswer{}, err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	return serverAnswer{response.StatusCode, response.Header, text}, err
}

// register has the server accept the runner: it proves the token that a user created for it, or
// exchanges the registration token of a project, a group or the instance for one.
func (r *shellRunner) register(ctx context.Context, token string) error {
	path, body, want := "/runners/verify", map[string]any{"token": token, "system_id": r.systemID}, http.StatusOK
	if !strings.HasPrefix(token, "glrt-") {
		path, body, want = "/runners", map[string]any{"token": token, "info": runnerInfo}, http.StatusCreated
	}
	a, err := r.send(ctx, "POST", path, nil, body)
	if err != nil {
		return err
	}
	if a.status != want {
		return fmt.Errorf("POST %s answers %d: %s", path, a.status, a.body)
	}
	var made struct{ Token string }
	err = json.Unmarshal(a.body, &made)
	r.token = made.Token
	return err
}

// errRemoved says that the server does not know the runner any more.
var errRemoved = errors.New("the server refuses the token of the runner")

// request asks for a job, with what the last answer said; the server holds the request until there
// is a job or some time has passed. The job is nil if there is none.
func (r *shellRunner) request(ctx context.Context, last string) (*jobForRunner, string, error) {
	a, err := r.send(ctx, "POST", "/jobs/request", nil, map[string]any{
		"token": r.token, "system_id": r.systemID, "last_update": last, "info": runnerInfo,
	})
	switch {
	case err != nil:
		return nil, last, err
	case a.status == http.StatusNoContent:
		return nil, a.header.Get("X-GitLab-Last-Update"), nil
	case a.status == http.StatusConflict: // another runner was faster
		return nil, "", nil
	case a.status == http.StatusForbidden:
		return nil, "", errRemoved
	case a.status != http.StatusCreated:
		return nil, "", fmt.Errorf("POST /jobs/request answers %d: %s", a.status, a.body)
	}
	var job jobForRunner
	return &job, "", json.Unmarshal(a.body, &job)
}

// outcome is how a job ends.
type outcome struct {
	reason string // of a failure, "" if it succeeds
	code   int    // of the script
}

// finish tells the server how the job ended, until it knows. If the server does not have the whole
// trace, it gets it again.
func (j *runningJob) finish(ctx context.Context, o outcome) error {
	state := "success"
	if o.reason != "" {
		state = "failed"
	}
	for {
		body := map[string]any{
			"token": j.Token, "info": runnerInfo, "state": state, "failure_reason": o.reason,
			"output": j.trace.sum(), "checksum": j.trace.sum()["checksum"],
		}
		if o.code != 0 {
			body["exit_code"] = o.code
		}
		a, err := j.send(ctx, "PUT", fmt.Sprint("/jobs/", j.ID), map[string]string{"JOB-TOKEN": j.Token}, body)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err == nil && (a.status == http.StatusOK || a.status == http.StatusForbidden):
			return nil
		case err == nil && a.status == http.StatusPreconditionFailed:
			j.trace.rewind(0)
			j.sendTrace(ctx)
		case err == nil && a.status/100 == 4:
			return fmt.Errorf("PUT /jobs/%d answers %d: %s", j.ID, a.status, a.body)
		}
		if err := j.pause(ctx); err != nil {
			return cmp.Or(err, ctx.Err())
		}
	}
}
