package provider

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"

	"hew/provider/client"
	"hew/schema"
)

// Read lists whole collections side by side. A collection that cannot be read
// says so in its own Reading and harms no other.
func (p *Provider) Read(ctx context.Context, queries []schema.Query) []schema.Reading {
	readings := make([]schema.Reading, len(queries))
	each(len(queries), func(i int) { readings[i] = p.list(ctx, queries[i]) })
	return readings
}

func (p *Provider) list(ctx context.Context, q schema.Query) schema.Reading {
	k := p.kinds[q.Kind]
	owner := ownerIn(k.Collection, q.Path)
	objects, err := p.rows(ctx, k, owner, q)
	if err == nil {
		return schema.Reading{Objects: objects}
	}
	return p.unlisted(ctx, k, owner, err)
}

// rows decodes a listing page by page. Rows that the host repeats because the
// list changed meanwhile count once.
func (p *Provider) rows(ctx context.Context, k *kind, owner string, q schema.Query) ([]schema.Object, error) {
	values, err := url.ParseQuery(q.Query)
	if err != nil {
		return nil, fmt.Errorf("the query of %s: %w", q.Collection, err)
	}
	at := client.To(q.Path)
	if owner != "" {
		template, _, _ := strings.Cut(k.Collection, "?")
		at = client.To(template, owner)
	}
	listing, err := p.client.List(ctx, at, values)
	if err != nil {
		return nil, err
	}
	keep := q.Keep
	if keep == nil {
		keep = []string{} // nil would be all
	}
	d := decode(k, owner, keep)
	objects := make([]schema.Object, 0, max(listing.Total, 0))
	seen := make(map[string]bool, max(listing.Total, 0))
	for raw, err := range client.Items[json.RawMessage](listing) {
		if err != nil {
			return nil, err
		}
		o, err := d.object(raw)
		if err != nil {
			return nil, err
		}
		if !seen[o.ID] {
			seen[o.ID] = true
			objects = append(objects, o)
		}
	}
	return objects, nil
}

// ownerIn returns whose collection path is: what stands for the variable of
// the template. It is "" for a collection that nobody owns.
func ownerIn(template, path string) string {
	template, _, _ = strings.Cut(template, "?")
	before, rest, ok := strings.Cut(template, "{")
	_, after, _ := strings.Cut(rest, "}")
	if !ok || !strings.HasPrefix(path, before) || !strings.HasSuffix(path, after) || len(path) <= len(before)+len(after) {
		return ""
	}
	return path[len(before) : len(path)-len(after)]
}

// unlisted explains why a collection could not be read. A 404 may mean that
// its owner is gone or that the host lacks the feature; only the owner tells.
func (p *Provider) unlisted(ctx context.Context, k *kind, owner string, err error) schema.Reading {
	if a := k.Owner(); client.IsNotFound(err) && !client.IsUnsupported(err) && a != nil && owner != "" {
		of := p.kinds[p.catalog.Named(a.Ref)]
		_, _, ownerErr := p.get(ctx, of, schema.Object{Kind: &of.Kind, ID: owner})
		switch {
		case client.IsNotFound(ownerErr):
			err := fmt.Errorf("there is no %s %s, or the token may not see it: %w", of.Name, owner, ownerErr)
			return schema.Reading{State: schema.OwnerAbsent, Err: err}
		case ownerErr != nil:
			return failed(of, ownerErr)
		}
		return unsupported(k, err)
	}
	return failed(k, err)
}
