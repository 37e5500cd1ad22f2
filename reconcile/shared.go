package reconcile

import (
	"context"
	"slices"
	"sync"

	"hew/reconcile/config"
	"hew/reconcile/ledger"
	"hew/reconcile/match"
	"hew/schema"
)

// Shared is a Provider that several runs share. It reads each collection and each single object
// once, even for concurrent runs. It is for planning; an apply must read again what it has written,
// see [Shared.StopSharing].
type Shared struct {
	Provider
	keep map[string][]string // by kind, the attributes that any run keeps

	mu      sync.Mutex
	reads   map[readKey]*sharedRead
	self    func() (schema.Self, error)
	stopped bool
}

// Share returns a provider to be shared by runs of these configurations.
func Share(p Provider, all ...*config.Config) *Shared {
	s := &Shared{Provider: p, keep: map[string][]string{}, reads: map[readKey]*sharedRead{}}
	s.AddConfigs(all...)
	return s
}

// AddConfigs adds the attributes that more configurations need.
func (s *Shared) AddConfigs(all ...*config.Config) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, cfg := range all {
		for kind, attrs := range match.KeptAttributes(s.Kinds(), cfg, &ledger.Ledger{}) {
			s.keep[kind] = union(s.keep[kind], attrs)
		}
	}
}

// readKey identifies a read of a collection or of a single object.
type readKey struct {
	kind           *schema.Kind
	collection     schema.Collection
	owner, id, key string
}

// sharedRead is a completed or pending read.
type sharedRead struct {
	keep []string
	done chan struct{} // closed when read is set
	read schema.Reading
}

// StopSharing ends the sharing: later reads all go to the host.
func (s *Shared) StopSharing() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stopped = true
}

// Read implements Provider.
func (s *Shared) Read(ctx context.Context, queries []schema.Query) []schema.Reading {
	return share(ctx, s, queries, s.Provider.Read, func(q *schema.Query) (readKey, *[]string) {
		return readKey{kind: q.Kind, collection: q.Collection}, &q.Keep
	})
}

// Find implements Provider.
func (s *Shared) Find(ctx context.Context, asks []schema.Ask) []schema.Reading {
	return share(ctx, s, asks, s.Provider.Find, func(a *schema.Ask) (readKey, *[]string) {
		return readKey{kind: a.Kind, owner: a.Owner, id: a.ID, key: a.Key}, &a.Keep
	})
}

// Self implements Provider.
func (s *Shared) Self(ctx context.Context) (schema.Self, error) {
	s.mu.Lock()
	if s.self == nil {
		s.self = sync.OnceValues(func() (schema.Self, error) { return s.Provider.Self(ctx) })
	}
	self := s.self
	s.mu.Unlock()
	return self()
}

// share returns known readings and reads the rest from the host in one call. about returns the key
// of a question and its list of attributes to keep.
func share[Q any](ctx context.Context, s *Shared, questions []Q, ask func(context.Context, []Q) []schema.Reading,
	about func(*Q) (readKey, *[]string)) []schema.Reading {
	s.mu.Lock()
	if s.stopped {
		s.mu.Unlock()
		return ask(ctx, questions)
	}
	reads := make([]*sharedRead, len(questions))
	var missing []Q
	var fill []*sharedRead
	for i, q := range questions {
		at, keep := about(&q)
		have := s.reads[at]
		if have == nil || !holds(have.keep, *keep) {
			*keep = union(*keep, s.keep[at.kind.Name])
			if have != nil {
				*keep = union(*keep, have.keep)
			}
			have = &sharedRead{keep: *keep, done: make(chan struct{})}
			s.reads[at] = have
			missing, fill = append(missing, q), append(fill, have)
		}
		reads[i] = have
	}
	s.mu.Unlock()
	if len(missing) > 0 {
		for i, r := range ask(ctx, missing) {
			fill[i].read = r
			close(fill[i].done)
		}
	}
	readings := make([]schema.Reading, len(reads))
	for i, have := range reads {
		select {
		case <-have.done:
			readings[i] = have.read.Clone()
		case <-ctx.Done():
			readings[i] = schema.Reading{State: schema.Unreadable, Err: ctx.Err()}
		}
	}
	return readings
}

// holds reports whether kept has all elements of wanted.
func holds(kept, wanted []string) bool {
	for _, w := range wanted {
		if !slices.Contains(kept, w) {
			return false
		}
	}
	return true
}

func union(a, b []string) []string {
	all := slices.Sorted(slices.Values(slices.Concat(a, b)))
	return slices.Compact(all)
}
