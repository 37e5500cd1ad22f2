package hook_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"hew/server/ci"
	"hew/server/ci/status"
	"hew/server/db"
	"hew/server/event"
	oid "hew/server/git/object"
	"hew/server/hook"
	"hew/server/servertest"
)

// works is an estate with a project whose pipelines are written by hand.
type works struct {
	*estate
	group, project int64
	head           oid.ID // of main
}

func newWorks(t *testing.T) works {
	w := works{estate: newEstate(t)}
	w.group = w.estate.group("acme", 0)
	w.project = w.make("/projects", map[string]any{"name": "Site", "path": "site", "namespace_id": w.group})
	w.commit("main", nil)
	var err error
	w.head, err = db.Value[oid.ID](t.Context(), w.Store, `select oid from refs where name = 'refs/heads/main'`, nil)
	require.NoError(t, err)
	w.requests()
	return w
}

func (w works) commit(branch string, from any) {
	w.t.Helper()
	w.as("POST", fmt.Sprintf("/projects/%d/repository/commits", w.project), map[string]any{
		"branch": branch, "start_branch": from, "commit_message": "Add " + branch,
		"actions": []any{map[string]any{"action": "create", "file_path": branch, "content": "a\n"}},
	})
}

// pipeline stores a pipeline with jobs, and returns it.
func (w works) pipeline(p ci.Pipeline, jobs ...ci.Job) ci.Pipeline {
	w.t.Helper()
	ctx := w.t.Context()
	var err error
	p.ProjectID, p.Commit, p.CancelOlder = w.project, w.head, "none"
	p.IID, err = w.Store.NextIID(ctx, db.Container{ProjectID: &w.project}, "pipeline")
	require.NoError(w.t, err)
	p.ID, err = w.Store.Insert(ctx, "pipelines", p)
	require.NoError(w.t, err)
	for n := range jobs {
		jobs[n].ProjectID, jobs[n].PipelineID, jobs[n].UserID = w.project, p.ID, p.UserID
		if jobs[n].Kind == "" {
			jobs[n].Kind = ci.Build
		}
		if jobs[n].Needs == nil {
			jobs[n].Needs = []string{}
		}
		if jobs[n].Tags == nil {
			jobs[n].Tags = []string{}
		}
		jobs[n].ID, err = w.Store.Insert(ctx, "jobs", jobs[n])
		require.NoError(w.t, err)
	}
	return w.find(p.ID)
}

func (w works) find(id int64) ci.Pipeline {
	w.t.Helper()
	p, err := ci.FindPipeline(w.t.Context(), w.Store, id)
	require.NoError(w.t, err)
	return p
}

// id returns what a statement that inserts a row returns.
func (w works) id(sql string, args ...any) int64 {
	w.t.Helper()
	named := pgx.NamedArgs{"project": w.project}
	for n := 0; n < len(args); n += 2 {
		named[args[n].(string)] = args[n+1]
	}
	id, err := db.Value[int64](w.t.Context(), w.Store, sql+` returning id`, named)
	require.NoError(w.t, err)
	return id
}

// tell emits a change of a pipeline and of its jobs, and returns the deliveries.
func (w works) tell(e ci.Changed) []received {
	w.t.Helper()
	require.NoError(w.t, w.Store.Tx(w.t.Context(), func(st *db.Store) error { return event.Emit(w.t.Context(), st, e) }))
	return w.requests()
}

// at is a time of the goldens, in seconds after their pipelines began.
func at(seconds float64) *time.Time {
	return new(time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC).Add(time.Duration(seconds * float64(time.Second))))
}

// golden compares a delivery with what testdata/payload shows under a name.
func golden(t *testing.T, name string, r received) {
	t.Helper()
	servertest.Golden(t, filepath.Join("testdata", "payload", name+".txt"), shown(t, r))
}

