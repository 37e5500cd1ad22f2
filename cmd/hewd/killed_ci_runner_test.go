package main

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"mime/multipart"
	"strconv"
	"strings"
	"sync"

	"github.com/stretchr/testify/assert"
)

// givenJob is a job that a runner was given, with what the server has acknowledged of it.
type givenJob struct {
	ID      int64
	Token   string
	JobInfo struct {
		Name string
	} `json:"job_info"`
	Variables    []struct{ Key, Value string }
	Artifacts    []struct{}
	Dependencies []struct {
		ID            int64
		Token         string
		ArtifactsFile *struct{} `json:"artifacts_file"`
	}

	text    string // the whole trace
	acked   int    // bytes of it
	archive []byte
	ended   string // success or failed
	over    bool   // the server said that the job does not run any more
}

func (j *givenJob) variable(key string) (value string) {
	for _, v := range j.Variables {
		if v.Key == key {
			value = v.Value
		}
	}
	return value
}

// lastUpdates are what runners were told to send back.
var lastUpdates sync.Map

// runOne asks for a job as runner n, and runs it.
func (w *works) runOne(ctx context.Context, n int) {
	token := w.runners[n]
	last, _ := lastUpdates.Load(token)
	text, err := json.Marshal(map[string]any{
		"token": token, "system_id": "s_1", "last_update": last, "info": map[string]any{
			"version": "16.9.0", "features": map[string]bool{
				"upload_multiple_artifacts": true, "return_exit_code": true, "cancel_gracefully": n%2 == 0,
			},
		},
	})
	if !assert.NoError(w.t, err) {
		return
	}
	a := w.send(ctx, "POST", "/jobs/request", asJSON, text)
	switch a.status {
	case 0, 409:
	case 204:
		lastUpdates.Store(token, a.header.Get("X-GitLab-Last-Update"))
	case 201:
		j := &givenJob{}
		if !assert.NoError(w.t, json.Unmarshal(a.body, j)) {
			return
		}
		w.mu.Lock()
		assert.NotContains(w.t, w.given, j.ID, "a job was given twice")
		w.given[j.ID] = j
		w.mu.Unlock()
		w.work(context.WithoutCancel(ctx), j)
	default:
		w.t.Errorf("request: %d %s", a.status, a.body)
	}
}

var asJSON = map[string]string{"Content-Type": "application/json"}

// work runs a job: the trace in two parts, the artifacts of others, its own, the end.
func (w *works) work(ctx context.Context, j *givenJob) {
	j.text = fmt.Sprintf("job %d\n%s\nend of job %d\n", j.ID, strings.Repeat(j.Token+"\n", int(j.ID%40)), j.ID)
	half := len(j.text) / 2
	if w.append(ctx, j, 0, half); j.over {
		return
	}
	for _, d := range j.Dependencies {
		if d.ArtifactsFile != nil {
			w.download(ctx, j, d.ID, d.Token)
		}
	}
	if len(j.Artifacts) > 0 && !j.over {
		w.upload(ctx, j)
	}
	if !j.over {
		w.append(ctx, j, half, len(j.text))
	}
	if !j.over {
		w.end(ctx, j)
	}
}

// append sends a part of the trace until the server has it.
func (w *works) append(ctx context.Context, j *givenJob, from, to int) {
	for {
		a := w.send(ctx, "PATCH", fmt.Sprintf("/jobs/%d/trace?debug_trace=false", j.ID), map[string]string{
			"JOB-TOKEN": j.Token, "Content-Type": "text/plain", "Content-Range": fmt.Sprintf("%d-%d", from, to-1),
		}, []byte(j.text[from:to]))
		switch a.status {
		case 0:
		case 202:
			j.acked = to
			j.over = a.header.Get("Job-Status") == "canceled"
			return
		case 416:
			_, size, _ := strings.Cut(a.header.Get("Range"), "-")
			n, err := strconv.Atoi(size)
			if !assert.NoError(w.t, err) || !assert.GreaterOrEqual(w.t, n, j.acked, "a trace lost what it had") {
				j.over = true
				return
			}
			from = n
		default:
			w.stopped(j, "trace", a)
			return
		}
	}
}

