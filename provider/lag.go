package provider

import (
	"context"
	"net/http"
	"sync"
	"time"

	"hew/provider/client"
	"hew/schema"
)

// lag is what a provider knows of the delay with which a host shows what was written. A host with
// replicas may answer 404 for a moment below a group or project that this run has just created, and
// two creations of one deploy key at once collide where a later one would join the first. Such
// writes are sent again after waits. It is safe for concurrent use.
type lag struct {
	waits []time.Duration // before the second attempt and those after it
	now   func() time.Time

	mu      sync.Mutex
	created map[creation]time.Time
}

// creation identifies an object that the provider created.
type creation struct{ kind, id string }

func newLag() *lag {
	return &lag{waits: []time.Duration{200 * time.Millisecond, 500 * time.Millisecond, 1300 * time.Millisecond},
		now: time.Now, created: map[creation]time.Time{}}
}

// newOwnerPeriod is how long an object counts as new after its creation.
const newOwnerPeriod = 30 * time.Second

// recordCreation notes that an object was created just now.
func (l *lag) recordCreation(o schema.Object) {
	if o.ID != "" {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.created[creation{o.Kind.Name, o.ID}] = l.now()
	}
}

// isNew reports whether the object was created in the last newOwnerPeriod.
func (l *lag) isNew(kind, id string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	at, ok := l.created[creation{kind, id}]
	return ok && l.now().Sub(at) < newOwnerPeriod
}

// retryLag calls send, and calls it again after each wait while its error is a lag. It returns the
// last error once the waits are used up or ctx ends.
func (l *lag) retryLag(ctx context.Context, send func() error, isLag func(error) bool) error {
	err := send()
	for _, wait := range l.waits {
		if err == nil || !isLag(err) {
			return err
		}
		timer := time.NewTimer(wait)
		select {
		case <-ctx.Done():
			timer.Stop()
			return err
		case <-timer.C:
		}
		err = send()
	}
	return err
}

// isReplicaLag reports whether a write failed only because a replica does not know its new owner
// yet. This holds for updates too: what a new owner has came with it or was created a moment ago.
func (w *Write) isReplicaLag(err error) bool {
	owner := w.kind.Owner()
	return owner != nil && client.IsNotFound(err) && !client.IsUnsupported(err) &&
		w.p.lag.isNew(owner.RefKind(), ownerID(w.now))
}

// isSharedCollision reports whether a creation collided with that of the same object for another
// owner, which it joins when it is sent again.
func (w *Write) isSharedCollision(method, template string, err error) bool {
	return client.IsConflict(err) && !client.IsUnsupported(err) && w.kind.API.Shared &&
		method == http.MethodPost && template == w.kind.API.Items
}