// Pipelines and jobs have the payloads that testdata/payload shows (gaps §13.6).
func TestPipelinePayloads(t *testing.T) {
	t.Parallel()
	w := newWorks(t)
	w.as("POST", fmt.Sprintf("/projects/%d/hooks", w.project), map[string]any{
		"url": w.url, "push_events": false, "pipeline_events": true, "job_events": true,
	})
	runner := w.id(`insert into runners (runner_type, digest, description, tags)
		values ('instance_type', decode(repeat('00', 32), 'hex'), 'blue', '{linux,docker}')`)
	environment := w.id(`insert into environments (project_id, name, slug, tier)
		values (@project, 'production', 'production', 'production')`)
	definition := w.id(`insert into job_definitions (project_id, digest, definition)
		values (@project, decode(repeat('00', 32), 'hex'), '{"environment":{"name":"production","action":"start"}}')`)
	root, reason := int64(1), "script_failure"
	p := w.pipeline(ci.Pipeline{
		Status: status.Failed, Source: ci.ByPush, Ref: "main", UserID: &root, Name: new("Build it"), StartedAt: at(5),
		FinishedAt: at(68), Duration: new(63), QueuedDuration: new(5),
	}, ci.Job{
		Name: "deploy", Stage: "deploy", StageIndex: 2, Status: status.Manual, Starts: status.ByHand,
		EnvironmentID: &environment, DefinitionID: &definition,
	}, ci.Job{
		Name: "unit", Stage: "test", StageIndex: 1, Status: status.Failed, Starts: status.OnSuccess, Retries: 1,
		RunnerID: &runner, FailureReason: &reason, QueuedAt: at(0.5), StartedAt: at(5), FinishedAt: at(68),
	}, ci.Job{
		Name: "downstream", Stage: "test", StageIndex: 1, Status: status.Success, Starts: status.OnSuccess,
		Kind: ci.Bridge,
	})
	w.id(`insert into pipeline_variables (pipeline_id, key, sealed) values (@p, 'REGION', 'sealed')`, "p", p.ID)
	jobs, err := ci.JobDetails(t.Context(), w.Store, p.ID)
	require.NoError(t, err)
	blob := w.id(`insert into blobs (sha256, size, backend, key, checksums)
		values (decode(repeat('00', 32), 'hex'), 9, 'postgres', gen_random_uuid(), decode('00000000', 'hex'))`)
	w.id(`insert into job_artifacts (project_id, job_id, file_type, file_format, filename, blob_id, size)
		values (@project, @job, 'archive', 'zip', 'artifacts.zip', @blob, 9)`, "job", jobs[1].ID, "blob", blob)

	got := w.tell(ci.Changed{Pipeline: p, Before: status.Running})
	require.Len(t, got, 1)
	golden(t, "pipeline", got[0])

	// A bridge is no job with a script.
	var changed []ci.JobChange
	for _, j := range jobs {
		changed = append(changed, ci.JobChange{Job: j.Job, Before: status.Created})
	}
	got = w.tell(ci.Changed{Pipeline: p, Before: p.Status, Jobs: changed})
	require.Len(t, got, 2)
	byName := map[any]received{}
	for _, r := range got {
		byName[r.body["build_name"]] = r
	}
	golden(t, "job_failed", byName["unit"])
	golden(t, "job_manual", byName["deploy"])

	w.commit("side", "main")
	w.as("POST", fmt.Sprintf("/projects/%d/merge_requests", w.project), map[string]any{
		"source_branch": "side", "target_branch": "main", "title": "Better",
	})
	w.requests()
	request, err := db.Value[int64](t.Context(), w.Store, `select id from merge_requests`, nil)
	require.NoError(t, err)
	below := w.pipeline(ci.Pipeline{
		Status: status.Success, Source: ci.ByMergeRequest, Ref: "refs/merge-requests/1/head", MergeRequestID: &request,
		UpstreamJobID: &jobs[2].ID,
	}, ci.Job{Name: "lint", Stage: "test", Status: status.Failed, Starts: status.Always, AllowFailure: true})
	got = w.tell(ci.Changed{Pipeline: below, Before: status.Running})
	require.Len(t, got, 1)
	golden(t, "pipeline_merge_request", got[0])
}

