package auth

import (
	"context"
	"sync"
	"time"

	"hew/server/people"
)

const (
	fresh = 5 * time.Second // how long a caller is believed without asking the database
	most  = 10_000          // how many are remembered
)

// cache remembers callers by the digest of their token. Whatever changes a user or a token empties his part of it: at
// once in this process, a moment later in the others. The epoch keeps a read that began before such a change from being
// remembered after it.
type cache struct {
	mu      sync.Mutex
	epoch   int
	entries map[[32]byte]entry
}

type entry struct {
	caller Caller
	until  time.Time
	noted  bool // its use was written down, which the caller's own LastUsedAt does not know
}

func newCache() *cache { return &cache{entries: map[[32]byte]entry{}} }

func (c *cache) get(digest [32]byte) (Caller, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.entries[digest]
	return e.caller, ok && time.Now().Before(e.until)
}

// now is the epoch to hand to put.
func (c *cache) now() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.epoch
}

func (c *cache) put(digest [32]byte, caller Caller, epoch int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.epoch != epoch {
		return
	}
	if len(c.entries) >= most {
		clear(c.entries) // rare, cheap to refill, and no attacker gets more than that out of it
	}
	c.entries[digest] = entry{caller: caller, until: time.Now().Add(fresh)}
}

// first says whether the use of a token is the first since its caller was read.
func (c *cache) first(digest [32]byte) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.entries[digest]
	if ok && !e.noted {
		e.noted = true
		c.entries[digest] = e
		return true
	}
	return !ok
}

// forget drops what is known of a user; 0 means everybody.
func (c *cache) forget(userID int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.epoch++
	for digest, e := range c.entries {
		if userID == 0 || e.caller.User.ID == userID {
			delete(c.entries, digest)
		}
	}
}

// use is one use of a token, to be written down; or, with written, the question whether all before it are.
type use struct {
	token   people.Token
	address string
	written chan<- struct{}
}

// note hands a use to Run. It never waits: a use that finds no place is forgotten, the next one will be noted.
func (a *Auth) note(t people.Token, address string) {
	if t.LastUsedAt != nil && time.Since(*t.LastUsedAt) < time.Minute || !a.known.first([32]byte(t.Digest)) {
		return
	}
	select {
	case a.used <- use{token: t, address: address}:
	default:
	}
}

// Run writes down when tokens were used, until the context ends. A failure is handed to report and changes nothing else.
func (a *Auth) Run(ctx context.Context, report func(error)) {
	for {
		select {
		case <-ctx.Done():
			return
		case u := <-a.used:
			if u.written != nil {
				close(u.written)
				continue
			}
			if err := people.TouchToken(ctx, a.store, u.token, u.address); err != nil && ctx.Err() == nil {
				report(err)
			}
		}
	}
}

// Settle waits until the uses that were noted so far are written down. It needs Run.
func (a *Auth) Settle(ctx context.Context) error {
	written := make(chan struct{})
	select {
	case a.used <- use{written: written}:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	select {
	case <-written:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
