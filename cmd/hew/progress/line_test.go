package progress

import (
	"bytes"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hew/reconcile"
)

// TestLine: nothing before a second has passed, one line after, with or without events; erased
// before a change or anything else is printed, and in a pause.
func TestLine(t *testing.T) {
	t.Parallel()
	var w bytes.Buffer
	clock := time.Unix(0, 0)
	p := &Line{w: &w, on: true, now: func() time.Time { return clock }, began: clock, started: clock}
	tell := func(reconcile.Event) { w.WriteString("told\n") }
	step := func(d time.Duration, e reconcile.Event) { clock = clock.Add(d); p.Notify(e, tell) }
	beat := func(d time.Duration) { clock = clock.Add(d); p.redraw() }
	says := func(want string) { t.Helper(); require.Equal(t, want, w.String()); w.Reset() }
	const line = "\r\x1b[K"

	beat(900 * time.Millisecond)
	says("")
	beat(time.Second)
	says(line + "Waiting for the ledger and the host, 2s")
	step(0, reconcile.Event{Phase: reconcile.PhaseRead, Done: 1, Total: 40})
	says("")
	step(2*time.Second, reconcile.Event{Phase: reconcile.PhaseRead, Done: 10, Total: 40})
	step(time.Millisecond, reconcile.Event{Phase: reconcile.PhaseRead, Done: 11, Total: 40})
	says(line + "Reading: 10 of 40, 2s")
	p.Print(func() { w.WriteString("silent\n") })
	says(line + "silent\n")
	p.Pause()
	beat(time.Hour)
	says("")

	step(0, reconcile.Event{Phase: reconcile.PhaseApply, Total: 4})
	step(time.Second,
		reconcile.Event{Phase: reconcile.PhaseApply, Done: 1, Total: 4, Ended: true, Err: errors.New("no")})
	says("told\n" + line + "Applying: 1 of 4, about 3s left")
	beat(time.Second)
	step(0, reconcile.Event{Phase: reconcile.PhaseApply, Done: 4, Total: 4, Ended: true})
	says(line + "Applying: 1 of 4, about 6s left" + line + "told\n" + line + "Applying: 4 of 4, 2s")

	p.Pause()
	w.Reset()
	p.on = false
	step(time.Hour, reconcile.Event{Phase: reconcile.PhaseRead, Done: 1, Total: 40})
	says("")
}
