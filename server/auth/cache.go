package auth

import (
	"context"
	"sync"
	"time"

	"hew/server/people"
)

const (
	cacheTTL   = 5 * time.Second // how long a caller is used without asking the database
	cacheLimit = 10_000          // callers that are kept
)

// callerCache keeps callers by the digest of their token. A change of a user or a token drops the
// entries of that user: at once in this process, a moment later in others. Each drop begins a new
// epoch, so that what was read before a change is not stored after it.
type callerCache struct {
	mu      sync.Mutex
	epoch   int
	entries map[[32]byte]cacheEntry
}

type cacheEntry struct {
	caller  Caller
	expires time.Time
	used    bool // its use was recorded, which is newer than caller.Token.LastUsedAt
}

func newCache() *callerCache { return &callerCache{entries: map[[32]byte]cacheEntry{}} }

func (c *callerCache) get(digest [32]byte) (Caller, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.entries[digest]
	return e.caller, ok && time.Now().Before(e.expires)
}

// currentEpoch returns the epoch to pass to put.
func (c *callerCache) currentEpoch() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.epoch
}

func (c *callerCache) put(digest [32]byte, caller Caller, epoch int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.epoch != epoch {
		return
	}
	if len(c.entries) >= cacheLimit {
		clear(c.entries) // rare, and cheap to fill again
	}
	c.entries[digest] = cacheEntry{caller: caller, expires: time.Now().Add(cacheTTL)}
}

// firstUse reports whether this is the first use of a token since its caller was read.
func (c *callerCache) firstUse(digest [32]byte) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.entries[digest]
	if ok && !e.used {
		e.used = true
		c.entries[digest] = e
		return true
	}
	return !ok
}

// forget drops the entries of a user, or all of them for 0.
func (c *callerCache) forget(userID int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.epoch++
	for digest, e := range c.entries {
		if userID == 0 || e.caller.User.ID == userID {
			delete(c.entries, digest)
		}
	}
}

// tokenUse is a use of a token that Run records. One with recorded has no token: Run closes the
// channel when all uses before it are recorded.
type tokenUse struct {
	token    people.Token
	address  string
	recorded chan<- struct{}
}

// recordUse hands a use to Run. It does not wait: if the queue is full, the use is dropped, and a
// later one is recorded.
func (a *Auth) recordUse(t people.Token, address string) {
	if t.LastUsedAt != nil && time.Since(*t.LastUsedAt) < time.Minute || !a.cache.firstUse([32]byte(t.Digest)) {
		return
	}
	select {
	case a.uses <- tokenUse{token: t, address: address}:
	default:
	}
}

// Run records when tokens were used, until the context ends. It passes errors to report and goes
// on.
func (a *Auth) Run(ctx context.Context, report func(error)) {
	for {
		select {
		case <-ctx.Done():
			return
		case u := <-a.uses:
			if u.recorded != nil {
				close(u.recorded)
				continue
			}
			if err := people.TouchToken(ctx, a.store, u.token, u.address); err != nil && ctx.Err() == nil {
				report(err)
			}
		}
	}
}

// Settle waits until all uses so far are recorded. Run must be running.
func (a *Auth) Settle(ctx context.Context) error {
	recorded := make(chan struct{})
	select {
	case a.uses <- tokenUse{recorded: recorded}:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	select {
	case <-recorded:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
