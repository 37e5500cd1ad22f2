package provider

import (
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"slices"

	"hew/provider/client"
	"hew/schema"
)

// Write is one creation or update in progress, from the object as it is to the one
// that is wanted.
type Write struct {
	p      *Provider
	kind   *Kind
	want   schema.Object
	now    schema.Object   // as the host last answered
	answer json.RawMessage // of the last request
	sent   []*Attr
}

// Create makes the object and returns what then exists, with all attributes that
// the host answered, even beside an error. The error wraps [schema.ErrExists] if
// the key is taken, [schema.ErrUnknown] if the object may have been created, and
// [schema.ErrUnseen] if it must be replaced.
func (p *Provider) Create(ctx context.Context, want schema.Object) (schema.Object, error) {
	k, err := p.kind(want.Kind)
	if err != nil {
		return schema.Object{Kind: want.Kind}, err
	}
	w := &Write{p: p, kind: k, want: want, now: schema.Object{Kind: want.Kind, Value: want.Value}}
	if k.isInvitation(want) {
		err := runSteps(ctx, w.invite, w.verify)
		return w.now, err
	}
	stated := k.statedNames(want)
	var first, later []*Attr
	for _, name := range stated {
		switch a := k.row(name); {
		case a.AfterCreate:
			later = append(later, a)
		case !hasActionFor(k.API.After, name):
			first = append(first, a)
		}
	}
	err = runSteps(ctx, w.create(first), w.putLate(later), w.runActions(k.API.After, stated), w.afterWrite, w.verify)
	if w.now.ID == "" {
		return schema.Object{Kind: want.Kind}, err
	}
	p.lag.recordCreation(w.now)
	return w.now, err
}

// Update makes a live object have what is assigned: it sends what differs and the
// attributes that must go along. An object that is marked for deletion is restored
// first. Update returns what then exists, even beside an error.
func (p *Provider) Update(ctx context.Context, live schema.Object, to []schema.Assign) (schema.Object, error) {
	k, err := p.kind(live.Kind)
	if err != nil {
		return live, err
	}
	want, changed := schema.Assigned(live, to)
	w := &Write{p: p, kind: k, want: want, now: live}
	if k.isInvitation(live) {
		err := runSteps(ctx, func(ctx context.Context) error { return w.reinvite(ctx, changed) }, w.verify)
		return w.now, err
	}
	if k.API.Recreate {
		err := runSteps(ctx, w.recreate, w.verify)
		return w.now, err
	}
	err = runSteps(ctx, w.restore, w.runActions(k.API.Before, changed), w.put(w.updateAttrs(changed)),
		w.runActions(k.API.After, changed), w.afterWrite, w.verify)
	return w.now, err
}

// step is a part of a write. It may have nothing to do.
type step func(ctx context.Context) error

// runSteps runs the steps in order until one fails.
func runSteps(ctx context.Context, list ...step) error {
	for _, s := range list {
		if err := s(ctx); err != nil {
			return err
		}
	}
	return nil
}

func (w *Write) restore(ctx context.Context) error {
	if w.now.State != schema.PendingDeletion || w.kind.API.Restore == "" {
		return nil
	}
	return w.send(ctx, http.MethodPost, w.kind.API.Restore, nil)
}

// updateAttrs returns the changed attributes that an update carries and, unless there
// are none, those that go with them.
func (w *Write) updateAttrs(changed []string) []*Attr {
	var attrs []*Attr
	for _, name := range changed {
		a := w.kind.row(name)
		if a.Mode != schema.Computed && !a.SentOnce() && !hasActionFor(w.kind.API.Before, name) &&
			!hasActionFor(w.kind.API.After, name) {
			attrs = append(attrs, a)
		}
	}
	if attrs == nil {
		return nil
	}
	for i := range w.kind.Table {
		a := &w.kind.Table[i]
		if a.Triggers(changed) && !slices.Contains(attrs, a) && schema.Stated(w.want, a.Name) {
			attrs = append(attrs, a)
		}
	}
	return attrs
}

