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

// Delete deletes the object. It succeeds if there is none.
func (p *Provider) Delete(ctx context.Context, o schema.Object) error {
	k, err := p.kind(o.Kind)
	if err != nil {
		return err
	}
	if k.API.Disable != nil {
		w := &Write{p: p, kind: k, want: o, now: o}
		return ignoreNotFound(k, w.send(ctx, cmp.Or(k.API.Update, http.MethodPut), k.API.Item,
			maps.Clone(k.API.Disable)))
	}
	item := cmp.Or(k.API.Delete, k.API.Item)
	if k.isInvitation(o) {
		item = k.API.Invitations + "/{id}"
	}
	query, rest, err := splitQuery(item, o)
	if err != nil {
		return err
	}
	if k.API.Delete != "" {
		for name, values := range rest {
			query[name] = values
		}
	}
	_, err = p.client.Delete(ctx, pathOf(item, o), query, nil)
	if k.API.ReleaseForDelete == nil || !client.IsForbidden(err) {
		return ignoreNotFound(k, err)
	}
	if kept := k.API.ReleaseForDelete(ctx, p, o); kept != nil {
		return fmt.Errorf("%w; %w", withRole(k, err), kept)
	}
	_, err = p.client.Delete(ctx, pathOf(item, o), query, nil)
	return ignoreNotFound(k, err)
}

// ignoreNotFound takes what is not there for deleted.
func ignoreNotFound(k *Kind, err error) error {
	if client.IsNotFound(err) && !client.IsUnsupported(err) {
		return nil
	}
	return withRole(k, err)
}
