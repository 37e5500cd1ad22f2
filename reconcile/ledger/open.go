package ledger

import (
	"context"
	"maps"
	"strings"
)

// Open loads the ledger for a run against host, a base URL, and returns it with
// its digester. A new ledger is bound to the host; nothing is written yet. The
// errors are those of Load and Key, *HostError and *KeyError, all of them before
// the world is read.
func Open(ctx context.Context, b Backend, host string) (*Ledger, *Digester, error) {
	key, err := b.Key() // first, for it needs no network
	if err != nil {
		return nil, nil, err
	}
	l, err := b.Load(ctx)
	if err != nil {
		return nil, nil, err
	}
	host = strings.TrimRight(host, "/")
	switch l.Host {
	case host:
	case "":
		l.Host = host
		b.Bind(host, l.KeyFingerprint)
	default:
		return nil, nil, &HostError{Ledger: l.Host, Run: host}
	}
	if l.KeyFingerprint != "" && !key.is(l.KeyFingerprint) {
		return nil, nil, &KeyError{Missing: key.fresh(), Ledger: l.KeyFingerprint}
	}
	return l, NewDigester(l.Lineage, key), nil
}

// Rebind makes the ledger belong to host from now on, and its secrets to the key
// at hand. Where that is another key than before, it forgets all digests of
// secrets, and returns how many: the next apply sends each of them once more. It
// takes the ledger's lock meanwhile.
func Rebind(ctx context.Context, b Backend, host string) (forgotten int, err error) {
	unlock, err := b.Lock(ctx, "hew ledger rebind")
	if err != nil {
		return 0, err
	}
	defer func() {
		if e := unlock(); err == nil {
			err = e
		}
	}()
	l, err := b.Load(ctx)
	if err != nil {
		return 0, err
	}
	key, err := b.Key()
	if err != nil {
		return 0, err
	}
	fingerprint := l.KeyFingerprint
	var deltas []Delta
	if fingerprint != "" && !key.is(fingerprint) {
		fingerprint = ""
		for _, a := range l.Sorted() {
			e := l.Entries[a]
			kept := maps.Clone(e.Owned)
			maps.DeleteFunc(kept, func(_ string, d Digest) bool { return d.Secret() })
			if n := len(e.Owned) - len(kept); n > 0 {
				forgotten += n
				e.Owned = kept
				deltas = append(deltas, l.Set(a, e))
			}
		}
	}
	b.Bind(strings.TrimRight(host, "/"), fingerprint)
	if err := b.Append(ctx, deltas...); err != nil {
		return 0, err
	}
	return forgotten, b.Compact(ctx)
}
