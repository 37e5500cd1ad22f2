package plan

import (
	"slices"

	"github.com/zclconf/go-cty/cty"

	"hew/reconcile/config"
	"hew/reconcile/ledger"
	"hew/schema"
)

// Digester turns canonical values into the digests that the ledger keeps.
type Digester interface {
	Plain(canonical string) ledger.Digest
	Secret(canonical string) ledger.Digest
	Matches(old ledger.Digest, canonical string) bool
}

// digestOf returns the digest of an attribute's value. Secrets are keyed, so that
// nobody can try candidates against the ledger.
func digestOf(d Digester, a *schema.Attr, v cty.Value) ledger.Digest {
	text, secret := a.Digested(v)
	if secret {
		return d.Secret(text)
	}
	return d.Plain(text)
}

// Differ compares declared objects with live ones, attribute by attribute.
type Differ struct{ Digester Digester }

// Diff returns the differences between what is declared and what is live, with
// their causes by the ledger's entry, which is nil for something hew has not
// managed so far. It walks what is stated and what hew had set before; nothing
// else is hew's business.
func (d Differ) Diff(want *config.Desired, live schema.Object, entry *ledger.Entry) []PathChange {
	var paths []PathChange
	owner := want.Object.Kind.Owner()
	for a, v := range want.Object.Value.All() {
		if whole, _ := ignores(want, a); whole || v.IsNull() || a.Mode == schema.Computed || !a.Lasting() {
			continue
		}
		if _, told := live.Value.Get(a.Name); a == owner && !told {
			continue // found in this owner's collection
		}
		if p, differs := d.diffAttr(want, a, v, live, entry); differs {
			paths = append(paths, p)
		}
	}
	if entry != nil {
		paths = append(append(paths, d.diffRising(want, live, entry)...), d.diffDropped(want, live, entry)...)
	}
	return paths
}

// diffAttr compares one stated attribute.
func (d Differ) diffAttr(of *config.Desired, a *schema.Attr, stated cty.Value, live schema.Object,
	entry *ledger.Entry) (PathChange, bool) {
	want := Kept(of, a, stated, live)
	p := PathChange{Attr: a, Before: live.Get(a.Name), After: want, Cause: Unknown}
	_, readable := live.Value.Get(a.Name)
	readable = readable && (!a.IsSecret() || a.Readable())
	var last ledger.Digest
	if entry != nil {
		last = entry.Owned[a.Name]
	}
	shown, have, all := a.Shown(want, p.Before)
	agrees := readable && a.Equal(shown, have)
	if agrees && (all || a.ForceNew && last == "" || last != "" && d.wasApplied(last, a, withoutIgnored(of, a, stated))) {
		return p, false // what the host does not show of it is as it was sent, as far as anybody knows
	}
	p.Before = hideSecrets(a, have, want, last)
	if schema.IsSpent(want) && last != "" {
		return p, false // what was sent is what is there
	}
	if !a.Known(want) {
		p.Note = "known after apply"
		p.Cause = ByConfig
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
		return p, false // the host does not show it; what was sent is what is there
	case !readable:
		p.Cause = ByConfig
		if owned {
			p.Note = "changed"
		}
	case !owned:
		p.Cause = ByConfig // the line is new
	case agrees:
		p.Cause, p.Note = ByConfig, "changed where the host does not show it"
	case a.Veiled():
		p.Cause = causeOf(moved, !moved) // of a part there is no digest
	default:
		p.Cause = causeOf(moved, !d.wasApplied(last, a, withoutIgnored(of, a, p.Before)))
	}
	return p, true
}

// hideSecrets returns a live value as it may be shown: what was a secret, or becomes
// one, may still be there as a part of a text.
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
		if to := step(want, cty.GetAttrStep{Name: key}); all || to != cty.NilVal && schema.IsSecret(to) {
			keys[key] = v.Mark(schema.Secret)
		}
	}
	return cty.ObjectVal(keys).WithMarks(marks)
}

// wasApplied reports whether a value is the one last applied.
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

// diffDropped returns what becomes of attributes that hew had set and that are no
// longer stated: back to the default, a secret is cleared; where no default is
// known the value stays and is released.
func (d Differ) diffDropped(want *config.Desired, live schema.Object, entry *ledger.Entry) []PathChange {
	var paths []PathChange
	for a := range live.Kind.Arguments() {
		last, owned := entry.Owned[a.Name]
		if !owned || schema.Stated(want.Object, a.Name) || !a.Lasting() {
			continue
		}
		if whole, _ := ignores(want, a); whole {
			continue
		}
		p := PathChange{Attr: a, Before: live.Get(a.Name), Cause: ByConfig, Note: "back to its default"}
		switch {
		case a.IsSecret():
			p.After, p.Note = cty.StringVal("").Mark(schema.Secret), "cleared"
			if a.Type != cty.String {
				p.After = cty.NullVal(a.Type)
			}
		case a.Default != nil:
			p.After = a.Default(live)
			if a.Equal(p.Before, p.After) {
				continue
			}
			if !d.wasApplied(last, a, withoutIgnored(want, a, p.Before)) {
				p.Cause = ByBoth
			}
			if last.Secret() && !a.Veiled() {
				p.Before = p.Before.Mark(schema.Secret)
			}
		default:
			continue
		}
		paths = append(paths, p)
	}
	return paths
}

// Reset returns what becomes of an object that nobody declares any more and that
// stays: what hew had set there is dropped.
func (d Differ) Reset(live schema.Object, entry *ledger.Entry) []PathChange {
	return d.diffDropped(&config.Desired{Object: schema.Object{Kind: live.Kind}}, live, entry)
}

// Created returns the stated attributes of an object that does not exist yet.
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

// Own returns the digests of all stated attributes, for the ledger, without what
// the block ignores of them. Values that are still unknown have none.
func (d Differ) Own(of *config.Desired, want schema.Object) map[string]ledger.Digest {
	owned := make(map[string]ledger.Digest, want.Value.Len())
	for a, v := range want.Value.All() {
		if v = withoutIgnored(of, a, v); !v.IsNull() && a.Mode != schema.Computed && a.Known(v) {
			owned[a.Name] = digestOf(d.Digester, a, v)
		}
	}
	return owned
}

// Replaces reports whether any difference needs a new object.
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