// put updates the object in place, if there is anything to send.
func (w *Write) put(attrs []*Attr) step {
	return func(ctx context.Context) error {
		if len(attrs) == 0 {
			return nil
		}
		body, err := w.body(attrs, (*Attr).updateName)
		if err == nil && w.kind.API.UpdateBody != nil {
			err = w.kind.API.UpdateBody(ctx, w, body)
		}
		if err != nil {
			return err
		}
		return w.send(ctx, cmp.Or(w.kind.API.Update, http.MethodPut), w.kind.API.Item, body)
	}
}

// runActions runs the actions for the changed attributes, unless the host already has
// the wanted values.
func (w *Write) runActions(acts []Action, changed []string) step {
	return func(ctx context.Context) error {
		for _, act := range acts {
			a := w.kind.row(act.Attr)
			v, _ := w.want.Get(act.Attr).UnmarkDeep()
			if !slices.Contains(changed, act.Attr) || !act.changesTo(v) || a.Equal(w.now.Get(act.Attr), v) {
				continue
			}
			if err := w.runAction(ctx, act, a); err != nil {
				return err
			}
		}
		return nil
	}
}

func (w *Write) runAction(ctx context.Context, act Action, a *Attr) error {
	if act.Run != nil {
		w.sent = append(w.sent, a)
		return act.Run(ctx, w)
	}
	var body any
	if act.Parameter != "" && schema.Stated(w.want, a.Name) {
		value, err := w.value(a)
		if err != nil {
			return err
		}
		body = map[string]any{act.Parameter: value}
	}
	if err := w.send(ctx, act.Method, act.Path, body); err != nil {
		return err
	}
	w.sent = append(w.sent, a)
	return nil
}

// afterWrite runs the AfterWrite of the kind.
func (w *Write) afterWrite(ctx context.Context) error {
	if w.kind.API.AfterWrite == nil || w.answer == nil {
		return nil
	}
	return w.kind.API.AfterWrite(ctx, w, newDecoder(w.kind, "", nil).read(w.answer))
}

// send makes one request and decodes the object from its answer.
func (w *Write) send(ctx context.Context, method, template string, body any) error {
	do := map[string]func(context.Context, client.Path, any, any) (client.Reply, error){
		http.MethodPost: w.p.client.Post, http.MethodPut: w.p.client.Put, http.MethodPatch: w.p.client.Patch,
	}[method]
	query, _, err := splitQuery(template, w.now)
	if err != nil {
		return err
	}
	var answer json.RawMessage
	err = w.p.lag.retryLag(ctx, func() error {
		_, err := do(ctx, pathOf(template, w.now), withQuery(body, query), &answer)
		return err
	}, func(err error) bool { return w.isReplicaLag(err) || w.isSharedCollision(method, template, err) })
	if err != nil {
		return explainUnsupported(w.kind, template, hideSecrets(w.want, withRole(w.kind, err)))
	}
	switch {
	case w.kind.API.Within != "":
		return w.rereadWithin(ctx)
	case len(answer) == 0 || string(answer) == "true": // done, without the object
		if answer, err = w.p.getWhole(ctx, w.kind, w.now, nil); err != nil {
			return err
		}
	}
	return w.decodeAnswer(answer)
}

// decodeAnswer makes the answer the current object, with all attributes: conditions
// and outputs need more than the stated ones.
func (w *Write) decodeAnswer(answer json.RawMessage) error {
	d := w.p.decoder(w.kind, ownerID(w.now), nil)
	d.brief = w.kind.API.ReadAfterCreate && w.now.ID == ""
	now, err := d.object(answer)
	if err != nil {
		return err
	}
	w.now, w.answer = now, answer
	return nil
}

// ownerID returns the id of the object's owner, or "".
func ownerID(o schema.Object) string {
	if a := o.Kind.Owner(); a != nil {
		if r := schema.AsRef(o.Get(a.Name)); r != nil {
			return r.ID
		}
	}
	return ""
}
