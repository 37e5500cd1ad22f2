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

// A mistyped -target would plan nothing and report success, so addresses on the command line must
// exist.

// checkAddresses checks the addresses of -target, -exclude, -replace and import blocks, and marks
// the objects of -replace.
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

// markReplaced marks the object of a -replace for replacement.
func (r *Run) markReplaced(a addr.Instance, known []addr.Instance) hcl.Diagnostics {
	refuse := func(format string, args ...any) hcl.Diagnostics {
		return hcl.Diagnostics{runError("Cannot be replaced", fmt.Errorf("-replace=%s: %s", a,
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
		return refuse("only a normal plan can replace objects; remove the flag.")
	case len(of) == 0:
		if diags := checkKnown("replace", a, known); diags != nil {
			return diags
		}
		return refuse("it is not declared, so there is nothing to create in its place.")
	case len(of) > 1:
		return refuse("it matches %d objects; use the address of one object, such as -replace='%s'.", len(of),
			of[0].Addr())
	}
	n := of[0]
	switch {
	case !r.world.Scope().Includes(n.Addr()):
		return refuse("-target or -exclude leaves it out of the plan.")
	case n.Kind().Soft:
		return refuse("%s", change.SoftDeleteReason(n.Kind()))
	case n.Kind().Holds == schema.One:
		return refuse("it always exists and cannot be replaced; change it in place.")
	case n.Status() == match.Missing:
		r.world.Note("-replace=%s: it does not exist and will be created.", a)
	}
	n.RequireReplacement("requested by -replace")
	return nil
}

// knownAddresses returns the addresses in the configuration and the ledger, and those of strays,
// sorted.
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

// checkKnown returns an error if an address matches nothing. A blocked block may have any instance.
func checkKnown(flag string, a addr.Instance, known []addr.Instance) hcl.Diagnostics {
	for _, k := range known {
		if a.Contains(k) {
			return nil
		}
	}
	detail := fmt.Sprintf("-%s=%s: the address is in neither the configuration nor the ledger.", flag, a)
	var names []string
	for _, k := range known {
		names = append(names, addr.Block{Module: k.WithoutKeys().Module}.String(), k.WithoutKeys().String(), k.String())
	}
	if near := didyoumean.Nearest(a.String(), names); near != "" {
		detail += fmt.Sprintf(" Did you mean %s?", near)
	}
	return hcl.Diagnostics{runError("Unknown address", errors.New(detail))}
}
