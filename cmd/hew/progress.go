package main

import (
	"fmt"
	"io"
	"sync"
	"time"

	"hew/reconcile"
)

// progress shows on a terminal how far a run is, once it has taken a second.
// It keeps to one line of standard error and takes it back before anything
// else is printed. Events come from several goroutines.
type progress struct {
	mu      sync.Mutex
	w       io.Writer
	on      bool
	now     func() time.Time
	began   time.Time
	phase   reconcile.Phase
	started time.Time // of the phase
	drawn   time.Time
	shown   bool
}

const (
	patience = time.Second
	redraw   = 100 * time.Millisecond
)

func (a *app) progress() *progress {
	return &progress{w: a.err, on: a.tty(a.err), now: a.now, began: a.now()}
}

// notify takes an event. A change that ended is told by speak, never two at a
// time.
func (p *progress) notify(e reconcile.Event, speak func(reconcile.Event)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if e.Phase == reconcile.PhaseApply && e.Ended {
		p.clear()
		speak(e)
	}
	now := p.now()
	if e.Phase != p.phase {
		p.phase, p.started = e.Phase, now
	}
	if !p.on || now.Sub(p.began) < patience || now.Sub(p.drawn) < redraw {
		return
	}
	p.drawn, p.shown = now, true
	fmt.Fprintf(p.w, "\r\x1b[K%s", progressLine(e, now.Sub(p.started)))
}

func (p *progress) done() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.clear()
}

func (p *progress) clear() {
	if p.shown {
		fmt.Fprint(p.w, "\r\x1b[K")
		p.shown, p.drawn = false, time.Time{}
	}
}

var doing = map[reconcile.Phase]string{
	reconcile.PhaseRead: "Reading", reconcile.PhasePlan: "Planning", reconcile.PhaseApply: "Applying",
}

// progressLine says how much is done and, once that means something, how long
// the rest will take at the same pace.
func progressLine(e reconcile.Event, since time.Duration) string {
	line := fmt.Sprintf("%s: %d of %d", doing[e.Phase], e.Done, e.Total)
	if e.Done > 0 && e.Done < e.Total && since >= patience {
		left := since * time.Duration(e.Total-e.Done) / time.Duration(e.Done)
		line += fmt.Sprintf(", about %s left", max(left.Round(time.Second), time.Second))
	}
	return line
}
