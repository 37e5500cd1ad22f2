package api_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hew/server/blob"
	"hew/server/ci"
	"hew/server/ci/definition"
	"hew/server/ci/expression"
	"hew/server/ci/status"
	"hew/server/db"
	"hew/server/git/object"
	"hew/server/servertest"
	"hew/server/tree"
)

// site is a project with a pipeline that was stored by hand: no definition file, no runner.
type site struct {
	*servertest.Server
	owner    servertest.Persona
	path     string // of the project in the API
	id       int64
	pipeline ci.Pipeline
}

func newSite(t *testing.T, p ci.Pipeline, jobs ...*definition.Job) site {
	s := site{Server: servertest.Start(t)}
	name := strings.ToLower(t.Name())
	s.owner = s.User(t, name)
	made := struct{ ID int64 }{}
	s.Do(t, s.owner.Token, "POST", "/projects", map[string]any{"name": "site"}).Into(t, &made)
	s.id, s.path = made.ID, fmt.Sprint("/projects/", made.ID)
	p.ProjectID, p.UserID, p.Source = s.id, &s.owner.ID, ci.ByPush
	if p.Ref == "" {
		p.Ref = "topic"
	}
	p.Commit = object.ID{1}
	var err error
	variables := []expression.Variable{{Key: "A", Value: "b", File: true}}
	s.pipeline, err = ci.StorePipeline(t.Context(), s.Store, p, variables, jobs)
	require.NoError(t, err)
	return s
}

func job(name string, stage int, more ...func(*definition.Job)) *definition.Job {
	j := &definition.Job{
		Name: name, Base: name, Stage: "test", StageIndex: stage, Kind: definition.Build, When: definition.OnSuccess,
		Options: definition.Options{Script: []string{"true"}}, Tags: []string{"linux"},
	}
	for _, set := range more {
		set(j)
	}
	return j
}

func manual(j *definition.Job) { j.When = definition.Manual }

func bridge(j *definition.Job) { j.Kind, j.Tags = definition.Bridge, nil }

// job returns the newest job of a name.
func (s site) job(t *testing.T, name string) ci.Job {
	t.Helper()
	list, _, err := ci.Jobs(s.Store, s.id).List(t.Context(), db.Page{Limit: 100}, ci.OfPipeline(s.pipeline.ID, false))
	require.NoError(t, err)
	for _, j := range list {
		if j.Name == name {
			return j
		}
	}
	t.Fatalf("there is no job %s", name)
	return ci.Job{}
}

// ends has a job run and end.
func (s site) ends(t *testing.T, name string, o ci.Outcome) ci.Job {
	t.Helper()
	j := s.job(t, name)
	require.NoError(t, ci.InPipeline(t.Context(), s.Store, s.pipeline.ID, func(c *ci.Change) error {
		c.Set(c.Job(j.ID), status.Running)
		return nil
	}))
	require.NoError(t, ci.FinishJob(t.Context(), s.Store, j, o))
	s.Drain(t)
	return s.job(t, name)
}

// leaves has a job leave a file behind.
func (s site) leaves(t *testing.T, j ci.Job, kind, format string, content []byte, more ...func(*ci.Artifact)) {
	t.Helper()
	a := ci.Artifact{FileType: kind, FileFormat: format, Filename: kind + "." + format, Access: ci.AllAccess}
	for _, set := range more {
		set(&a)
	}
	_, err := ci.AddArtifact(t.Context(), s.Store, j, a, bytes.NewReader(content), blob.NoLimit)
	require.NoError(t, err)
}

// get sends a request and returns status, headers and body.
func (s site) get(t *testing.T, token, path, byteRange string) (*http.Response, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), "GET", s.URL+s.path+path, nil)
	require.NoError(t, err)
	r.Header.Set("PRIVATE-TOKEN", token)
	if byteRange != "" {
		r.Header.Set("Range", byteRange)
	}
	resp, err := http.DefaultClient.Do(r)
	require.NoError(t, err)
	body, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	return resp, string(body)
}

type shownJob struct {
	ID            int64
	Name, Status  string
	Duration      *float64
	FailureReason string `json:"failure_reason"`
	Pipeline      struct{ ID int64 }
	User          struct{ Username string }
	ArtifactsFile *struct{ Filename string }  `json:"artifacts_file"`
	Artifacts     []struct{ Filename string } `json:"artifacts"`
	Downstream    *struct{ ID int64 }         `json:"downstream_pipeline"`
	ErasedAt      *time.Time                  `json:"erased_at"`
}

// user returns the owner of the project.
func (s site) user(t *testing.T) tree.User {
	u, err := tree.FindUser(t.Context(), s.Store, s.owner.ID)
	require.NoError(t, err)
	return u
}
