package ledger

import (
	"context"
	"time"
)

// Backend stores a ledger. When Append or Compact fails, nothing that was stored is lost; when
// another run has written since Load, they fail with a *StaleError. Backends are safe for
// concurrent use.
type Backend interface {
	// Load returns the stored ledger, or a new one if nothing is stored. It fails with a
	// *DamageError if the ledger is damaged. A last line that a crash cut off is dropped and
	// reported by Notes.
	Load(context.Context) (*Ledger, error)
	// Bind sets the host and the key fingerprint of the header. The next Append stores them, as
	// does Compact if a ledger is stored already. Open and Rebind call it.
	Bind(host, keyFingerprint string)
	// Append makes the changes durable before it returns. Concurrent callers share one flush. It
	// ignores the cancellation of its context: what was done to the host must be recorded.
	Append(context.Context, ...Delta) error
	// Compact rewrites the ledger without its history.
	Compact(context.Context) error
	// Lock keeps other runs out until unlock is called. If another run holds the lock it fails
	// with a *LockedError: at once, or at the deadline of ctx if there is one.
	Lock(ctx context.Context, who string) (unlock func() error, err error)
	// Key returns the digest key. A new key is stored when it is first used.
	Key() (*Key, error)
	// Notes returns what a person should know about the last Load, in sentences.
	Notes() []string
}

// WithLockTimeout returns b with a Lock that waits up to timeout for the lock. It returns b itself
// if timeout is 0 or less.
func WithLockTimeout(b Backend, timeout time.Duration) Backend {
	if timeout <= 0 {
		return b
	}
	return lockTimeout{b, timeout}
}

type lockTimeout struct {
	Backend
	timeout time.Duration
}

func (b lockTimeout) Lock(ctx context.Context, who string) (unlock func() error, err error) {
	ctx, cancel := context.WithTimeout(ctx, b.timeout)
	defer cancel()
	return b.Backend.Lock(ctx, who)
}

// unwrap returns the backend inside WithLockTimeout.
func unwrap(b Backend) Backend {
	for {
		outer, ok := b.(lockTimeout)
		if !ok {
			return b
		}
		b = outer.Backend
	}
}
