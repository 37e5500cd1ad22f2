package status_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/ci/status"
)

// fate is what a job does once it runs, in a story of a pipeline: "a1" is job a of stage 1.
type fate struct {
	status.Job
	ends status.Status
}

// run plays a pipeline to its end: jobs that start end as they are to.
func run(story []fate) (string, status.Status) {
	jobs := make([]status.Job, len(story))
	for i, f := range story {
		jobs[i] = f.Job
		jobs[i].Status = status.Created
	}
	for len(status.Process(jobs)) > 0 {
		for i := range jobs {
			if jobs[i].Status == status.Pending {
				jobs[i].Status = story[i].ends
			}
		}
	}
	var ends []string
	for _, j := range jobs {
		ends = append(ends, j.Name+":"+string(j.Status))
	}
	return strings.Join(ends, " "), status.Of(jobs)
}

func job(name string, stage int, more ...func(*fate)) fate {
	f := fate{Job: status.Job{Name: name, Stage: stage, When: status.OnSuccess}, ends: status.Success}
	for _, set := range more {
		set(&f)
	}
	return f
}

func fails(f *fate)    { f.ends = status.Failed }
func canceled(f *fate) { f.ends = status.Canceled }
func allowed(f *fate)  { f.AllowFailure = true }

func on(when status.When) func(*fate) { return func(f *fate) { f.When = when } }

func needing(names ...string) func(*fate) {
	return func(f *fate) { f.ByNeeds, f.Needs = true, names }
}

// TestOutcomes are the acceptance table of CI facts §6: what a pipeline comes to.
func TestOutcomes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		story []fate
		jobs  string
		is    status.Status
	}{
		{"R01", []fate{job("a", 1, fails), job("b", 2), job("c", 2, on(status.OnFailure)), job("d", 2, on(status.Always)),
			job("e", 3)}, "a:failed b:skipped c:success d:success e:skipped", status.Failed},
		{"R02", []fate{job("a", 1, fails, allowed), job("b", 2), job("c", 2, on(status.OnFailure))},
			"a:failed b:success c:skipped", status.Success},
		{"R03", []fate{job("a", 1, on(status.ByHand), allowed), job("b", 2)}, "a:manual b:success", status.Success},
		{"R04", []fate{job("a", 1, on(status.ByHand)), job("b", 2), job("c", 2, on(status.Always))},
			"a:manual b:created c:created", status.Manual},
		{"R06", []fate{job("a", 1), job("b", 1, fails), job("c", 2, needing("a")), job("d", 2, needing("b")),
			job("e", 2, needing("b"), on(status.OnFailure)), job("f", 3)},
			"a:success b:failed c:success d:skipped e:success f:skipped", status.Failed},
		{"R07", []fate{job("a", 1, on(status.OnFailure)), job("b", 2), job("c", 2, needing("a"))},
			"a:skipped b:success c:skipped", status.Success},
		{"R09", []fate{job("a", 1, needing()), job("c", 2), job("b", 3, needing())}, "a:success c:success b:success",
			status.Success},
		{"R10", []fate{job("a", 1, canceled, allowed), job("b", 2)}, "a:canceled b:success", status.Success},
		{"R11", []fate{job("a", 1, fails, allowed), job("b", 2, needing("a")),
			job("c", 2, needing("a"), on(status.OnFailure))}, "a:failed b:success c:skipped", status.Success},
		{"R13", []fate{job("a", 1, on(status.Delayed)), job("b", 2)}, "a:scheduled b:created", status.Scheduled},
		{"R14", []fate{job("a", 1), job("b", 2, on(status.ByHand), allowed), job("c", 3)},
			"a:success b:manual c:success", status.Success},
		{"R16", []fate{job("a", 1, fails), job("b", 2, needing())}, "a:failed b:success", status.Failed},
		{"R18", []fate{job("a", 1, on(status.OnFailure)), job("b", 1, on(status.OnFailure))}, "a:skipped b:skipped",
			status.Skipped},
		{"a canceled job skips even those that always run", []fate{job("a", 1, canceled), job("b", 2, on(status.Always))},
			"a:canceled b:skipped", status.Canceled},
		{"needs within a stage, written in the wrong order", []fate{job("b", 1, needing("a")), job("a", 1)},
			"b:success a:success", status.Success},
		{"a need that does not exist does not count", []fate{job("a", 1, needing("gone"))}, "a:success", status.Success},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			jobs, is := run(c.story)
			require.Equal(t, c.jobs, jobs)
			require.Equal(t, c.is, is)
		})
	}
}

// TestComposite: every row of the table of gaps §10.3, and that the first one that fits counts.
func TestComposite(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		jobs string // states; a star says that the job may fail
		is   status.Status
	}{
		{"", status.Created},
		{"skipped", status.Skipped},
		{"skipped manual*", status.Skipped},
		{"success", status.Success},
		{"success skipped failed* manual*", status.Success},
		{"failed*", status.Success},
		{"created failed*", status.Created},
		{"preparing", status.Preparing},
		{"canceled success", status.Canceled},
		{"canceled failed", status.Failed},
		{"pending created skipped", status.Pending},
		{"pending success", status.Running},
		{"running failed", status.Running},
		{"waiting_for_resource created", status.WaitingForResource},
		{"waiting_for_callback created", status.WaitingForCallback},
		{"success manual created", status.Manual},
		{"success scheduled created", status.Scheduled},
		{"success preparing", status.Preparing},
		{"success created", status.Running},
		{"failed canceling", status.Canceling},
		{"running canceling", status.Running},
		{"success failed", status.Failed},
	} {
		var jobs []status.Job
		for _, word := range strings.Fields(c.jobs) {
			state, may := strings.CutSuffix(word, "*")
			require.True(t, slices.Contains(status.All, status.Status(state)), state)
			jobs = append(jobs, status.Job{Status: status.Status(state), AllowFailure: may})
		}
		require.Equal(t, c.is, status.Of(jobs), c.jobs)
	}
}