// stopped notes that a job does not run any more. A runner whose job is over learns it so.
func (w *works) stopped(j *givenJob, what string, a answer) {
	j.over = true
	assert.Equal(w.t, 403, a.status, "%s of job %d: %s", what, j.ID, a.body)
	assert.Contains(w.t, []string{"canceled", "success", "failed"}, a.header.Get("Job-Status"), "%s of job %d: %s",
		what, j.ID, a.body)
}

// download gets the archive of another job, which is what its runner has sent.
func (w *works) download(ctx context.Context, j *givenJob, id int64, token string) {
	for {
		a := w.send(ctx, "GET", fmt.Sprintf("/jobs/%d/artifacts", id), map[string]string{"JOB-TOKEN": token}, nil)
		switch a.status {
		case 0:
		case 200:
			assert.Equal(w.t, archiveOf(id), a.body, "the archive of job %d", id)
			return
		case 401, 403:
			j.over = true // it was canceled
			return
		default:
			w.t.Errorf("archive of job %d for job %d: %d %s", id, j.ID, a.status, a.body)
			return
		}
	}
}

// archiveOf returns the archive that a job leaves.
func archiveOf(id int64) []byte {
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	f, err := z.Create("out/result")
	if err == nil {
		_, err = fmt.Fprintln(f, "job", id)
	}
	if err != nil || z.Close() != nil {
		panic("a zip in memory cannot be written")
	}
	return out.Bytes()
}

func (w *works) upload(ctx context.Context, j *givenJob) {
	content := archiveOf(j.ID)
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	part, err := form.CreateFormFile("file", "artifacts.zip")
	if err == nil {
		_, err = part.Write(content)
	}
	if !assert.NoError(w.t, err) || !assert.NoError(w.t, form.Close()) {
		return
	}
	for tries := 0; ; {
		a := w.send(ctx, "POST",
			fmt.Sprintf("/jobs/%d/artifacts?artifact_format=zip&artifact_type=archive&expire_in=1+day", j.ID),
			map[string]string{"JOB-TOKEN": j.Token, "Content-Type": form.FormDataContentType()}, body.Bytes())
		switch a.status {
		case 0:
		case 201:
			j.archive = content
			return
		case 403:
			w.stopped(j, "artifact", a)
			return
		default:
			if tries++; tries == 3 {
				w.t.Errorf("artifact of job %d: %d %s", j.ID, a.status, a.body)
				return
			}
		}
	}
}

// end reports the end of a job until the server knows.
func (w *works) end(ctx context.Context, j *givenJob) {
	fields := map[string]any{"token": j.Token, "state": "success", "output": map[string]any{
		"checksum": fmt.Sprintf("crc32:%08x", crc32.ChecksumIEEE([]byte(j.text))), "bytesize": len(j.text),
	}}
	if w.fails(j) {
		fields["state"], fields["failure_reason"], fields["exit_code"] = "failed", "script_failure", 1
	}
	text, err := json.Marshal(fields)
	assert.NoError(w.t, err)
	for {
		switch a := w.send(ctx, "PUT", fmt.Sprintf("/jobs/%d", j.ID), asJSON, text); a.status {
		case 0, 202:
		case 200:
			j.ended = fields["state"].(string)
			return
		case 412:
			if w.append(ctx, j, 0, len(j.text)); j.over {
				return
			}
		default:
			w.stopped(j, "end", a)
			return
		}
	}
}

// fails reports whether a job fails: lint does always, shaky the first time.
func (w *works) fails(j *givenJob) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	pipeline := j.variable("CI_PIPELINE_ID")
	if _, ok := w.shaky[pipeline]; !ok && j.JobInfo.Name == "shaky" {
		w.shaky[pipeline] = j.ID
	}
	return j.JobInfo.Name == "lint" || w.shaky[pipeline] == j.ID
}
