package plan

import (
	"slices"

	"github.com/zclconf/go-cty/cty"

	"hew/reconcile/config"
	"hew/reconcile/ledger"
	"hew/schema"
)

// Digester computes the digests of canonical values that the ledger stores.
type Digester interface {
	Plain(canonical string) ledger.Digest
	Secret(canonical string) ledger.Digest
	Matches(old ledger.Digest, canonical string) bool
}

// digestOf returns the digest of an attribute's value. Digests of secrets are keyed, so that nobody
// can test guesses against the ledger.
func digestOf(d Digester, a *schema.Attr, v cty.Value) ledger.Digest {
	text, secret := a.Digested(v)
	if secret {
		return d.Secret(text)
	}
	return d.Plain(text)
}

// Differ compares declared objects with live ones, attribute by attribute.
type Differ struct {
	Digester Digester
	// FormerID returns the id that a declared object had until somebody deleted it by hand, or "".
	// It can be nil.
	FormerID func(kind string, r *schema.Ref) string
}

// Diff returns the differences between a declared and a live object. The ledger entry, nil for an
// unmanaged object, determines their causes. Diff compares only declared attributes and those that
// hew has set before.
func (d Differ) Diff(want *config.Desired, live schema.Object, entry *ledger.Entry) []PathChange {
	var paths []PathChange
	owner := want.Object.Kind.Owner()
	for a, v := range want.Object.Value.All() {
		if whole, _ := ignores(want, a); whole || v.IsNull() || a.Mode == schema.Computed || !a.Lasting() {
			continue
		}
		if _, ok := live.Value.Get(a.Name); a == owner && !ok {
			continue // it was found in this owner's collection
		}
		if p, differs := d.diffAttr(want, a, v, live, entry); differs {
			paths = append(paths, p)
		}
	}
	paths = append(paths, diffUsual(want, live, paths)...)
	if entry != nil {
		paths = append(append(paths, d.diffOwnerRemoval(want, live, entry)...), d.diffDropped(want, live, entry)...)
	}
	return paths
}

// diffAttr compares one declared attribute.
func (d Differ) diffAttr(of *config.Desired, a *schema.Attr, stated cty.Value, live schema.Object,
	entry *ledger.Entry) (PathChange, bool) {
	want := KeepIgnored(of, a, stated, live)
	p := PathChange{Attr: a, Before: live.Get(a.Name), After: want, Cause: Unknown}
	_, readable := live.Value.Get(a.Name)
	readable = readable && (!a.IsSecret() || a.Readable())
	var last ledger.Digest
	if entry != nil {
		last = entry.Owned[a.Name]
	}
	shown, have, all := a.Shown(want, live.Told(a.Name, want))
	agrees := readable && a.Equal(shown, have)
	if agrees && (all || a.ForceNew && last == "" ||
		last != "" && d.wasApplied(last, a, withoutIgnored(of, a, stated))) {
		return p, false // the part that the host does not show is presumably unchanged
	}
	p.Before = hideSecrets(a, have, want, last)
	if schema.IsSpent(want) && last != "" {
		return p, false // the value sent earlier is still there
	}
	if !a.Known(want) {
		p.Note = "known after apply"
		p.Cause = ByConfig
		if last != "" && d.wasApplied(last, a, d.formerValue(a, withoutIgnored(of, a, stated))) {
			p.Cause = ByDrift
		}
		return p, true
	}
	if entry == nil {
		if !readable || agrees {
			p.Note = "not readable"
		}
		return p, true
	}
	owned := last != ""
	moved := !d.wasApplied(last, a, withoutIgnored(of, a, stated))
	switch {
	case !readable && !moved:
		return p, false // the host does not show it, and the declared value is unchanged
	case !readable:
		p.Cause = ByConfig
		if owned {
			p.Note = "changed"
		}
	case !owned:
		p.Cause = ByConfig // the attribute is newly declared
	case agrees:
		p.Cause, p.Note = ByConfig, "changed where the host does not show it"
	case a.Veiled():
		p.Cause = causeOf(moved, !moved) // there are no digests of parts
		p.Kept = d.keptKeys(a, want, live.Get(a.Name), last)
	default:
		p.Cause = causeOf(moved, !d.wasApplied(last, a, withoutIgnored(of, a, p.Before)))
	}
	return p, true
}

// hideSecrets returns a live value with secrets marked. A value that was secret, or becomes secret,
// may still be on the host as part of a string.
func hideSecrets(a *schema.Attr, have, want cty.Value, last ledger.Digest) cty.Value {
	if have == cty.NilVal || have.IsNull() || !have.IsKnown() {
		return have
	}
	if !a.Partial() {
		if schema.IsSecret(want) || last.Secret() && !a.Veiled() {
			return have.Mark(schema.Secret)
		}
		return have
	}
	bare, marks := have.Unmark()
	keys, all := bare.AsValueMap(), want.HasMark(schema.Secret)
	for key, v := range keys {
		if to := valueAt(want, cty.GetAttrStep{Name: key}); all || to != cty.NilVal && schema.IsSecret(to) {
			keys[key] = v.Mark(schema.Secret)
		}
	}
	return cty.ObjectVal(keys).WithMarks(marks)
}

// wasApplied reports whether a value is the last applied one.
func (d Differ) wasApplied(last ledger.Digest, a *schema.Attr, v cty.Value) bool {
	text, _ := a.Digested(v)
	return d.Digester.Matches(last, text)
}

func causeOf(config, drift bool) Cause {
	switch {
	case config && drift:
		return ByBoth
	case config:
		return ByConfig
	case drift:
		return ByDrift
	}
	return Unknown
}

// Created returns the declared attributes of an object that does not exist yet.
func Created(want *config.Desired) []PathChange {
	paths := make([]PathChange, 0, want.Object.Value.Len())
	for a, v := range want.Object.Value.All() {
		if v.IsNull() || a.Mode == schema.Computed {
			continue
		}
		p := PathChange{Attr: a, Before: cty.NullVal(a.Type), After: v, Cause: ByConfig}
		if !a.Known(v) {
			p.Note = "known after apply"
		}
		paths = append(paths, p)
	}
	return paths
}

// Own returns the digests of all declared attributes for the ledger, without the ignored parts.
// Unknown values have no digest.
func (d Differ) Own(of *config.Desired, want schema.Object) map[string]ledger.Digest {
	owned := make(map[string]ledger.Digest, want.Value.Len())
	for a, v := range want.Value.All() {
		if v = withoutIgnored(of, a, v); !v.IsNull() && a.Mode != schema.Computed && a.Known(v) {
			owned[a.Name] = digestOf(d.Digester, a, v)
		}
	}
	return owned
}

// Replaces reports whether any difference requires replacement.
func Replaces(paths []PathChange) bool {
	return slices.ContainsFunc(paths, func(p PathChange) bool { return p.Attr.ForceNew })
}

// Names returns the attribute names of the differences.
func Names(paths []PathChange) []string {
	names := make([]string, len(paths))
	for i := range paths {
		names[i] = paths[i].Attr.Name
	}
	return names
}
