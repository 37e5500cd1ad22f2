package ledger

import (
	"context"
	"maps"
	"sync"

	"hew/reconcile/addr"
)

// Memory returns a backend that keeps its ledger in memory, with a random digest key: for tests.
func Memory() Backend {
	return &memoryBackend{stored: newLedger(), key: &Key{text: []byte(randomText(32)), ephemeral: true}}
}

// Ephemeral returns the backend of a run without a ledger: it keeps one in memory. key is the text
// of the digest key; if it is "", the key is random.
func Ephemeral(key string) (Backend, error) {
	if key == "" {
		return Memory(), nil
	}
	k, err := NewKey(key)
	return &memoryBackend{stored: newLedger(), key: k}, err
}

// memoryBackend is a Backend that ends with the process.
type memoryBackend struct {
	mu     sync.Mutex
	stored *Ledger
	key    *Key
	holder *Holder
}

func (m *memoryBackend) Load(ctx context.Context) (*Ledger, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	l := &Ledger{Header: m.stored.Header, Entries: make(map[addr.Instance]Entry, len(m.stored.Entries))}
	for a, e := range m.stored.Entries {
		l.Entries[a] = e.clone()
	}
	return l, nil
}

func (m *memoryBackend) Bind(host, keyFingerprint string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.stored.Host, m.stored.KeyFingerprint = host, keyFingerprint
}

func (m *memoryBackend) Append(_ context.Context, deltas ...Delta) error {
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

func (m *memoryBackend) Compact(context.Context) error { return nil }

func (m *memoryBackend) Lock(ctx context.Context, who string) (func() error, error) {
	return waitForLock(ctx, func() (func() error, error) {
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

func (m *memoryBackend) unlock() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.holder = nil
	return nil
}

func (m *memoryBackend) Key() (*Key, error) { return m.key, nil }

func (m *memoryBackend) Notes() []string { return nil }

func (m *memoryBackend) replace(_ context.Context, l *Ledger) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.stored = &Ledger{Header: l.Header, Entries: maps.Clone(l.Entries)}
	return nil
}
