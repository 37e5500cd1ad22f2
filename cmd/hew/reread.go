package main

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"hew/reconcile"
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
	notes []string
}

func (r *reread) note(format string, args ...any) {
	if n := fmt.Sprintf(format, args...); !slices.Contains(r.notes, n) {
		r.notes = append(r.notes, n)
	}
}

func (r *reread) plan(d *document) (*plan.Plan, error) {
	p := &plan.Plan{Applyable: d.Applyable, Ledgerless: d.Ledgerless, Digest: d.Digest, Sizes: map[schema.Collection]int{},
		Stats: plan.Stats{Requests: d.Requests, Seconds: d.Seconds}}
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
	p.Checks = checksFrom(d.Checks)
	p.Notes = slices.Concat(d.Notes, r.notes)
	return p, nil
}

func (r *reread) change(j jsonChange) (plan.Change, error) {
	kind := r.kind(j)
	c := plan.Change{Kind: kind, Title: j.Title, Owner: j.Owner, Cause: plan.Cause(j.Cause), Why: j.Why, AdoptsIfFound: j.AdoptsIfFound,
		Restore: j.Restore, Gone: j.Gone, Decl: rangeOf(j.Declared),
		Before: schema.Object{Kind: kind, ID: j.ID}, After: schema.Object{Kind: kind}}
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
// change mentions.
func (r *reread) kind(j jsonChange) *schema.Kind {
	k := r.kinds(j.Kind)
	stranger := k == nil
	if stranger {
		r.note("This hew has no kind %s; what the plan says of it is shown as it stands.", j.Kind)
		k = &schema.Kind{Name: j.Kind}
	}
	var names []string
	for _, p := range j.Paths {
		names = append(names, p.Path)
	}
	names = slices.Concat(names, slices.Sorted(maps.Keys(j.Before)), slices.Sorted(maps.Keys(j.Defaults)))
	for _, name := range names {
		if k.Attr(name) != nil {
			continue
		}
		if !stranger {
			r.note("This hew knows no attribute %s of a %s; what the plan says of it is shown as it stands.", name, j.Kind)
		}
		more := *k
		a := schema.Attr{Name: name, Type: cty.DynamicPseudoType}
		if value, ok := j.Defaults[name]; ok {
			if v, err := valueOf(plain{value: value}, false); err == nil {
				a.Default = schema.Value(v)
			}
		}
		more.Attrs = append(slices.Clone(k.Attrs), a)
		k = &more
	}
	return k
}

func (r *reread) outcome(j *jsonOutcome) (*reconcile.Outcome, error) {
	if j == nil {
		return nil, nil
	}
	o := &reconcile.Outcome{Checks: checksFrom(j.Checks), Notes: j.Notes, Interrupted: j.Interrupted, Requests: j.Requests, Seconds: j.Seconds}
	for _, d := range j.Done {
		c, err := doneFrom(d)
		if err != nil {
			return nil, fmt.Errorf("outcome.done: %w", err)
		}
		o.Done = append(o.Done, c)
	}
	for _, list := range []struct {
		from []jsonDone
		to   *[]reconcile.Failure
	}{{j.Failed, &o.Failed}, {j.Skipped, &o.Skipped}} {
		for _, d := range list.from {
			c, err := doneFrom(d)
			if err != nil {
				return nil, fmt.Errorf("outcome: %w", err)
			}
			*list.to = append(*list.to, reconcile.Failure{Change: c, Err: errors.New(d.Error)})
		}
	}
	return o, nil
}

func doneFrom(j jsonDone) (c plan.Change, err error) {
	c.Decl = rangeOf(j.Declared)
	if c.Action, err = actionNamed(j.Action); err != nil {
		return c, err
	}
	c.Addr, err = addr.Parse(j.Address)
	return c, err
}

func checksFrom(all []jsonCheck) []config.Check {
	var out []config.Check
	for _, j := range all {
		c := config.Check{Name: j.Name, Verdict: config.Verdict(j.Status), Text: j.Message}
		if at := rangeOf(j.Declared); at != nil {
			c.Decl = *at
		}
		out = append(out, c)
	}
	return out
}

func actionNamed(name string) (plan.Action, error) {
	for _, a := range []plan.Action{plan.Create, plan.Update, plan.Replace, plan.Delete, plan.Adopt, plan.Move, plan.Release, plan.NoOp} {
		if a.Name() == name {
			return a, nil
		}
	}
	return plan.NoOp, fmt.Errorf("there is no action %q", name)
}

// rangeOf reads file:line:column, nil for what is none.
func rangeOf(place string) *hcl.Range {
	parts := strings.Split(place, ":")
	n := len(parts)
	if n < 3 {
		return nil
	}
	r := &hcl.Range{Filename: strings.Join(parts[:n-2], ":")}
	var errs [2]error
	r.Start.Line, errs[0] = strconv.Atoi(parts[n-2])
	r.Start.Column, errs[1] = strconv.Atoi(parts[n-1])
	if errors.Join(errs[:]...) != nil {
		return nil
	}
	return r
}
