package jobs

import (
	"context"
	"time"

	"hew/server/fault"
)

// Hold calls keep at an interval until stop is called: it says in a row that this process still
// works on something. The context that Hold returns ends with a not-found fault of keep: another
// process has the work, or the row was removed. Any other error may be over at the next call. Stop
// returns when keep is not being called.
func Hold(
	ctx context.Context, every time.Duration, keep func(context.Context) error,
) (_ context.Context, stop func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		ticks := time.NewTicker(every)
		defer ticks.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-ticks.C:
			}
			if err := keep(ctx); fault.CodeOf(err) == fault.CodeNotFound {
				cancel(err)
			}
		}
	}()
	return ctx, func() {
		cancel(context.Canceled)
		<-ended
	}
}
