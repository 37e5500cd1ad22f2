package ledger

import (
	"context"
	"maps"
	"strings"
)

// Open loads the ledger for a run against host, the base URL of its API, and returns it with its
// digester. It binds a new ledger to the host and writes nothing. It fails with the errors of Load
// and Key, with a *HostError or with a *KeyError.
func Open(ctx context.Context, b Backend, host string) (*Ledger, *Digester, error) {
	key, err := b.Key() // first, because it needs no network
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
	if l.KeyFingerprint != "" && !key.hasFingerprint(l.KeyFingerprint) {
		return nil, nil, &KeyError{Missing: key.isNew(), Ledger: l.KeyFingerprint}
	}
	return l, NewDigester(l.Lineage, key), nil
}

// Rebind binds the ledger to another host and to the current digest key. If that key has changed,
// it removes all digests of secrets and returns how many; the next apply then sends these secrets
// again. It holds the ledger's lock meanwhile.
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
	if fingerprint != "" && !key.hasFingerprint(fingerprint) {
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
