package provider

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"slices"

	"hew/provider/client"
	"hew/schema"
)

// create posts the object. If the request may have taken effect, the object in the
// collection with the same key is taken for the new one.
func (w *Write) create(attrs []*Attr) step {
	return func(ctx context.Context) error {
		body, err := w.body(attrs, (*Attr).createName)
		if err != nil {
			return err
		}
		if w.kind.API.CreateBody != nil {
			if err := w.kind.API.CreateBody(w.want, body); err != nil {
				return err
			}
		}
		err = w.send(ctx, cmp.Or(w.kind.API.Create, http.MethodPost), w.kind.API.Items, body)
		switch {
		case err == nil && w.kind.API.ReadAfterCreate:
			return w.readAfterCreate(ctx)
		case client.IsConflict(err) && w.keyIsTaken(ctx):
			return fmt.Errorf("%w: %w", schema.ErrExists, err)
		case client.IsUnknown(err):
			there, ok := w.p.findByKey(ctx, w.want)
			if !ok {
				return fmt.Errorf("%w: %w", schema.ErrUnknown, err)
			}
			w.now = there
			if w.kind.hasItem() {
				raw, _, unread := w.p.get(ctx, w.kind, there)
				if unread != nil {
					return fmt.Errorf("%w: %w", schema.ErrUnknown, unread)
				}
				if unread := w.decodeAnswer(raw); unread != nil {
					return unread
				}
			}
			if len(w.now.Unseen()) > 0 {
				return fmt.Errorf("%w: %w", schema.ErrUnseen, err)
			}
			return nil
		}
		return err
	}
}

// putLate updates the attributes that creations ignore, unless the host already has
// the wanted values.
func (w *Write) putLate(late []*Attr) step {
	return func(ctx context.Context) error {
		return w.put(slices.DeleteFunc(late, func(a *Attr) bool {
			got, answered := w.now.Value.Get(a.Name)
			return answered && a.Agrees(w.want.Get(a.Name), got)
		}))(ctx)
	}
}

// readAfterCreate reads the object, and keeps the values that only the answer to the
// creation has.
func (w *Write) readAfterCreate(ctx context.Context) error {
	once := w.now
	raw, _, err := w.p.get(ctx, w.kind, once)
	if err != nil {
		return fmt.Errorf("the %s was created but cannot be read: %w", w.kind.Name, err)
	}
	if err := w.decodeAnswer(raw); err != nil {
		return err
	}
	for a, v := range once.Value.All() {
		if _, told := w.now.Value.Get(a.Name); !told {
			w.now.Value.Set(a, v)
		}
	}
	return nil
}
