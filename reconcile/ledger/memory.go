package ledger

import (
	"context"
	"maps"
	"slices"
	"sync"

	"hew/reconcile/addr"
)

// Memory keeps a ledger for as long as it is referred to: for tests, and for
// runs that are to have none. Its digest key is random.
func Memory() Backend {
	return &memory{stored: newLedger(), key: &Key{text: []byte(random(32)), passing: true}}
}

// Unkept is the ledger of a run that is to have none. Its digest key is the one
// that text spells, or a random one for "".
func Unkept(key string) (Backend, error) {
	m := &memory{stored: newLedger(), key: &Key{text: []byte(random(32)), passing: true}}
	if key == "" {
		return m, nil
	}
	var err error
	m.key, err = NewKey(key)
	return m, err
}

type memory struct {
	mu     sync.Mutex
	stored *Ledger
	key    *Key
	holder *Holder
}

func (m *memory) Load(ctx context.Context) (*Ledger, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	s := m.stored
	l := &Ledger{Format: s.Format, Host: s.Host, Lineage: s.Lineage, KeyFingerprint: s.KeyFingerprint, Serial: s.Serial,
		Entries: make(map[addr.Instance]Entry, len(s.Entries))}
	for a, e := range s.Entries {
		l.Entries[a] = e.clone()
	}
	return l, nil
}

func (e Entry) clone() Entry {
	e.Owned, e.Needs = maps.Clone(e.Owned), slices.Clone(e.Needs)
	return e
}

func (m *memory) Bind(host, keyFingerprint string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.stored.Host, m.stored.KeyFingerprint = host, keyFingerprint
}

func (m *memory) Append(_ context.Context, deltas ...Delta) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.key.used.Load() {
		m.stored.KeyFingerprint = m.key.fingerprint()
	}
	for _, d := range deltas {
		if d.Entry == nil {
			delete(m.stored.Entries, d.Addr)
		} else {
			m.stored.Entries[d.Addr] = d.Entry.clone()
		}
		m.stored.Serial++
	}
	return nil
}

func (m *memory) Compact(context.Context) error { return nil }

func (m *memory) Lock(ctx context.Context, who string) (func() error, error) {
	return await(ctx, func() (func() error, error) {
		m.mu.Lock()
		defer m.mu.Unlock()
		if m.holder != nil {
			return nil, &LockedError{Where: "in memory", Holder: *m.holder}
		}
		h := newHolder(who)
		m.holder = &h
		return m.unlock, nil
	})
}

func (m *memory) unlock() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.holder = nil
	return nil
}

func (m *memory) Key() (*Key, error) { return m.key, nil }

func (m *memory) Notes() []string { return nil }

func (m *memory) replace(_ context.Context, l *Ledger) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.stored = &Ledger{Format: l.Format, Host: l.Host, Lineage: l.Lineage, KeyFingerprint: l.KeyFingerprint, Serial: l.Serial,
		Entries: maps.Clone(l.Entries)}
	return nil
}
