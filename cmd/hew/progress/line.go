// Package progress shows on a terminal how far a run is.
package progress

import (
	"fmt"
	"io"
	"sync"
	"time"

	"hew/reconcile"
)

// The phases that reconcile does not know.
const (
	Directories reconcile.Phase = "directories" // counts directories of a run that are done
	Pull        reconcile.Phase = "pull"        // counts groups and projects that hew pull has written
)

const (
	delay    = time.Second // before the line appears, and between redraws without an event
	interval = 100 * time.Millisecond
)

// Line is one line of a terminal that shows how far a run is, once a piece of work has taken a
// second. It is erased before anything else is printed. It is safe for concurrent use. Without
// events it is redrawn every second, which shows that the run is alive.
type Line struct {
	mu      sync.Mutex
	w       io.Writer
	on      bool
	now     func() time.Time
	paused  bool      // between two pieces of work; nothing is drawn
	began   time.Time // the piece of work
	last    reconcile.Event
	started time.Time // the phase of last
	drawn   time.Time
	shown   bool
}

// Off returns a line that is never drawn.
func Off(now func() time.Time) *Line { return &Line{now: now} }

// Start returns a line that is drawn on w until stop is called.
func Start(w io.Writer, now func() time.Time) (l *Line, stop func()) {
	l = &Line{w: w, on: true, now: now, began: now(), started: now()}
	tick, ended := time.NewTicker(delay), make(chan struct{})
	go func() {
		for {
			select {
			case <-tick.C:
				l.redraw()
			case <-ended:
				return
			}
		}
	}()
	return l, func() {
		tick.Stop()
		close(ended)
		l.Pause()
	}
}

// Notify shows an event. For a change that has ended it calls print, never two at a time, with the
// line erased.
func (l *Line) Notify(e reconcile.Event, print func(reconcile.Event)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if e.Phase == reconcile.PhaseApply && e.Ended {
		l.erase()
		print(e)
	}
	if l.paused {
		l.paused, l.began = false, l.now()
	}
	if e.Phase != l.last.Phase {
		l.started = l.now()
	}
	l.last = e
	l.draw()
}

// CountDirectory counts one more of several directories as done.
func (l *Line) CountDirectory(total int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.last = reconcile.Event{Phase: Directories, Done: l.last.Done + 1, Total: total}
	l.draw()
}

// Print calls print with the line erased.
func (l *Line) Print(print func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.erase()
	print()
}

// Pause erases the line until the next event.
func (l *Line) Pause() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.erase()
	l.paused = true
}

func (l *Line) redraw() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.draw()
}

func (l *Line) draw() {
	now := l.now()
	if !l.on || l.paused || now.Sub(l.began) < delay || now.Sub(l.drawn) < interval {
		return
	}
	l.drawn, l.shown = now, true
	fmt.Fprintf(l.w, "\r\x1b[K%s", describe(l.last, now.Sub(l.started)))
}

func (l *Line) erase() {
	if l.shown {
		fmt.Fprint(l.w, "\r\x1b[K")
		l.shown, l.drawn = false, time.Time{}
	}
}

var phaseTitles = map[reconcile.Phase]string{
	reconcile.PhaseRead: "Reading", Pull: "Groups and projects", reconcile.PhaseApply: "Applying",
	Directories: "Directories",
}

// describe returns how much of a phase is done, and its duration or, in an apply, the time that the
// rest will take at the same pace. While reading, the total still grows.
func describe(e reconcile.Event, since time.Duration) string {
	line := "Waiting for the ledger and the host"
	if e.Phase != "" {
		line = fmt.Sprintf("%s: %d of %d", phaseTitles[e.Phase], e.Done, e.Total)
	}
	switch {
	case since < delay:
		return line
	case e.Phase == reconcile.PhaseApply && 0 < e.Done && e.Done < e.Total:
		left := since * time.Duration(e.Total-e.Done) / time.Duration(e.Done)
		return fmt.Sprintf("%s, about %s left", line, max(left.Round(time.Second), time.Second))
	}
	return fmt.Sprintf("%s, %s", line, since.Round(time.Second))
}
