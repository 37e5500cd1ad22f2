package report

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"

	"hew/reconcile/addr"
	"hew/reconcile/config"
	"hew/reconcile/plan"
	"hew/schema"
)

// Reread turns a document back into the plan and the outcome that it was
// written from, as far as anybody can see them. Kinds and attributes that this
// hew does not know are taken as they stand, and noted.
type Reread struct {
	Kinds func(name string) *schema.Kind
	made  map[string]*schema.Kind // that say what a document has
	notes []string
}

func (r *Reread) note(format string, args ...any) {
	if n := fmt.Sprintf(format, args...); !slices.Contains(r.notes, n) {
		r.notes = append(r.notes, n)
	}
}

func (r *Reread) Plan(d *Document) (*plan.Plan, error) {
	p := &plan.Plan{Applyable: d.Applyable, Ledgerless: d.Ledgerless, Digest: d.Digest, Host: d.Host, Sizes: map[schema.Collection]int{},
		Stats: plan.Stats{Requests: told(d.Requests), Seconds: told(d.Seconds), Shared: d.Requests == nil}}
	for i, j := range d.Changes {
		c, err := r.change(j)
		if err != nil {
			return nil, fmt.Errorf("changes[%d]: %w", i, err)
		}
		if set, ok := GroupOf(c.Addr); ok {
			c.Collection = schema.Collection{Path: set.String()} // which it is on the host nobody asks
			p.Sizes[c.Collection] = d.Sets[set.String()]
		}
		p.Changes = append(p.Changes, c)
	}
	var errs [2]error
	p.Blocked, errs[0] = blockedFrom(d.Blocked)
	p.Outputs, errs[1] = outputsFrom(d.Outputs)
	if err := cmp.Or(errs[:]...); err != nil {
		return nil, err
	}
	for _, g := range d.Guards {
		p.Guards = append(p.Guards, plan.Finding{Code: g.Code, Text: g.Text, Fix: g.Fix, Objects: g.Objects, Decl: rangeOf(g.Declared)})
	}
	p.Strays = r.strays(d.Strays)
	p.Checks = checksFrom(d.Checks)
	p.Notes = slices.Concat(d.Notes, r.notes)
	return p, nil
}

func blockedFrom(all []Blocked) (blocked []config.Blocked, err error) {
	for i, j := range all {
		b := config.Blocked{Why: j.Why}
		if b.Addr, err = addr.Parse(j.Address); err != nil {
			return nil, fmt.Errorf("blocked[%d]: %w", i, err)
		}
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
		blocked = append(blocked, b)
	}
	return blocked, nil
}

func outputsFrom(all map[string]Output) (outputs []config.Output, err error) {
	for _, name := range slices.Sorted(maps.Keys(all)) {
		j := all[name]
		v, err := valueOf(plain{j.Value, j.Unknown, j.Secret}, false)
		if err != nil {
			return nil, fmt.Errorf("outputs: %s: %w", name, err)
		}
		outputs = append(outputs, config.Output{Name: name, Doc: j.Doc, Sensitive: j.Sensitive, Value: v})
	}
	return outputs, nil
}

func (r *Reread) change(j Change) (plan.Change, error) {
	kind, err := r.kind(j)
	if err != nil {
		return plan.Change{}, err
	}
	c := plan.Change{Kind: kind, Title: j.Title, Owner: j.Owner, Cause: plan.Cause(j.Cause), Why: j.Why, AdoptsIfFound: j.AdoptsIfFound,
		Restore: j.Restore, Gone: j.Gone, Digest: j.Digest, Decl: rangeOf(j.Declared),
		Before: schema.Object{Kind: kind, ID: j.ID, Trace: &schema.Trace{Made: j.Since, By: j.By, Changed: j.Since}}, After: schema.Object{Kind: kind}}
	var errs [3]error
	c.Action, errs[0] = actionNamed(j.Action)
	switch {
	case j.Founder && c.Action == plan.Delete:
		c.Origin = plan.FromClaim{Founder: true}
	case j.Founder:
		c.Origin = plan.FromBlock{Founder: true}
	}
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

func pathFrom(j Path, a *schema.Attr) (p plan.PathChange, err error) {
	p = plan.PathChange{Attr: a, Cause: plan.Cause(j.Cause), Note: j.Note}
	if j.Secret {
		j.BeforeSecret, j.AfterSecret = true, true
	}
	var errs [2]error
	p.Before, errs[0] = valueOf(plain{value: j.Before, secret: j.BeforeSecret}, a.Ref != "")
	p.After, errs[1] = valueOf(plain{j.After, j.Unknown, j.AfterSecret}, a.Ref != "")
	return p, errors.Join(errs[:]...)
}

// told is what a document says, or nothing.
func told[T any](said *T) (v T) {
	if said != nil {
		v = *said
	}
	return v
}
