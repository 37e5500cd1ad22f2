package cli

import (
	"context"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/hashicorp/hcl/v2"

	"hew/reconcile"
	"hew/reconcile/apply"
	"hew/reconcile/plan"
)

// progress shows on a terminal how far a run is, once a piece of work has taken
// a second. It keeps to one line of standard error and takes it back before
// anything else is printed. Events come from several goroutines; where none
// come, the line is drawn every second anew, so that people see it is alive.
type progress struct {
	mu      sync.Mutex
	w       io.Writer
	on      bool
	now     func() time.Time
	resting bool      // between two pieces of work; nothing is drawn
	began   time.Time // the piece of work
	last    reconcile.Event
	started time.Time // the phase of last
	drawn   time.Time
	shown   bool
}

const (
	patience = time.Second
	redraw   = 100 * time.Millisecond
)

// progress begins to watch over a run. It has to be stopped.
func (a *app) progress() (p *progress, stop func()) {
	p = &progress{w: a.err, on: a.together == nil && a.tty(a.err) && !a.logs(), now: a.now, began: a.now(), started: a.now()}
	if !p.on {
		return p, func() {}
	}
	beat, over := time.NewTicker(patience), make(chan struct{})
	go func() {
		for {
			select {
			case <-beat.C:
				p.draw()
			case <-over:
				return
			}
		}
	}()
	return p, func() {
		beat.Stop()
		close(over)
		p.rest()
	}
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
	if p.resting {
		p.resting, p.began = false, p.now()
	}
	if e.Phase != p.last.Phase {
		p.started = p.now()
	}
	p.last = e
	p.line()
}

// directory takes note that one of several directories is done.
func (p *progress) directory(of int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.last = reconcile.Event{Phase: phaseDirectories, Done: p.last.Done + 1, Total: of}
	p.line()
}

func (p *progress) draw() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.line()
}

// rest takes the line back until there is work again.
func (p *progress) rest() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.clear()
	p.resting = true
}

func (p *progress) line() {
	now := p.now()
	if !p.on || p.resting || now.Sub(p.began) < patience || now.Sub(p.drawn) < redraw {
		return
	}
	p.drawn, p.shown = now, true
	fmt.Fprintf(p.w, "\r\x1b[K%s", progressLine(p.last, now.Sub(p.started)))
}

func (p *progress) clear() {
	if p.shown {
		fmt.Fprint(p.w, "\r\x1b[K")
		p.shown, p.drawn = false, time.Time{}
	}
}

// phaseDirectories counts the directories of a run that are done.
const phaseDirectories reconcile.Phase = "directories"

// phasePull counts the groups and projects that are written down.
const phasePull reconcile.Phase = "pull"

var doing = map[reconcile.Phase]string{
	reconcile.PhaseRead: "Reading", phasePull: "Groups and projects", reconcile.PhaseApply: "Applying", phaseDirectories: "Directories",
}

// progressLine says how much is done, and for how long it has been going on or,
// in an apply, how long the rest will take at the same pace. While reading
// nobody knows how much there will be.
func progressLine(e reconcile.Event, since time.Duration) string {
	line := "Waiting for the ledger and the host"
	if e.Phase != "" {
		line = fmt.Sprintf("%s: %d of %d", doing[e.Phase], e.Done, e.Total)
	}
	switch {
	case since < patience:
		return line
	case e.Phase == reconcile.PhaseApply && 0 < e.Done && e.Done < e.Total:
		left := since * time.Duration(e.Total-e.Done) / time.Duration(e.Done)
		return fmt.Sprintf("%s, about %s left", line, max(left.Round(time.Second), time.Second))
	}
	return fmt.Sprintf("%s, %s", line, since.Round(time.Second))
}

// watched is a session whose progress is taken back when a piece of work is
// done, before anybody tells of it.
type watched struct {
	session
	progress *progress
}

func (w watched) Plan(ctx context.Context, o reconcile.Options) (*plan.Plan, hcl.Diagnostics) {
	defer w.progress.rest()
	return w.session.Plan(ctx, o)
}

func (w watched) Outputs(ctx context.Context, name string) (*plan.Plan, hcl.Diagnostics) {
	defer w.progress.rest()
	return w.session.Outputs(ctx, name)
}

func (w watched) Apply(ctx context.Context) (*apply.Outcome, hcl.Diagnostics) {
	defer w.progress.rest()
	return w.session.Apply(ctx)
}
