package status_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/ci/status"
)

// composite says the table of gaps §10.3 once more, row by row, over words.
func composite(jobs []status.Job) string {
	words := map[string]bool{}
	for _, j := range jobs {
		word := string(j.Status)
		if j.AllowFailure {
			switch word {
			case "failed", "canceled":
				word = "warning"
			case "manual":
				word = "ignored"
			}
		}
		words[word] = true
	}
	only := func(list string) bool {
		for word := range words {
			if !slices.Contains(strings.Fields(list), word) {
				return false
			}
		}
		return true
	}
	if len(words) == 0 {
		return "created"
	}
	if only("skipped ignored") {
		return "skipped"
	}
	if only("success skipped warning ignored") {
		return "success"
	}
	if only("created warning ignored") {
		return "created"
	}
	if only("preparing warning ignored") {
		return "preparing"
	}
	if only("canceled success skipped warning ignored") {
		return "canceled"
	}
	if only("pending created skipped warning ignored") {
		return "pending"
	}
	if words["running"] || words["pending"] {
		return "running"
	}
	for _, word := range strings.Fields("waiting_for_resource waiting_for_callback manual scheduled preparing") {
		if words[word] {
			return word
		}
	}
	if words["created"] {
		return "running"
	}
	if words["canceling"] {
		return "canceling"
	}
	return "failed"
}

// next says what CI facts §2.2 says of one created job, with all others as they are.
func next(jobs []status.Job, j status.Job) string {
	var before []status.Job
	unfinished, skipped := false, false
	for _, other := range jobs {
		if !j.ByNeeds {
			if other.Stage < j.Stage {
				before = append(before, other)
			}
			continue
		}
		if slices.Contains(j.Needs, other.Name) {
			before = append(before, other)
			ignored := other.Status == "manual" && other.AllowFailure
			switch {
			case other.Status == "skipped" || ignored:
				skipped = true
			case !slices.Contains(strings.Fields("success failed canceled"), string(other.Status)):
				unfinished = true
			}
		}
	}
	outcome := composite(before)
	if len(before) == 0 {
		outcome = "success"
	}
	if j.ByNeeds && skipped {
		outcome = "skipped"
	} else if unfinished {
		return "created"
	}
	starts := ""
	switch outcome {
	case "success":
		starts = "on_success manual delayed always"
	case "failed":
		starts = "on_failure always"
	case "skipped":
		starts = "on_success manual delayed always"
		if j.ByNeeds {
			starts = "always"
		}
	case "canceled":
	default:
		return "created"
	}
	if !slices.Contains(strings.Fields(starts), string(j.When)) {
		return "skipped"
	}
	switch {
	case j.When == "manual":
		return "manual"
	case j.When == "delayed":
		return "scheduled"
	case j.Exclusive:
		return "waiting_for_resource"
	}
	return "pending"
}

// process decides about one job at a time, in any order, until nothing changes.
func process(r *rand.Rand, jobs []status.Job) {
	for again := true; again; {
		again = false
		for _, n := range r.Perm(len(jobs)) {
			if jobs[n].Status != status.Created {
				continue
			}
			if to := next(jobs, jobs[n]); to != "created" {
				jobs[n].Status, again = status.Status(to), true
			}
		}
	}
}

// randomJobs returns up to nine jobs in up to four stages. A job needs only those before it in one
// order, so that no two wait for each other; they come in another order.
func randomJobs(r *rand.Rand) []status.Job {
	jobs := make([]status.Job, 1+r.IntN(9))
	whens := []status.When{
		status.OnSuccess, status.OnSuccess, status.OnFailure, status.Always, status.ByHand, status.Delayed,
	}
	for n := range jobs {
		j := &jobs[n]
		j.Name, j.Stage, j.Status = fmt.Sprint("j", n), r.IntN(4), status.Created
		j.When, j.AllowFailure, j.Exclusive = whens[r.IntN(len(whens))], r.IntN(3) == 0, r.IntN(8) == 0
		if r.IntN(3) == 0 {
			j.Status = status.All[r.IntN(len(status.All))]
		}
		if j.ByNeeds = r.IntN(2) == 0; !j.ByNeeds {
			continue
		}
		if r.IntN(10) == 0 {
			j.Needs = append(j.Needs, "gone")
		}
		for k := range n {
			if r.IntN(4) == 0 && jobs[k].Stage <= j.Stage {
				j.Needs = append(j.Needs, jobs[k].Name)
			}
		}
	}
	r.Shuffle(len(jobs), func(a, b int) { jobs[a], jobs[b] = jobs[b], jobs[a] })
	return jobs
}

// TestOracle plays 10,000 random pipelines to their ends beside an implementation that follows the
// facts word by word.
func TestOracle(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(21, 2))
	ends := []status.Status{status.Success, status.Success, status.Failed, status.Canceled, status.Running}
	seen := map[status.Status]int{}
	for range 10_000 {
		jobs := randomJobs(r)
		first := slices.Clone(jobs)
		for range 20 {
			want := slices.Clone(jobs)
			process(r, want)
			was := slices.Clone(jobs)
			changed := status.Process(jobs)
			require.Equal(t, want, jobs, "of %+v", first)
			for n := range jobs {
				require.Equal(t, was[n].Status != jobs[n].Status, slices.Contains(changed, n))
			}
			require.Equal(t, composite(jobs), string(status.Of(jobs)), "of %+v", jobs)
			moved := false
			for n := range jobs { // some of those that can go on do
				if jobs[n].Status.Cancelable() && jobs[n].Status != status.Created && r.IntN(2) == 0 {
					jobs[n].Status, moved = ends[r.IntN(len(ends))], true
				}
			}
			if !moved && len(changed) == 0 {
				break
			}
		}
		seen[status.Of(jobs)]++
	}
	for _, s := range []status.Status{status.Success, status.Failed, status.Canceled, status.Skipped, status.Running} {
		require.Greater(t, seen[s], 50, "pipelines that come to %s", s)
	}
}
