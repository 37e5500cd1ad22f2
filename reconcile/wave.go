package reconcile

import (
	"context"
	"errors"

	"github.com/hashicorp/hcl/v2"

	"hew/reconcile/access"
	"hew/reconcile/config"
	"hew/reconcile/match"
	"hew/schema"
)

// converge alternates between evaluating the configuration and reading the host until neither
// changes anything.
func (r *Run) converge(ctx context.Context) (diags hcl.Diagnostics) {
	w := r.world
	news := w.DrainStale()
	for {
		var res config.Result
		if r.opts.Mode != Destroy {
			if res, diags = r.eval.Run(ctx, r.sources, news...); diags.HasErrors() {
				return diags
			}
			if !r.moved {
				if err := w.Move(res.Moves); err != nil {
					return append(diags, err)
				}
				r.moved = true
			}
		}
		w.Declare(res)
		r.advance()
		for !w.Diagnostics().HasErrors() &&
			(w.WantsReading() || r.sources.StopWaiting(r.advance) || w.StopWaiting(r.advance)) {
			if err := r.read(ctx); err != nil {
				return append(diags, runError("Interrupted", err))
			}
			r.advance()
		}
		if w.Diagnostics().HasErrors() {
			return append(diags, w.Diagnostics()...)
		}
		if news = w.DrainStale(); len(news) == 0 {
			return diags
		}
	}
}

// advance matches and answers everything that it can so far. The wave has the reads that the rest
// needs.
func (r *Run) advance() {
	r.world.BeginWave()
	r.world.MatchAll()
	r.sources.Answer()
	r.world.ReadOrphanOwners()
	r.world.PublishBlocked()
}

// read performs all reads of the wave concurrently.
func (r *Run) read(ctx context.Context) error {
	queries, asks := r.world.Wanted()
	have := r.world.Count()
	r.notify(Event{Phase: PhaseRead, Done: have, Total: have + len(queries) + len(asks)})
	done := make(chan []schema.Reading, 1)
	go func() { done <- r.eng.Provider.Find(ctx, asks) }()
	lists := r.eng.Provider.Read(ctx, queries)
	singles := <-done
	if err := ctx.Err(); err != nil {
		return errors.New("stopped before the plan was complete; nothing was changed")
	}
	r.world.Receive(lists, singles)
	return nil
}

// readDeletions reads what may prevent deletions: whether a stray is a bot, which hew keeps and
// which a list may not show; what the host deletes along with an object; and who still owns a group
// that moves to the top level.
func (r *Run) readDeletions(ctx context.Context) error {
	w := r.world
	for {
		w.ForgetWanted()
		w.ReadContents()
		if r.opts.Undeclared {
			r.builder.RequestNotes()
		}
		if !w.Self.Admin || len(r.cfg.Hew().Guards.RequiredOwners) > 0 {
			w.ReadNewTopLevelMembers()
		}
		unmatched := w.Unmatched()
		for x, s := range w.Claims() {
			objs, _ := w.Strays(x, unmatched)
			if o, ok := access.CreatorMembership(w, x, s); ok {
				objs = append(objs, o)
			}
			for _, o := range objs {
				if w.KeepReason(x.Kind, o) == "" {
					w.Contents(x.Kind, o.ID, match.KeyTitle(o))
				}
			}
		}
		if !w.WantsReading() {
			return nil
		}
		if err := r.read(ctx); err != nil {
			return err
		}
	}
}
