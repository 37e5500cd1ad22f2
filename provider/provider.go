package provider

import (
	"context"
	"sync"

	"hew/provider/client"
	"hew/schema"
)

// Provider reads and writes the objects of one host. It is safe for concurrent
// use; how much goes on at once is the client's business.
type Provider struct {
	client  *client.Client
	catalog schema.Catalog
	kinds   map[*schema.Kind]*kind
}

// New returns a provider that sends through c. With a client that only reads
// (see [client.Config]) every write fails before anything is sent.
func New(c *client.Client) *Provider {
	kinds, by := index()
	return &Provider{c, kinds, by}
}

// Kinds is the catalogue of all kinds, the same for every host.
func (p *Provider) Kinds() schema.Catalog { return p.catalog }

// Requests is the number of requests sent so far, retries included.
func (p *Provider) Requests() int { return p.client.Stats().Total() }

// Self is the user behind the token (gaps §2.1).
func (p *Provider) Self(ctx context.Context) (schema.Self, error) {
	var me struct {
		ID       int64  `json:"id"`
		Username string `json:"username"`
		Admin    bool   `json:"is_admin"`
	}
	if _, err := p.client.Get(ctx, client.To("user"), nil, &me); err != nil {
		return schema.Self{}, err
	}
	return schema.Self{ID: decimal(me.ID), Username: me.Username, Admin: me.Admin}, nil
}

// each runs do for 0 … n-1 side by side and waits for all.
func each(n int, do func(i int)) {
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { do(i) })
	}
	wg.Wait()
}
