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

// Shared is a host whose answers several runs share: each collection and each
// single object is read once, whoever asks, also where two ask at the same time.
// It is for runs that plan; an apply has to read anew what it has written, see
// [Shared.Through].
type Shared struct {
	Provider
	keep map[string][]string // by kind, what all runs want to hold together

	mu      sync.Mutex
	shelves map[shelfKey]*shelf
	self    func() (schema.Self, error)
	through bool
}

// Share returns a host whose answers are shared by runs of these configurations.
func Share(p Provider, all ...*config.Config) *Shared {
	s := &Shared{Provider: p, keep: map[string][]string{}, shelves: map[shelfKey]*shelf{}}
	s.Join(all...)
	return s
}

// Join makes room for what more configurations want to know.
func (s *Shared) Join(all ...*config.Config) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, cfg := range all {
		for kind, attrs := range match.KeptAttributes(s.Kinds(), cfg, &ledger.Ledger{}) {
			s.keep[kind] = union(s.keep[kind], attrs)
		}
	}
}

// shelfKey says what was asked: a collection, or a single object.
type shelfKey struct {
	kind           *schema.Kind
	collection     schema.Collection
	owner, id, key string
}

// shelf is an answer, or one that is on its way.
type shelf struct {
	keep []string
	done chan struct{} // closed when reading is there
	read schema.Reading
}

// Through ends the sharing: from now on every question goes to the host.
func (s *Shared) Through() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.through = true
}

// Read implements Provider.
func (s *Shared) Read(ctx context.Context, queries []schema.Query) []schema.Reading {
	return share(ctx, s, queries, s.Provider.Read, func(q *schema.Query) (shelfKey, *[]string) {
		return shelfKey{kind: q.Kind, collection: q.Collection}, &q.Keep
	})
}

// Find implements Provider.
func (s *Shared) Find(ctx context.Context, asks []schema.Ask) []schema.Reading {
	return share(ctx, s, asks, s.Provider.Find, func(a *schema.Ask) (shelfKey, *[]string) {
		return shelfKey{kind: a.Kind, owner: a.Owner, id: a.ID, key: a.Key}, &a.Keep
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

// share answers questions from the shelves and asks the host for the rest, in
// one go. about is what a question asks for and the attributes that it keeps.
func share[Q any](ctx context.Context, s *Shared, questions []Q, ask func(context.Context, []Q) []schema.Reading,
	about func(*Q) (shelfKey, *[]string)) []schema.Reading {
	s.mu.Lock()
	if s.through {
		s.mu.Unlock()
		return ask(ctx, questions)
	}
	shelves := make([]*shelf, len(questions))
	var missing []Q
	var fill []*shelf
	for i, q := range questions {
		at, keep := about(&q)
		have := s.shelves[at]
		if have == nil || !holds(have.keep, *keep) {
			*keep = union(*keep, s.keep[at.kind.Name])
			if have != nil {
				*keep = union(*keep, have.keep)
			}
			have = &shelf{keep: *keep, done: make(chan struct{})}
			s.shelves[at] = have
			missing, fill = append(missing, q), append(fill, have)
		}
		shelves[i] = have
	}
	s.mu.Unlock()
	if len(missing) > 0 {
		for i, r := range ask(ctx, missing) {
			fill[i].read = r
			close(fill[i].done)
		}
	}
	readings := make([]schema.Reading, len(shelves))
	for i, have := range shelves {
		select {
		case <-have.done:
			readings[i] = have.read.Clone()
		case <-ctx.Done():
			readings[i] = schema.Reading{State: schema.Unreadable, Err: ctx.Err()}
		}
	}
	return readings
}

// holds reports whether all of wanted is kept.
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
