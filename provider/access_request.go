package provider

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"hew/provider/client"
	"hew/schema"
)

// Requests for access (gaps §5.2) are users who ask to become members. They are not members
// and change no plan: adding the user as a member grants a request. They are looked up by
// user for members that are to be created, and all together for the notes of a plan.

// accessRequestsOf returns the lookup of the members who have requested access at a path,
// which is listed once for all users of an owner. A request that the host does not show,
// for want of the endpoint or of a permission, is Absent.
func accessRequestsOf(path string) func(context.Context, *Provider, []schema.Ask) []schema.Reading {
	return func(ctx context.Context, p *Provider, asks []schema.Ask) []schema.Reading {
		byOwner := map[string][]int{}
		var owners []string
		for i, ask := range asks {
			if byOwner[ask.Owner] == nil {
				owners = append(owners, ask.Owner)
			}
			byOwner[ask.Owner] = append(byOwner[ask.Owner], i)
		}
		readings := make([]schema.Reading, len(asks))
		runParallel(len(owners), func(n int) {
			users, err := p.accessRequests(ctx, client.To(path, owners[n]))
			for _, i := range byOwner[owners[n]] {
				readings[i] = schema.Reading{State: schema.Absent}
				if asks[i].Key == schema.AllRequests && err == nil {
					readings[i] = schema.Reading{Objects: applicants(asks[i].Kind, users)}
				} else if id, asked := users[strings.ToLower(asks[i].Key)]; asked && err == nil {
					readings[i] = schema.Reading{Objects: []schema.Object{{Kind: asks[i].Kind, ID: id}}}
				}
			}
		})
		return readings
	}
}

// applicants returns the users who have requested access as objects with their usernames as
// notes.
func applicants(k *schema.Kind, users map[string]string) (all []schema.Object) {
	for name, id := range users {
		if name != id {
			all = append(all, schema.Object{Kind: k, ID: id, Note: name})
		}
	}
	slices.SortFunc(all, func(a, b schema.Object) int { return strings.Compare(a.Note, b.Note) })
	return all
}

// accessRequests returns the ids of the users who have requested access, by id and by
// username in lower case.
func (p *Provider) accessRequests(ctx context.Context, at client.Path) (map[string]string, error) {
	users := map[string]string{}
	listing, err := p.client.List(ctx, at, nil)
	if err != nil {
		return nil, err
	}
	for u, err := range client.Items[struct {
		ID       json.Number `json:"id"`
		Username string      `json:"username"`
	}](listing) {
		if err != nil {
			return nil, err
		}
		users[u.ID.String()], users[strings.ToLower(u.Username)] = u.ID.String(), u.ID.String()
	}
	return users, nil
}
