package provider

import (
	"context"
	"encoding/json"
	"net/url"
	"slices"
	"strings"

	"hew/provider/client"
	"hew/schema"
)

// decodeUser sets a Note for bots, and for users of whom the host does not say whether
// they are: nobody must be mistaken for a person.
func decodeUser(_ *Decoder, r Record, o *schema.Object) error {
	switch _, told := r["bot"]; {
	case r.IsTrue("bot"):
		o.Note = "bot"
	case !told:
		o.Note = "the host does not say whether it is a bot"
	}
	return nil
}

// manyUsers is the number of names from which listing all users may take fewer
// requests.
const manyUsers = 50

// lookUpUsers finds users by name or e-mail address, one request each. For many names
// it tries the list of all users first, if that is shorter.
func lookUpUsers(ctx context.Context, p *Provider, asks []schema.Ask) []schema.Reading {
	known := map[string]schema.Object{}
	if len(asks) > manyUsers {
		known = p.allUsers(ctx, asks)
	}
	readings := make([]schema.Reading, len(asks))
	runParallel(len(asks), func(i int) {
		if o, ok := known[foldCase(asks[i].Key)]; ok {
			readings[i] = schema.Reading{Objects: []schema.Object{o}}
		} else {
			readings[i] = p.lookUpUser(ctx, asks[i])
		}
	})
	return readings
}

func (p *Provider) lookUpUser(ctx context.Context, ask schema.Ask) schema.Reading {
	k, err := p.kind(ask.Kind)
	if err != nil {
		return schema.Reading{State: schema.Unreadable, Err: err}
	}
	attrs, by := []string{"username"}, "username"
	if strings.Contains(ask.Key, "@") {
		attrs, by = []string{"email", "public_email"}, "search"
	}
	var rows []json.RawMessage
	if _, err := p.client.Get(ctx, client.To("users"), url.Values{by: {ask.Key}}, &rows); err != nil {
		return failedReading(k, err)
	}
	keep := ask.Keep
	if keep != nil {
		keep = slices.Concat(keep, attrs)
	}
	d := newDecoder(k, "", keep)
	for _, raw := range rows {
		o, err := d.object(raw)
		if err != nil {
			return schema.Reading{State: schema.Unreadable, Err: err}
		}
		for _, attr := range attrs {
			if foldCase(stringOf(o, attr)) == foldCase(ask.Key) {
				return schema.Reading{Objects: []schema.Object{o}}
			}
		}
	}
	return schema.Reading{State: schema.Absent}
}

// allUsers finds the users asked for in the list of all users, by lower-case name. It
// returns none if the list is longer than the asks, uncounted or forbidden.
func (p *Provider) allUsers(ctx context.Context, asks []schema.Ask) map[string]schema.Object {
	const page = 100
	found := map[string]schema.Object{}
	k, err := p.kind(asks[0].Kind)
	if err != nil {
		return found
	}
	listing, err := p.client.List(ctx, client.To("users"), nil)
	if err != nil || listing.Total < 0 || (listing.Total+page-1)/page >= len(asks) {
		return found
	}
	wanted := map[string]bool{}
	for _, ask := range asks {
		wanted[foldCase(ask.Key)] = true
	}
	d := newDecoder(k, "", nil)
	for raw, err := range client.Items[json.RawMessage](listing) {
		if err != nil {
			break // the others are looked up one by one
		}
		if o, err := d.object(raw); err == nil && wanted[foldCase(stringOf(o, "username"))] {
			found[foldCase(stringOf(o, "username"))] = o
		}
	}
	return found
}

func foldCase(s string) string { return strings.ToLower(s) }
