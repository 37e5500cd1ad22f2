package reconcile

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/hashicorp/hcl/v2"

	"hew/reconcile/addr"
	"hew/reconcile/didyoumean"
	"hew/schema"
)

// What the command line names has to be there: a mistyped -target would plan
// nothing and say that all is well.

// asked checks the addresses that the plan is narrowed by and that imports name,
// and finds what is to be replaced.
func (r *Run) asked() hcl.Diagnostics {
	diags := r.world.unimported()
	known := r.world.addresses()
	if v := r.world.narrowing; v != nil {
		for _, a := range v.target {
			diags = append(diags, found("target", a, known)...)
		}
		for _, a := range v.exclude {
			diags = append(diags, found("exclude", a, known)...)
		}
	}
	for _, a := range r.opts.Replace {
		diags = append(diags, r.replacing(a, known)...)
	}
	return diags
}

// replacing marks what -replace names.
func (r *Run) replacing(a addr.Instance, known []addr.Instance) hcl.Diagnostics {
	refuse := func(format string, args ...any) hcl.Diagnostics {
		return hcl.Diagnostics{fault("Cannot be replaced", fmt.Errorf("-replace=%s: %s", a, fmt.Sprintf(format, args...)))}
	}
	var of []*node
	for _, n := range r.world.all {
		if a.Contains(n.want.Addr) {
			of = append(of, n)
		}
	}
	switch {
	case r.opts.Mode != Normal:
		return refuse("only a normal plan replaces; leave it away here.")
	case len(of) == 0:
		if diags := found("replace", a, known); diags != nil {
			return diags
		}
		return refuse("it is not declared, so nothing would take its place.")
	case len(of) > 1:
		return refuse("that is %d objects; name them one by one, as in -replace='%s'.", len(of), of[0].want.Addr)
	}
	n := of[0]
	switch {
	case !r.world.narrowing.has(n.want.Addr):
		return refuse("the plan is narrowed, and leaves it out.")
	case n.kind().Soft:
		return refuse("%s", keepsPath(n))
	case n.kind().Holds == schema.One:
		return refuse("it is always there; change it in place.")
	case n.status == missing:
		r.world.note("-replace=%s: it is not there and will be created anyway.", a)
	}
	n.replace = "asked for by -replace"
	return nil
}

// keepsPath says why a thing that is marked for deletion cannot be made anew.
func keepsPath(n *node) string {
	return fmt.Sprintf("the host only marks a %s for deletion and keeps its path until it is gone for good, so a new one could not be created there. Give it another path in the configuration, or change what is to be changed in place.", n.kind().Name)
}

// addresses are all that the configuration and the ledger know, and the strays
// of claimed collections, in order.
func (w *world) addresses() []addr.Instance {
	all := slices.Collect(maps.Keys(w.led.Entries))
	for a := range w.things() {
		all = append(all, a)
	}
	for _, b := range w.res.Blocked {
		all = append(all, b.Addr)
	}
	for i := range w.res.Exclusives {
		x := &w.res.Exclusives[i]
		if c := w.colls[w.claimants[x.Addr].coll]; c != nil {
			for _, o := range c.objs {
				all = append(all, strayAddr(x, o))
			}
		}
		if o, ok := w.founder(x); ok {
			all = append(all, strayAddr(x, o))
		}
	}
	slices.SortFunc(all, addr.Instance.Compare)
	return all
}

// found refuses an address that speaks of nothing. What is blocked as a whole
// may hold anything.
func found(flag string, a addr.Instance, known []addr.Instance) hcl.Diagnostics {
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
