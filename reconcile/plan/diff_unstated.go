package plan

import (
	"github.com/zclconf/go-cty/cty"

	"hew/reconcile/config"
	"hew/reconcile/ledger"
	"hew/schema"
)

// This file compares attributes that are not declared.

// diffUsual returns the differences of attributes that nobody declared and that have the value a
// new object gets from another attribute, if that one changes: the name of a project follows its
// path. The old name would stay taken, though no configuration has it.
func diffUsual(want *config.Desired, live schema.Object, paths []PathChange) (follow []PathChange) {
	for _, p := range paths {
		if p.After == cty.NilVal || !p.After.IsWhollyKnown() || schema.IsSecret(p.After) {
			continue
		}
		final := live
		final.Value = live.Value.Clone()
		final.Value.Set(p.Attr, p.After)
		for a := range live.Kind.Arguments() {
			if whole, _ := ignores(want, a); whole || a.Usual == nil || schema.Stated(want.Object, a.Name) {
				continue
			}
			have, was, will := live.Get(a.Name), a.Usual(live), a.Usual(final)
			if !have.IsNull() && have.RawEquals(was) && !will.RawEquals(was) {
				follow = append(follow, PathChange{Attr: a, Before: have, After: will, Cause: p.Cause,
					Note: "follows the " + p.Attr.Name})
			}
		}
	}
	return follow
}

// diffDropped returns the differences of attributes that hew has set and that are no longer
// declared: they are reset to their default, and secrets are cleared. An attribute without a known
// default keeps its value and is no longer managed.
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

// Reset returns the differences for an object that is no longer declared but stays on the host:
// everything hew has set is reset.
func (d Differ) Reset(live schema.Object, entry *ledger.Entry) []PathChange {
	return d.diffDropped(&config.Desired{Object: schema.Object{Kind: live.Kind}}, live, entry)
}
