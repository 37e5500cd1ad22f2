package cli

import (
	"crypto/sha256"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/reconcile/report/reporttest"
	"hew/testacc/notes"
)

// TestCommentRaces: of runs at once each may create a note, and one stays.
func TestCommentRaces(t *testing.T) {
	t.Parallel()
	const runs = 5
	d, host := newDesk(t)
	d.Meet(runs)
	var wait sync.WaitGroup
	for i := range runs {
		wait.Go(func() {
			code, _, errs := proposed(
				t, reporttest.Plans["sample"], job(host, fmt.Sprint("CI_PIPELINE_ID=", i+1)), "-comment",
			)
			require.Zero(t, code, errs)
		})
	}
	wait.Wait()
	require.Len(t, d.On(12, notes.Bot), 1)
	require.EqualValues(t, 3, d.On(12, notes.Bot)[0].ID)
	require.Contains(t, d.On(12, notes.Bot)[0].Body, fmt.Sprint("pipeline ", runs), "the newest is told")
	require.Len(t, d.On(12, 0), 3)
}

// ownMark is the last line of the note of a plan of one directory, from a pipeline or, for 0, from
// none.
func ownMark(run int64) string {
	key := sha256.Sum256(nil)
	mark := fmt.Sprintf("<!-- hew plan %x", key[:16])
	if run > 0 {
		mark += fmt.Sprint(" ", run)
	}
	return mark + " -->"
}

// TestCommentMends: what goes wrong on the way leaves one note.
func TestCommentMends(t *testing.T) {
	t.Parallel()
	quiet := "### hew plan\n\nNo changes.\n\n" + ownMark(0)
	for name, c := range map[string]struct {
		before func(d *notes.Host)
		want   string
	}{
		"the answer is lost": {func(d *notes.Host) { d.Lose() }, "POST 3"},
		"two are left by runs that ended": {func(d *notes.Host) {
			d.Add(12, notes.Bot, quiet)
			d.Add(12, notes.Bot,
				quiet)
		}, "PUT 3; DELETE 4"},
		"somebody copied the mark": {func(d *notes.Host) { d.Add(12, notes.Person, quiet) }, "POST 4"},
		"hew itself quotes the mark": {func(d *notes.Host) {
			d.Add(12, notes.Bot,
				"### hew plan\n\n- `x "+ownMark(0)+"`")
		}, "POST 4"},
		"somebody quotes the note": {func(d *notes.Host) {
			d.Add(12, notes.Bot, "> "+strings.ReplaceAll(quiet, "\n", "\n> ")+"\n\nIs that so?")
		}, "POST 4"},
		"the quote ends with the mark": {func(d *notes.Host) { d.Add(12, notes.Bot, "I have seen this:\n"+quiet) },
			"POST 4"},
		"the answer is below a copy": {func(d *notes.Host) {
			d.Add(12, notes.Bot, quiet)
			d.Add(12, notes.Bot,
				quiet+"\nMy reply.")
		}, "PUT 3"},
		"it is of an earlier pipeline": {func(d *notes.Host) {
			d.Add(12, notes.Bot,
				"### hew plan: `x`\n"+ownMark(344))
		}, "PUT 3"},
		"the pipeline runs once more": {func(d *notes.Host) {
			d.Add(12, notes.Bot, "### hew plan\n"+ownMark(345))
			d.Add(12, notes.Bot, "### hew plan\n"+ownMark(344))
		}, "PUT 3; DELETE 4"},
		"it is of another configuration": {func(d *notes.Host) {
			d.Add(12, notes.Bot, "### hew plan\n"+strings.Replace(ownMark(0), " -->", "0 -->", 1))
		}, "POST 4"},
		"it is of something else": {func(d *notes.Host) {
			d.Add(12, notes.Bot,
				"### hew planning\n"+ownMark(0))
		}, "POST 4"},
		"it is deleted while it is looked at": {func(d *notes.Host) { d.Vanish(d.Add(12, notes.Bot, quiet)) },
			"PUT 3; POST 4"},
		"what the host says of itself": {func(d *notes.Host) { d.AddSystem(12, quiet) }, "POST 4"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d, host := newDesk(t)
			c.before(d)
			code, _, errs := proposed(t, reporttest.Plans["sample"], job(host), "-comment", "-chdir="+t.TempDir())
			require.Zero(t, code, errs)
			require.Equal(t, c.want, d.Written())
		})
	}
}

// TestCommentOfAnOlderPipeline: an older pipeline does not overwrite the note of a
// newer one, whichever created it, and says that it is late. A run without a
// pipeline is a run by hand and never late.
func TestCommentOfAnOlderPipeline(t *testing.T) {
	t.Parallel()
	of := func(run int64) string { return "### hew plan\n" + ownMark(run) }
	for name, c := range map[string]struct {
		notes []int64 // the pipelines that wrote them
		more  string
		want  string
		late  bool
	}{
		"the note is of a newer one":      {[]int64{346}, "", "", true},
		"it has created one, too":         {[]int64{346, 345}, "", "DELETE 4", true},
		"the newer one is about to write": {[]int64{344, 346, 343}, "", "DELETE 5", true},
		"it is by hand":                   {[]int64{346}, "CI_PIPELINE_ID=", "PUT 3", false},
		"numbers are no texts":            {[]int64{9}, "", "PUT 3", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d, host := newDesk(t)
			for _, run := range c.notes {
				d.Add(12, notes.Bot, of(run))
			}
			code, out, errs := proposed(
				t, reporttest.Plans["sample"], job(host, c.more), "-comment", "-chdir="+t.TempDir(),
			)
			require.Zero(t, code, errs)
			require.Contains(t, out, "Plan: 1 to create")
			require.Equal(t, c.want, d.Written())
			require.Equal(t, c.late,
				strings.Contains(errs, "The note on acme/infra!12 was not changed, because pipeline 346 has written "+
					"it, which is newer than this one, 345."), errs)
		})
	}
}
