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

// write is one creation or update in progress: from what is (for a creation,
// where it shall be) towards what is wanted.
type write struct {
	p      *Provider
	kind   *kind
	want   schema.Object
	now    schema.Object   // as the host last answered
	answer json.RawMessage // of the last request
	sent   []*schema.Attr
}

// Create makes the object and returns what then exists, with the stated and
// the computed attributes, even beside an error. [schema.ErrExists] is in the
// error of one whose key is taken.
func (p *Provider) Create(ctx context.Context, want schema.Object) (schema.Object, error) {
	k := p.kinds[want.Kind]
	w := &write{p: p, kind: k, want: want, now: schema.Object{Kind: want.Kind, Value: want.Value}}
	stated := k.stated(want)
	var first, late []*schema.Attr
	for _, name := range stated {
		switch a := k.Attr(name); {
		case k.late(name):
			late = append(late, a)
		case !acts(k.API.After, name):
			first = append(first, a)
		}
	}
	if err := w.create(ctx, first); err != nil {
		return schema.Object{Kind: want.Kind}, err
	}
	err := w.put(ctx, late)
	if err == nil {
		err = w.finish(ctx, stated)
	}
	return w.now, err
}

// Update changes the named attributes of from to what to holds; the attributes
// that must go along with them do. What is marked for deletion is restored
// first. It returns what then exists.
func (p *Provider) Update(ctx context.Context, from, to schema.Object, changed []string) (schema.Object, error) {
	k := p.kinds[to.Kind]
	w := &write{p: p, kind: k, want: to, now: from}
	err := w.restore(ctx)
	if err == nil {
		err = w.run(ctx, k.API.Before, changed)
	}
	if err == nil {
		err = w.put(ctx, w.along(changed))
	}
	if err == nil {
		err = w.finish(ctx, changed)
	}
	return w.now, err
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

// create posts the object. Where nobody knows whether the host carried that
// out, the collection does: what is there under our key now is ours.
func (w *write) create(ctx context.Context, attrs []*schema.Attr) error {
	body, err := w.body(attrs)
	if err != nil {
		return err
	}
	if w.kind.API.New != nil {
		w.kind.API.New(w.want, body)
	}
	err = w.send(ctx, http.MethodPost, w.kind.API.Items, body)
	switch {
	case client.IsConflict(err):
		return fmt.Errorf("%w: %w", schema.ErrExists, err)
	case client.IsUnknown(err):
		there, ok := w.p.there(ctx, w.want)
		if !ok {
			return err
		}
		raw, _, err := w.p.get(ctx, w.kind, there)
		if err != nil {
			return err
		}
		return w.take(raw)
	}
	return err
}

// there looks for the object of a creation that nobody answered.
func (p *Provider) there(ctx context.Context, want schema.Object) (schema.Object, bool) {
	key, value, ok := want.Kind.Match.Key(want)
	if !ok {
		return schema.Object{}, false
	}
	var found schema.Reading
	if t := want.Kind.Tree; t != nil {
		found = p.find(ctx, schema.Ask{Kind: want.Kind, Key: said(want, t.Full)})
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

func (w *write) restore(ctx context.Context) error {
	if w.now.State != schema.PendingDeletion || w.kind.API.Restore == "" {
		return nil
	}
	return w.send(ctx, http.MethodPost, w.kind.API.Restore, nil)
}

// along returns the changed attributes that an update carries and, unless there
// are none, those that go with them.
func (w *write) along(changed []string) []*schema.Attr {
	var attrs []*schema.Attr
	for a := range w.want.Kind.Arguments() {
		if slices.Contains(changed, a.Name) && !a.Once && !acts(w.kind.API.Before, a.Name) && !acts(w.kind.API.After, a.Name) {
			attrs = append(attrs, a)
		}
	}
	if attrs == nil {
		return nil
	}
	for a := range w.want.Kind.Arguments() {
		if a.Triggers(changed) && !slices.Contains(attrs, a) && schema.Stated(w.want, a.Name) {
			attrs = append(attrs, a)
		}
	}
	return attrs
}

// put updates the object in place, if there is anything to send.
func (w *write) put(ctx context.Context, attrs []*schema.Attr) error {
	if len(attrs) == 0 {
		return nil
	}
	body, err := w.body(attrs)
	if err != nil {
		return err
	}
	return w.send(ctx, http.MethodPut, w.kind.API.Item, body)
}

// run sends the acts for those of the changed attributes that the host does not
// have right already.
func (w *write) run(ctx context.Context, acts []act, changed []string) error {
	for _, act := range acts {
		a := w.want.Kind.Attr(act.Attr)
		v, _ := w.want.Get(act.Attr).UnmarkDeep()
		if !slices.Contains(changed, act.Attr) || !act.fits(v) || a.Equal(w.now.Get(act.Attr), v) {
			continue
		}
		var body any
		if act.As != "" && !v.IsNull() {
			value, err := w.value(a)
			if err != nil {
				return err
			}
			body = map[string]any{act.As: value}
		}
		if err := w.send(ctx, act.Method, act.Path, body); err != nil {
			return err
		}
		w.sent = append(w.sent, a)
	}
	return nil
}

// finish does what comes after the update and compares the outcome with what
// was sent.
func (w *write) finish(ctx context.Context, changed []string) error {
	if err := w.run(ctx, w.kind.API.After, changed); err != nil {
		return err
	}
	if w.kind.API.Settle != nil && w.answer != nil {
		if err := w.kind.API.Settle(ctx, w, decode(w.kind, "", nil).read(w.answer)); err != nil {
			return err
		}
	}
	return w.verify()
}

// send makes one request and takes the object from its answer.
func (w *write) send(ctx context.Context, method, template string, body any) error {
	do := w.p.client.Post
	if method == http.MethodPut {
		do = w.p.client.Put
	}
	var answer json.RawMessage
	if _, err := do(ctx, place(template, w.now), body, &answer); err != nil {
		return discreet(w.want, needing(w.kind, err))
	}
	return w.take(answer)
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
	if err != nil {
		return err
	}
	w.now, w.answer = now, answer
	return nil
}