// Hooks of the project and of the groups above are told of each other state of a pipeline and of
// its jobs; the branches that they want pushes of do not matter.
func TestPipelinesAreTold(t *testing.T) {
	t.Parallel()
	w := newWorks(t)
	test := fmt.Sprintf("/groups/%d/hooks/%d/test/", w.group, w.hook(w.group, "/acme", map[string]any{
		"pipeline_events": true, "job_events": true, "push_events_branch_filter": "other",
	}))
	w.hook(w.group, "/silent", nil)
	for trigger, what := range map[string]string{"pipeline_events": "CI pipelines", "job_events": "CI jobs"} {
		r := w.Do(t, w.RootToken, "POST", test+trigger, nil)
		require.Equal(t, 422, r.Status)
		require.Contains(t, string(r.Body), "Ensure the project has "+what+".")
	}
	root := int64(1)
	p := w.pipeline(ci.Pipeline{Status: status.Created, Source: ci.ByPush, Ref: "main", UserID: &root},
		ci.Job{Name: "a", Stage: "test", Status: status.Created, Starts: status.OnSuccess},
		ci.Job{Name: "b", Stage: "test", StageIndex: 1, Status: status.Created, Starts: status.OnSuccess})
	require.Empty(t, w.tell(ci.Changed{Pipeline: p}), "nobody has looked at its jobs yet")
	change := func(do func(*ci.Change)) string {
		require.NoError(t, ci.InPipeline(t.Context(), w.Store, p.ID, func(c *ci.Change) error { do(c); return nil }))
		return told(w.requests())
	}
	require.Equal(t, "a:pending pipeline:pending", change(func(*ci.Change) {}))
	require.Empty(t, change(func(*ci.Change) {}))
	require.Equal(t, "a:running pipeline:running", change(func(c *ci.Change) { c.Set(c.Jobs[0], status.Running) }))
	require.Equal(t, "a:success b:pending", change(func(c *ci.Change) {
		c.Set(c.Jobs[0], status.Success)
	}))
	require.Equal(t, "b:failed pipeline:failed", change(func(c *ci.Change) {
		c.SetFailed(c.Jobs[1], "script_failure")
	}))

	// What a job of a pipeline does that is rolled back is not told.
	require.Error(t, w.Store.Tx(t.Context(), func(st *db.Store) error {
		require.NoError(t, event.Emit(t.Context(), st, ci.Changed{Pipeline: p, Before: status.Manual}))
		return fmt.Errorf("rolled back")
	}))
	require.Empty(t, w.requests())
	w.as("POST", test+"pipeline_events", nil)
	w.as("POST", test+"job_events", nil)
	require.Equal(t, "b:failed pipeline:failed", told(w.requests()))
}

// told summarizes deliveries: the states of jobs by their names, and of pipelines.
func told(got []received) string {
	var words []string
	for _, r := range got {
		if r.body["object_kind"] == "build" {
			words = append(words, fmt.Sprintf("%s:%s", r.body["build_name"], r.body["build_status"]))
		} else {
			words = append(words, fmt.Sprintf("%s:%s", r.body["object_kind"], object(r.body, "object_attributes")["status"]))
		}
	}
	return strings.Join(slices.Sorted(slices.Values(words)), " ")
}

// A pipeline is told with as many statements for 500 jobs as for one.
func TestStatementsOfPipelines(t *testing.T) {
	t.Parallel()
	statements := func(n int) map[string]int {
		w := newWorks(t)
		w.hook(w.group, "/acme", map[string]any{"pipeline_events": true, "job_events": true})
		root := int64(1)
		jobs := make([]ci.Job, n)
		for i := range jobs {
			jobs[i] = ci.Job{Name: fmt.Sprint("j", i), Stage: "test", Status: status.Pending, Starts: status.Always}
		}
		p := w.pipeline(ci.Pipeline{Status: status.Pending, Source: ci.ByPush, Ref: "main", UserID: &root}, jobs...)
		e := ci.Changed{Pipeline: p, Before: status.Created}
		for _, j := range jobs {
			e.Jobs = append(e.Jobs, ci.JobChange{Job: j, Before: status.Created})
		}
		c := w.Counted(t)
		event.Attach(c.Store, hook.Listeners("http://localhost"))
		return c.During(t, func() { require.NoError(t, event.Emit(t.Context(), c.Store, e)) })
	}
	requireConstant(t, statements(1), statements(500))
}
