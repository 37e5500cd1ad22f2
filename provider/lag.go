package provider

import (
	"context"
	"net/http"
	"sync"
	"time"

	"hew/provider/client"
	"hew/schema"
)

// A host with replicas may answer 404 for a moment below a group or project that this run has just
// created, and two creations of one deploy key at once collide where a later one would join the
// first. Such writes are sent again, after these waits.
var lagWaits = []time.Duration{200 * time.Millisecond, 500 * time.Millisecond, 1300 * time.Millisecond}

// newOwnerPeriod is how long an object counts as new after its creation.
const newOwnerPeriod = 30 * time.Second

// creations are the objects that a provider created, by kind and id.
type creations struct{ times sync.Map }

func creationKey(kind, id string) string { return kind + " " + id }

func (c *creations) add(o schema.Object) {
	if o.ID != "" {
		c.times.Store(creationKey(o.Kind.Name, o.ID), time.Now())
	}
}

// has reports whether the object was created in the last newOwnerPeriod.
func (c *creations) has(kind, id string) bool {
	at, ok := c.times.Load(creationKey(kind, id))
	return ok && time.Since(at.(time.Time)) < newOwnerPeriod
}

// isEarly reports whether a write failed only because the host does not know yet what was written a
// moment ago.
func (w *Write) isEarly(method, template string, err error) bool {
	owner := w.kind.Owner()
	switch {
	case client.IsUnsupported(err):
		return false
	case client.IsConflict(err):
		return w.kind.API.Shared && method == http.MethodPost && template == w.kind.API.Items
	case client.IsNotFound(err) && owner != nil:
		return w.p.created.has(owner.RefKind(), ownerID(w.now))
	}
	return false
}

// patiently calls do, and calls it again after a wait while its error is early.
func patiently(ctx context.Context, do func() error, early func(error) bool) error {
	err := do()
	for _, wait := range lagWaits {
		if err == nil || !early(err) {
			return err
		}
		timer := time.NewTimer(wait)
		select {
		case <-ctx.Done():
			timer.Stop()
			return err
		case <-timer.C:
		}
		err = do()
	}
	return err
}
