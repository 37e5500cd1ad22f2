package main

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/zclconf/go-cty/cty"

	"hew/reconcile/addr"
	"hew/reconcile/config"
	"hew/reconcile/plan"
	"hew/schema"
)

// reread turns a document back into the plan and the outcome that it was
// written from, as far as anybody can see them. Kinds and attributes that this
// hew does not know are taken as they stand, and noted.
type reread struct {
	kinds func(name string) *schema.Kind
	made  map[string]*schema.Kind // that say what a document has
	notes []string
}

func (r *reread) note(format string, args ...any) {
	if n := fmt.Sprintf(format, args...); !slices.Contains(r.notes, n) {
		r.notes = append(r.notes, n)
	}
}

func (r *reread) plan(d *document) (*plan.Plan, error) {
	p := &plan.Plan{Applyable: d.Applyable, Ledgerless: d.Ledgerless, Digest: d.Digest, Host: d.Host, Sizes: map[schema.Collection]int{},
		Stats: plan.Stats{Requests: told(d.Requests), Seconds: told(d.Seconds), Shared: d.Requests == nil}}
	for i, j := range d.Changes {
		c, err := r.change(j)
		if err != nil {
			return nil, fmt.Errorf("changes[%d]: %w", i, err)
		}
		if set, ok := groupOf(c.Addr); ok {
			c.Collection = schema.Collection{Path: set.String()} // which it is on the host nobody asks
			p.Sizes[c.Collection] = d.Sets[set.String()]
		}
		p.Changes = append(p.Changes, c)
	}
	for i, j := range d.Blocked {
		at, err := addr.Parse(j.Address)
		if err != nil {
			return nil, fmt.Errorf("blocked[%d]: %w", i, err)
		}
		b := config.Blocked{Addr: at, Why: j.Why}
		if at := rangeOf(j.Declared); at != nil {
			b.Decl = *at
		}
		for _, by := range j.By {
			at, err := addr.Parse(by)
			if err != nil {
				return nil, fmt.Errorf("blocked[%d]: %w", i, err)
			}
			b.By = append(b.By, at)
		}
		p.Blocked = append(p.Blocked, b)
	}
	for _, g := range d.Guards {
		p.Guards = append(p.Guards, plan.Finding{Code: g.Code, Text: g.Text, Fix: g.Fix, Objects: g.Objects, Decl: rangeOf(g.Declared)})
	}
	for _, name := range slices.Sorted(maps.Keys(d.Outputs)) {
		j := d.Outputs[name]
		v, err := valueOf(plain{j.Value, j.Unknown, j.Secret}, false)
		if err != nil {
			return nil, fmt.Errorf("outputs: %s: %w", name, err)
		}
		p.Outputs = append(p.Outputs, config.Output{Name: name, Doc: j.Doc, Sensitive: j.Sensitive, Value: v})
	}
	p.Strays = r.strays(d.Strays)
	p.Checks = checksFrom(d.Checks)
	p.Notes = slices.Concat(d.Notes, r.notes)
	return p, nil
}

func (r *reread) change(j jsonChange) (plan.Change, error) {
	kind, err := r.kind(j)
	if err != nil {
		return plan.Change{}, err
	}
	c := plan.Change{Kind: kind, Title: j.Title, Owner: j.Owner, Cause: plan.Cause(j.Cause), Why: j.Why, AdoptsIfFound: j.AdoptsIfFound, Founder: j.Founder,
		Restore: j.Restore, Gone: j.Gone, Digest: j.Digest, Decl: rangeOf(j.Declared),
		Before: schema.Object{Kind: kind, ID: j.ID, Trace: &schema.Trace{Made: j.Since, By: j.By, Changed: j.Since}}, After: schema.Object{Kind: kind}}
	var errs [3]error
	c.Action, errs[0] = actionNamed(j.Action)
	c.Addr, errs[1] = addr.Parse(j.Address)
	if j.PreviousAddress != "" {
		c.From, errs[2] = addr.Parse(j.PreviousAddress)
	}
	if err := errors.Join(errs[:]...); err != nil {
		return c, err
	}
	if j.Element != "" && c.Addr.Elem == "" { // it reads like a key
		c.Addr.Key, c.Addr.Elem = "", j.Element
	}
	for name, value := range j.Before {
		v, err := valueOf(plain{value: value}, kind.Attr(name).Ref != "")
		if err != nil {
			return c, fmt.Errorf("%s: %w", name, err)
		}
		c.Before.Value.Set(kind.Attr(name), v)
	}
	for _, jp := range j.Paths {
		p, err := pathFrom(jp, kind.Attr(jp.Path))
		if err != nil {
			return c, fmt.Errorf("%s: %w", jp.Path, err)
		}
		c.Paths = append(c.Paths, p)
		c.After.Value.Set(p.Attr, p.After)
	}
	return c, nil
}

func pathFrom(j jsonPath, a *schema.Attr) (p plan.PathChange, err error) {
	p = plan.PathChange{Attr: a, Cause: plan.Cause(j.Cause), Note: j.Note}
	if j.Secret {
		j.BeforeSecret, j.AfterSecret = true, true
	}
	var errs [2]error
	p.Before, errs[0] = valueOf(plain{value: j.Before, secret: j.BeforeSecret}, a.Ref != "")
	p.After, errs[1] = valueOf(plain{j.After, j.Unknown, j.AfterSecret}, a.Ref != "")
	return p, errors.Join(errs[:]...)
}

// kind is the kind of a change, with an attribute for everything that the
// change mentions, and with the defaults that the document has: what this hew
// takes for the host's is another matter.
func (r *reread) kind(j jsonChange) (*schema.Kind, error) {
	k := r.kinds(j.Kind)
	stranger := k == nil
	if stranger {
		r.note("This hew has no kind %s; what the plan says of it is shown as it stands.", j.Kind)
		k = &schema.Kind{Name: j.Kind}
	}
	var names, missing []string
	for _, p := range j.Paths {
		names = append(names, p.Path)
	}
	for _, name := range slices.Concat(names, slices.Sorted(maps.Keys(j.Before)), slices.Sorted(maps.Keys(j.Defaults))) {
		if k.Attr(name) == nil && !slices.Contains(missing, name) {
			missing = append(missing, name)
			if !stranger {
				r.note("This hew knows no attribute %s of a %s; what the plan says of it is shown as it stands.", name, j.Kind)
			}
		}
	}
	if len(missing) == 0 && j.Action != plan.Create.Name() {
		return k, nil
	}
	key := fmt.Sprintf("%q %q %#v", j.Kind, missing, j.Defaults)
	if r.made[key] != nil {
		return r.made[key], nil
	}
	as := *k
	as.Attrs = slices.Clone(k.Attrs)
	for _, name := range missing {
		as.Attrs = append(as.Attrs, schema.Attr{Name: name, Type: cty.DynamicPseudoType})
	}
	for i := range as.Attrs {
		a := &as.Attrs[i]
		a.Default = nil
		if value, ok := j.Defaults[a.Name]; ok {
			v, err := valueOf(plain{value: value}, a.Ref != "")
			if err != nil {
				return nil, fmt.Errorf("%s: %w", a.Name, err)
			}
			a.Default = schema.Value(v)
		}
	}
	if r.made == nil {
		r.made = map[string]*schema.Kind{}
	}
	r.made[key] = &as
	return &as, nil
}

// told is what a document says, or nothing.
func told[T any](said *T) (v T) {
	if said != nil {
		v = *said
	}
	return v
}
