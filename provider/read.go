package provider

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"net/url"
	"slices"
	"strings"

	"hew/provider/client"
	"hew/schema"
)

// Read lists whole collections in parallel. A failure is in the Reading of its own
// collection.
func (p *Provider) Read(ctx context.Context, queries []schema.Query) []schema.Reading {
	readings := make([]schema.Reading, len(queries))
	runParallel(len(queries), func(i int) { readings[i] = p.list(ctx, queries[i]) })
	return readings
}

func (p *Provider) list(ctx context.Context, q schema.Query) schema.Reading {
	k, err := p.kind(q.Kind)
	if err != nil {
		return schema.Reading{State: schema.Unreadable, Err: err}
	}
	owner := ownerOfPath(k.Collection, q.Path)
	objects, err := p.rows(ctx, k, owner, q)
	if err == nil {
		return schema.Reading{Objects: objects}
	}
	return p.explainUnlisted(ctx, k, owner, err)
}

// decoder returns a decoder of what this provider's host answers.
func (p *Provider) decoder(k *Kind, owner string, keep []string) *Decoder {
	d := newDecoder(k, owner, keep)
	d.host = p.client.Host()
	return d
}

// rows reads the objects of a collection, a listing page by page.
func (p *Provider) rows(ctx context.Context, k *Kind, owner string, q schema.Query) ([]schema.Object, error) {
	values, err := url.ParseQuery(q.Query)
	if err != nil {
		return nil, fmt.Errorf("the query of %s: %w", q.Collection, err)
	}
	at := client.To(q.Path)
	if owner != "" {
		template, _, _ := strings.Cut(k.Collection, "?")
		at = client.To(template, owner)
	}
	keep := q.Keep
	if keep == nil {
		keep = []string{} // nil keeps all
	}
	d := p.decoder(k, owner, keep)
	if q.Trace {
		d.withTraces()
	}
	if k.Holds != schema.Many || k.API.Within != "" {
		return d.objects(p.readWithin(ctx, d, at, values, keep), 1)
	}
	listing, err := p.client.List(ctx, at, values)
	if err != nil {
		return nil, err
	}
	d.brief = k.API.ReadEach
	objects, err := d.objects(client.Items[json.RawMessage](listing), max(listing.Total, 0))
	if err == nil && k.API.ReadEach {
		d.brief = false
		return p.readEach(ctx, d, objects)
	}
	if err != nil || k.API.Invitations == "" || owner == "" || !slices.Contains(keep, mail) {
		return objects, err // a list with inherited members has no owner, and no invitations
	}
	waiting, err := p.invitations(ctx, d, owner)
	return append(objects, waiting...), err
}

// readEach reads the listed objects one by one. It leaves out those that are gone or
// that the token cannot read.
func (p *Provider) readEach(ctx context.Context, d *Decoder, listed []schema.Object) ([]schema.Object, error) {
	rows, errs := make([]json.RawMessage, len(listed)), make([]error, len(listed))
	runParallel(len(listed), func(i int) { rows[i], _, errs[i] = p.get(ctx, d.kind, listed[i]) })
	return d.objects(func(yield func(json.RawMessage, error) bool) {
		for i, row := range rows {
			if client.IsNotFound(errs[i]) || client.IsForbidden(errs[i]) {
				continue
			}
			if !yield(row, errs[i]) {
				return
			}
		}
	}, len(rows))
}

// objects decodes rows. It drops objects that the host repeats because the list
// changed meanwhile, and those that are Absent.
func (d *Decoder) objects(rows iter.Seq2[json.RawMessage, error], total int) ([]schema.Object, error) {
	objects := make([]schema.Object, 0, total)
	seen := make(map[string]bool, total)
	for raw, err := range rows {
		if err != nil {
			return nil, err
		}
		o, err := d.object(raw)
		if err != nil {
			return nil, err
		}
		if !seen[o.ID] && o.State != schema.Absent {
			seen[o.ID] = true
			objects = append(objects, o)
		}
	}
	return objects, nil
}

// readWithin yields the one object in the place of a list, or the objects that it
// holds. Null yields nothing.
func (p *Provider) readWithin(ctx context.Context, d *Decoder, at client.Path, query url.Values,
	keep []string) iter.Seq2[json.RawMessage, error] {
	k := d.kind
	return func(yield func(json.RawMessage, error) bool) {
		var whole json.RawMessage
		_, err := p.client.Get(ctx, at, query, &whole)
		if owner := d.Owner(); err == nil && owner != nil {
			of := schema.Object{Kind: &k.Kind}
			of.Value.Set(d.owner, d.of)
			whole, err = p.addLists(ctx, k, of, keep, whole)
		}
		rows := []json.RawMessage{whole}
		switch {
		case err != nil:
		case isNull(whole) && k.Holds == schema.One:
			err = fmt.Errorf("the host answered null for the %s", k.Name)
		case isNull(whole):
			return
		case k.API.Within != "":
			rows, err = itemsWithin(k, whole)
		}
		if err != nil {
			yield(nil, err)
			return
		}
		for _, row := range rows {
			if !yield(row, nil) {
				return
			}
		}
	}
}

// itemsWithin returns the objects of a kind in the answer that holds them.
func itemsWithin(k *Kind, whole []byte) (rows []json.RawMessage, err error) {
	for name, value := range members(whole) {
		if string(name) == k.API.Within {
			return rows, json.Unmarshal(value, &rows)
		}
	}
	return nil, fmt.Errorf("the host does not show the %s of the %s; this requires %s", k.API.Within, k.Owner().Name,
		k.Need)
}

// ownerOfPath returns the value of the template's variable in a path, or "" if the
// collection has no owner.
func ownerOfPath(template, path string) string {
	template, _, _ = strings.Cut(template, "?")
	before, rest, ok := strings.Cut(template, "{")
	_, after, _ := strings.Cut(rest, "}")
	if !ok || !strings.HasPrefix(path, before) || !strings.HasSuffix(path, after) ||
		len(path) <= len(before)+len(after) {
		return ""
	}
	return path[len(before) : len(path)-len(after)]
}

// explainUnlisted returns why a collection could not be read. After a 404 it reads
// the owner: if that exists, the host lacks the feature.
func (p *Provider) explainUnlisted(ctx context.Context, k *Kind, owner string, err error) schema.Reading {
	if a := k.Owner(); client.IsNotFound(err) && !client.IsUnsupported(err) && a != nil && owner != "" {
		of, unknown := p.kind(p.Kinds().Named(a.RefKind()))
		if unknown != nil {
			return failedReading(k, unknown)
		}
		_, _, ownerErr := p.get(ctx, of, schema.Object{Kind: &of.Kind, ID: owner})
		switch {
		case client.IsNotFound(ownerErr):
			err := fmt.Errorf("%s %s does not exist, or the token cannot see it: %w", of.Name, owner, ownerErr)
			return schema.Reading{State: schema.OwnerAbsent, Err: err}
		case ownerErr != nil:
			return failedReading(of, ownerErr)
		case k.Holds == schema.OneOrNone || k.API.EmptyIs404:
			return schema.Reading{} // none yet
		}
		return unsupportedReading(k, err)
	}
	return failedReading(k, err)
}
