package ci_test

import (
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"hew/server/ci"
	"hew/server/ci/definition"
	"hew/server/ci/status"
	"hew/server/db"
	"hew/server/git/object"
	"hew/server/group"
	"hew/server/project"
	"hew/server/servertest"
	"hew/server/tree"
)

// story plays a pipeline by hand: no runner, no definition file.
type story struct {
	*testing.T
	st *db.Store
	by tree.User
	p  ci.Pipeline
}

// newStory stores a pipeline with jobs of a project of its own.
func newStory(t *testing.T, list ...*definition.Job) story {
	return newStoryOn(t, servertest.Start(t), list...)
}

// newStoryOn does that on a server.
func newStoryOn(t *testing.T, s *servertest.Server, list ...*definition.Job) story {
	ctx := t.Context()
	path := strings.ToLower(t.Name())
	ann := s.User(t, path)
	by, err := tree.FindUser(ctx, s.Store, ann.ID)
	require.NoError(t, err)
	g, err := group.InsertGroup(ctx, s.Store, tree.NewGroup("Acme", "acme-"+path, nil), ann.ID)
	require.NoError(t, err)
	p, err := project.InsertProject(ctx, s.Store, tree.NewProject("site", "site", g.ID), ann.ID)
	require.NoError(t, err)
	made, err := ci.Store(ctx, s.Store, ci.Pipeline{
		ProjectID: p.ID, Status: status.Created, Source: ci.ByPush, Ref: "main", Commit: object.ID{1}, UserID: &ann.ID,
		CancelOlder: "conservative",
	}, list)
	require.NoError(t, err)
	return story{t, s.Store, by, made}
}

func build(name string, stage int, more ...func(*definition.Job)) *definition.Job {
	j := &definition.Job{
		Name: name, Base: name, Stage: "test", StageIndex: stage, Kind: definition.Build, When: definition.OnSuccess,
		Options: definition.Options{Script: []string{"true"}},
	}
	for _, set := range more {
		set(j)
	}
	return j
}

// are asserts the states of the jobs and of the pipeline: "a:success b:pending; running".
func (s story) are(want string) {
	s.Helper()
	list, err := ci.JobsOf(s.Context(), s.st, s.p)
	require.NoError(s, err)
	var words []string
	for _, j := range list {
		words = append(words, j.Name+":"+string(j.Status))
	}
	p, err := ci.FindPipeline(s.Context(), s.st, s.p.ID)
	require.NoError(s, err)
	require.Equal(s, want, strings.Join(words, " ")+"; "+string(p.Status))
}

// job returns the newest job of a name.
func (s story) job(name string) ci.Job {
	s.Helper()
	list, err := ci.JobsOf(s.Context(), s.st, s.p)
	require.NoError(s, err)
	for _, j := range list {
		if j.Name == name {
			return j
		}
	}
	s.Fatalf("there is no job %s", name)
	return ci.Job{}
}

// runs starts a job as a runner would.
func (s story) runs(name string) {
	s.Helper()
	require.NoError(s, ci.InPipeline(s.Context(), s.st, s.p.ID, func(c *ci.Change) error {
		c.Set(c.Job(s.job(name).ID), status.Running)
		return nil
	}))
}

// ends ends a job that runs.
func (s story) ends(name string, o ci.Outcome) {
	s.Helper()
	s.runs(name)
	require.NoError(s, ci.FinishJob(s.Context(), s.st, s.job(name), o))
}

func TestPipeline(t *testing.T) {
	t.Parallel()
	s := newStory(t, build("a", 1), build("b", 1), build("c", 2))
	s.are("a:pending b:pending c:created; pending")
	s.runs("a")
	s.are("a:running b:pending c:created; running")
	require.NoError(t, ci.FinishJob(t.Context(), s.st, s.job("a"), ci.Outcome{Success: true, Coverage: new(80.0)}))
	s.are("a:success b:pending c:created; running")
	s.ends("b", ci.Outcome{Success: true, Coverage: new(90.5)})
	s.are("a:success b:success c:pending; running")
	s.ends("c", ci.Outcome{Success: true})
	s.are("a:success b:success c:success; success")
	p, err := ci.FindPipeline(t.Context(), s.st, s.p.ID)
	require.NoError(t, err)
	require.NotNil(t, p.FinishedAt)
	require.NotNil(t, p.Duration)
	require.InDelta(t, 85.25, *p.Coverage, 0.001)
	require.Error(t, ci.FinishJob(t.Context(), s.st, s.job("c"), ci.Outcome{}), "it is over")
}

