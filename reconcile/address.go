package reconcile

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/hashicorp/hcl/v2"

	"hew/reconcile/access"
	"hew/reconcile/addr"
	"hew/reconcile/change"
	"hew/reconcile/didyoumean"
	"hew/reconcile/match"
	"hew/schema"
)

// What the command line names has to be there: a mistyped -target would plan
// nothing and say that all is well.

// checkAddresses checks the addresses that the plan is narrowed by and that
// imports name, and marks what is to be replaced.
func (r *Run) checkAddresses() hcl.Diagnostics {
	diags := r.world.CheckImports()
	known := r.knownAddresses()
	target, exclude := r.world.Scope().Named()
	for _, a := range target {
		diags = append(diags, checkKnown("target", a, known)...)
	}
	for _, a := range exclude {
		diags = append(diags, checkKnown("exclude", a, known)...)
	}
	for _, a := range r.opts.Replace {
		diags = append(diags, r.markReplaced(a, known)...)
	}
	return diags
}

// markReplaced marks what -replace names.
func (r *Run) markReplaced(a addr.Instance, known []addr.Instance) hcl.Diagnostics {
	refuse := func(format string, args ...any) hcl.Diagnostics {
		return hcl.Diagnostics{fault("Cannot be replaced", fmt.Errorf("-replace=%s: %s", a,
			fmt.Sprintf(format, args...)))}
	}
	var of []*match.Node
	for _, n := range r.world.Declared() {
		if a.Contains(n.Addr()) {
			of = append(of, n)
		}
	}
	switch {
	case r.opts.Mode != Normal:
		return refuse("only a normal plan replaces; leave it away here.")
	case len(of) == 0:
		if diags := checkKnown("replace", a, known); diags != nil {
			return diags
		}
		return refuse("it is not declared, so nothing would take its place.")
	case len(of) > 1:
		return refuse("that is %d objects; name them one by one, as in -replace='%s'.", len(of), of[0].Addr())
	}
	n := of[0]
	switch {
	case !r.world.Scope().Includes(n.Addr()):
		return refuse("the plan is narrowed, and leaves it out.")
	case n.Kind().Soft:
		return refuse("%s", change.KeepsPath(n.Kind()))
	case n.Kind().Holds == schema.One:
		return refuse("it is always there; change it in place.")
	case n.Status() == match.Missing:
		r.world.Note("-replace=%s: it is not there and will be created anyway.", a)
	}
	n.RequireReplacement("asked for by -replace")
	return nil
}

// knownAddresses returns all that the configuration and the ledger know, and the
// strays of claimed collections, in order.
func (r *Run) knownAddresses() []addr.Instance {
	w := r.world
	all := slices.Collect(maps.Keys(r.led.Entries))
	for a := range w.EachDeclaration() {
		all = append(all, a)
	}
	for _, b := range w.Result().Blocked {
		all = append(all, b.Addr)
	}
	for x, s := range w.Claims() {
		if c := w.CollectionAt(s.Collection()); c != nil {
			for _, o := range c.Objects() {
				all = append(all, match.StrayAddr(x, o))
			}
		}
		if o, ok := access.CreatorMembership(w, x, s); ok {
			all = append(all, match.StrayAddr(x, o))
		}
	}
	slices.SortFunc(all, addr.Instance.Compare)
	return all
}

// checkKnown refuses an address that names nothing. What is blocked as a whole may
// hold anything.
func checkKnown(flag string, a addr.Instance, known []addr.Instance) hcl.Diagnostics {
	for _, k := range known {
		if a.Contains(k) {
			return nil
		}
	}
	detail := fmt.Sprintf("-%s=%s: neither the configuration nor the ledger has anything of that address.", flag, a)
	var names []string
	for _, k := range known {
		names = append(names, addr.Block{Module: k.Unkeyed().Module}.String(), k.Unkeyed().String(), k.String())
	}
	if near := didyoumean.Nearest(a.String(), names); near != "" {
		detail += fmt.Sprintf(" Did you mean %s?", near)
	}
	return hcl.Diagnostics{fault("Unknown address", errors.New(detail))}
}
