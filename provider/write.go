package provider

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"

	"hew/provider/client"
	"hew/schema"
)

// write is one creation or update in progress: from what is (or, for a
// creation, where it shall be) towards what is wanted.
type write struct {
	p    *Provider
	kind *kind
	want schema.Object
	now  schema.Object // as the host last answered
	sent []*schema.Attr
}

// Create makes the object and returns what then exists, with the stated and
// the computed attributes, even beside an error. [schema.ErrExists] is in the
// error of one whose key is taken.
func (p *Provider) Create(ctx context.Context, want schema.Object) (schema.Object, error) {
	k := p.kinds[want.Kind]
	w := &write{p: p, kind: k, want: want, now: schema.Object{Kind: want.Kind, Value: want.Value}}
	var first, late []*schema.Attr
	for a, v := range want.Value.All() {
		switch {
		case a.Mode == schema.Computed || v.IsNull():
		case slices.ContainsFunc(k.API.Late, func(l schema.Attr) bool { return l.Name == a.Name }):
			late = append(late, a)
		case !w.after(a):
			first = append(first, a)
		}
	}
	answer, err := w.create(ctx, first)
	if err != nil {
		return w.made(), err
	}
	if len(late) > 0 {
		if answer, err = w.put(ctx, late); err != nil {
			return w.now, err
		}
	}
	return w.finish(ctx, k.wants(want), answer)
}

// Update changes the named attributes of from to what to holds; the attributes
// that must go along with them do. What is marked for deletion is restored
// first. It returns what then exists.
func (p *Provider) Update(ctx context.Context, from, to schema.Object, changed []string) (schema.Object, error) {
	k := p.kinds[to.Kind]
	w := &write{p: p, kind: k, want: to, now: from}
	var plain []*schema.Attr
	for _, name := range changed {
		if a := to.Kind.Attr(name); a != nil && a.Mode != schema.Computed && !a.Once && !k.acts(name) {
			plain = append(plain, a)
		}
	}
	var answer json.RawMessage
	var err error
	if from.State == schema.PendingDeletion && k.API.Restore != "" {
		answer, err = w.send(ctx, http.MethodPost, k.API.Restore, nil)
	}
	if err == nil {
		answer, err = w.run(ctx, k.API.Before, changed, answer)
	}
	if err == nil && len(plain) > 0 {
		for a := range to.Kind.Arguments() {
			if a.Triggers(changed) && !slices.Contains(plain, a) && schema.Stated(to, a.Name) {
				plain = append(plain, a)
			}
		}
		answer, err = w.put(ctx, plain)
	}
	if err != nil {
		return w.now, err
	}
	return w.finish(ctx, changed, answer)
}

// Delete removes the object. What is gone already is no error.
func (p *Provider) Delete(ctx context.Context, o schema.Object) error {
	k := p.kinds[o.Kind]
	_, err := p.client.Delete(ctx, place(k.API.Item, o), nil, nil)
	if client.IsNotFound(err) && !client.IsUnsupported(err) {
		return nil
	}
	return needing(k, err)
}

// create posts the object. Where nobody knows whether the host carried it out,
// the collection does: what is there under our key now is ours.
func (w *write) create(ctx context.Context, attrs []*schema.Attr) (json.RawMessage, error) {
	body, err := w.body(attrs)
	if err != nil {
		return nil, err
	}
	if w.kind.API.New != nil {
		w.kind.API.New(w.want, body)
	}
	answer, err := w.send(ctx, http.MethodPost, w.kind.API.Items, body)
	switch {
	case client.IsUnknown(err):
		found, ok := w.p.recover(ctx, w.want)
		if !ok {
			return nil, err
		}
		w.now = found
		raw, _, err := w.p.get(ctx, w.kind, found)
		if err != nil {
			return nil, err
		}
		return raw, w.take(raw)
	case client.IsConflict(err):
		return nil, fmt.Errorf("%w: %w", schema.ErrExists, err)
	}
	return answer, err
}

// recover looks for the object of a creation that nobody answered.
func (p *Provider) recover(ctx context.Context, want schema.Object) (schema.Object, bool) {
	key, value, ok := want.Kind.Match.Key(want)
	if !ok {
		return schema.Object{}, false
	}
	var found schema.Reading
	if t := want.Kind.Tree; t != nil {
		found = p.Find(ctx, []schema.Ask{{Kind: want.Kind, Key: said(want, t.Full)}})[0]
	} else {
		owner := schema.AsRef(want.Get(want.Kind.Owner().Name))
		found = p.list(ctx, schema.Query{Collection: want.Kind.In(owner.ID), Kind: want.Kind})
	}
	for _, o := range found.Objects {
		if o.State != schema.Moved && key.Equal(o.Get(key.Name), value) {
			return o, true
		}
	}
	return schema.Object{}, false
}

// put updates the object in place.
func (w *write) put(ctx context.Context, attrs []*schema.Attr) (json.RawMessage, error) {
	body, err := w.body(attrs)
	if err != nil {
		return nil, err
	}
	return w.send(ctx, http.MethodPut, w.kind.API.Item, body)
}

// run sends the acts for the changed attributes; skip leaves out those whose
// value is right already.
func (w *write) run(ctx context.Context, acts []act, changed []string, answer json.RawMessage) (json.RawMessage, error) {
	for _, act := range acts {
		v := w.want.Get(act.Attr)
		a := w.want.Kind.Attr(act.Attr)
		if !slices.Contains(changed, act.Attr) || !act.fits(v) || a.Equal(w.now.Get(act.Attr), v) {
			continue
		}
		body := map[string]any{}
		if act.As != "" && schema.Stated(w.want, act.Attr) {
			body[act.As] = toJSON(v)
		}
		var err error
		if answer, err = w.send(ctx, act.Method, act.Path, body); err != nil {
			return answer, err
		}
		w.sent = append(w.sent, a)
	}
	return answer, nil
}

// finish does what comes after the update and compares the outcome with what
// was sent.
func (w *write) finish(ctx context.Context, changed []string, answer json.RawMessage) (schema.Object, error) {
	answer, err := w.run(ctx, w.kind.API.After, changed, answer)
	if err == nil && w.kind.API.Settle != nil && answer != nil {
		err = w.kind.API.Settle(ctx, w, decode(w.kind, "", nil).read(answer))
	}
	if err == nil {
		err = w.verify()
	}
	return w.now, err
}

// send makes one request and takes the object from its answer.
func (w *write) send(ctx context.Context, method, template string, body any) (json.RawMessage, error) {
	do := w.p.client.Post
	if method == http.MethodPut {
		do = w.p.client.Put
	}
	var answer json.RawMessage
	if _, err := do(ctx, place(template, w.now), body, &answer); err != nil {
		return nil, needing(w.kind, err)
	}
	return answer, w.take(answer)
}

// take makes the answer the object as it is now.
func (w *write) take(answer json.RawMessage) error {
	var owner string
	if a := w.want.Kind.Owner(); a != nil {
		if r := schema.AsRef(w.now.Get(a.Name)); r != nil {
			owner = r.ID
		}
	}
	now, err := decode(w.kind, owner, w.kind.answers(w.want)).object(answer)
	if err == nil {
		w.now = now
	}
	return err
}

// made is the object as far as it exists.
func (w *write) made() schema.Object {
	if w.now.ID == "" {
		return schema.Object{Kind: w.want.Kind}
	}
	return w.now
}

// after tells whether the attribute is set by requests after creation only.
func (w *write) after(a *schema.Attr) bool {
	return slices.ContainsFunc(w.kind.API.After, func(act act) bool { return act.Attr == a.Name })
}