func TestRetry(t *testing.T) {
	t.Parallel()
	s := newStory(t, build("a", 1), build("b", 2), build("c", 3))
	first := s.job("a")
	s.ends("a", ci.Outcome{Reason: "script_failure", ExitCode: new(2)})
	s.are("a:failed b:skipped c:skipped; failed")
	fresh, err := ci.RetryJob(t.Context(), s.st, s.job("a"), s.by)
	require.NoError(t, err)
	require.NotEqual(t, first.ID, fresh.ID)
	require.Equal(t, 1, fresh.Retries)
	s.are("b:created c:created a:pending; pending")
	s.ends("a", ci.Outcome{Success: true})
	s.are("b:pending c:created a:success; running")
	s.ends("b", ci.Outcome{Reason: "script_failure"})
	require.NoError(t, ci.RetryPipeline(t.Context(), s.st, s.p.ID, s.by))
	s.are("c:created a:success b:pending; running")
	_, err = ci.RetryJob(t.Context(), s.st, first, s.by)
	require.Error(t, err, "a newer one took its place")
}

func TestRetriesItself(t *testing.T) {
	t.Parallel()
	s := newStory(t, build("a", 1, func(j *definition.Job) {
		j.Options.Retry = &definition.Retry{Max: 1, When: []string{"runner_system_failure"}}
	}), build("b", 1, func(j *definition.Job) { j.AllowExitCodes = []int{137} }), build("c", 2))
	s.ends("a", ci.Outcome{Reason: "runner_system_failure"})
	s.are("b:pending c:created a:pending; pending")
	s.ends("b", ci.Outcome{Reason: "script_failure", ExitCode: new(137)})
	s.ends("a", ci.Outcome{Success: true})
	s.are("b:failed c:pending a:success; running")
	require.True(t, s.job("b").AllowFailure)
}

func TestCancelAndPlay(t *testing.T) {
	t.Parallel()
	s := newStory(t, build("a", 1), build("b", 1, func(j *definition.Job) { j.When = definition.Manual }), build("c", 2))
	s.are("a:pending b:manual c:created; running")
	s.ends("a", ci.Outcome{Success: true})
	s.are("a:success b:manual c:created; manual")
	played, err := ci.PlayJob(t.Context(), s.st, s.job("b"), s.by)
	require.NoError(t, err)
	require.Equal(t, status.Pending, played.Status)
	_, err = ci.PlayJob(t.Context(), s.st, played, s.by)
	require.Error(t, err, "it has started")
	s.runs("b")
	require.NoError(t, ci.CancelPipeline(t.Context(), s.st, s.p.ID))
	s.are("a:success b:canceled c:canceled; canceled")
	require.NoError(t, ci.CancelPipeline(t.Context(), s.st, s.p.ID), "nothing is left to cancel")
}

// An exit code that is allowed says nothing of the next try (CI facts §2.2).
func TestRetryAfterExitCode(t *testing.T) {
	t.Parallel()
	s := newStory(t, build("a", 1, func(j *definition.Job) { j.AllowExitCodes = []int{137} }),
		build("b", 1, func(j *definition.Job) { j.AllowFailure = true }))
	s.ends("a", ci.Outcome{Reason: "script_failure", ExitCode: new(137)})
	s.ends("b", ci.Outcome{Reason: "script_failure", ExitCode: new(1)})
	s.are("a:failed b:failed; success")
	require.NoError(t, ci.RetryPipeline(t.Context(), s.st, s.p.ID, s.by))
	require.False(t, s.job("a").AllowFailure)
	s.ends("a", ci.Outcome{Reason: "script_failure", ExitCode: new(1)})
	s.ends("b", ci.Outcome{Reason: "script_failure", ExitCode: new(1)})
	s.are("a:failed b:failed; failed")
}

// workflow:auto_cancel:on_job_failure cancels the other jobs when the first fails that must not.
func TestCancelOnFailure(t *testing.T) {
	t.Parallel()
	s := newStory(t, build("a", 1), build("b", 1, func(j *definition.Job) { j.AllowFailure = true }),
		build("c", 1), build("d", 2))
	require.NoError(t, s.st.Exec(t.Context(), `update pipelines set cancel_on_failure = true where id = @id`,
		pgx.NamedArgs{"id": s.p.ID}))
	s.ends("b", ci.Outcome{Reason: "script_failure"})
	s.are("a:pending b:failed c:pending d:created; pending")
	s.runs("c")
	s.ends("a", ci.Outcome{Reason: "script_failure"})
	s.are("a:failed b:failed c:canceled d:canceled; failed")
}

// A pipeline with no job that ran has no end (gaps §10.3).
func TestSkippedPipeline(t *testing.T) {
	t.Parallel()
	s := newStory(t, build("a", 1, func(j *definition.Job) { j.When = definition.OnFailure }))
	s.are("a:skipped; skipped")
	p, err := ci.FindPipeline(t.Context(), s.st, s.p.ID)
	require.NoError(t, err)
	require.Nil(t, p.FinishedAt)
}
