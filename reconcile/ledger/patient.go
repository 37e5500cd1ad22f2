package ledger

import (
	"context"
	"time"
)

// Patient is the same backend, whose Lock waits that long for whoever holds it.
// A wait of 0 or less gives b itself, which does not wait.
func Patient(b Backend, wait time.Duration) Backend {
	if wait <= 0 {
		return b
	}
	return patient{b, wait}
}

type patient struct {
	Backend
	wait time.Duration
}

func (p patient) Lock(ctx context.Context, who string) (unlock func() error, err error) {
	ctx, cancel := context.WithTimeout(ctx, p.wait) // a deadline is what makes it wait
	defer cancel()
	return p.Backend.Lock(ctx, who)
}
