package provider

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"net/http"

	"hew/provider/client"
	"hew/schema"
)

// Delete removes the object. What is gone already is no error.
func (p *Provider) Delete(ctx context.Context, o schema.Object) error {
	k, err := p.kind(o.Kind)
	if err != nil {
		return err
	}
	if k.API.Disable != nil {
		w := &Write{p: p, kind: k, want: o, now: o}
		return gone(k, w.send(ctx, cmp.Or(k.API.Update, http.MethodPut), k.API.Item, maps.Clone(k.API.Disable)))
	}
	item := cmp.Or(k.API.Delete, k.API.Item)
	if k.invites(o) {
		item = k.API.Invitations + "/{id}"
	}
	query, rest, err := which(item, o)
	if err != nil {
		return err
	}
	if k.API.Delete != "" {
		for name, values := range rest {
			query[name] = values
		}
	}
	_, err = p.client.Delete(ctx, place(item, o), query, nil)
	if k.API.ReleaseForDelete == nil || !client.IsForbidden(err) {
		return gone(k, err)
	}
	if kept := k.API.ReleaseForDelete(ctx, p, o); kept != nil {
		return fmt.Errorf("%w; %w", needing(k, err), kept)
	}
	_, err = p.client.Delete(ctx, place(item, o), query, nil)
	return gone(k, err)
}

// gone takes what is not there for deleted.
func gone(k *Kind, err error) error {
	if client.IsNotFound(err) && !client.IsUnsupported(err) {
		return nil
	}
	return needing(k, err)
}
