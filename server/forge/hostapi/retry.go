package hostapi

import (
	"cmp"
	"context"
	"errors"
	"time"
)

// tries is how often something is asked for.
const tries = 3

// Pause waits before a request is repeated. It returns the error of a context that ends first. Nil
// waits by a timer.
type Pause func(context.Context, time.Duration) error

func (p Pause) wait(ctx context.Context, d time.Duration) error {
	if p != nil {
		return p(ctx, d)
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

// Retry calls try until it succeeds, or fails with another error than UnavailableError, at most
// three times.
func Retry[T any](ctx context.Context, pause Pause, try func() (T, error)) (answer T, err error) {
	for n := range tries {
		if n > 0 {
			if err := pause.wait(ctx, time.Second<<(2*n-2)); err != nil { // 1 s, 4 s
				return answer, err
			}
		}
		var again *UnavailableError
		if answer, err = try(); !errors.As(err, &again) || ctx.Err() != nil {
			return answer, cmp.Or(ctx.Err(), err)
		}
	}
	return answer, err
}
