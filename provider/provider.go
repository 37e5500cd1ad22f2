package provider

import (
	"context"
	"slices"
	"sync"

	"hew/provider/client"
	"hew/schema"
)

// Provider reads and writes the objects of one host. It is safe for concurrent
// use; how much goes on at once is the client's business.
type Provider struct {
	client   *client.Client
	registry func() registry
	lag      *lag
}

// New returns a provider that sends through c and offers the kinds of this
// package and those given. With a client that only reads (see [client.Config])
// every write fails before anything is sent. A nil client is enough to use the
// catalogue alone, such as for checking a configuration offline.
//
// Objects belong to the catalogue that their kind is from, so a program calls New
// once and takes [Provider.WithClient] for each host. The error names every kind
// whose name is taken, and every name in a kind that leads nowhere.
func New(c *client.Client, kinds ...Kind) (*Provider, error) {
	if len(kinds) == 0 {
		return &Provider{c, standard, newLag()}, nil
	}
	all := builtin()
	for _, k := range kinds {
		k.Table = slices.Clone(k.Table) // the original stays as it was declared
		all = append(all, k)
	}
	made, err := newRegistry(all)
	if err != nil {
		return nil, err
	}
	return &Provider{c, func() registry { return made }, newLag()}, nil
}

// Kinds returns the catalogue of this package's kinds alone: that of every
// provider to which New adds none. It is read-only.
func Kinds() schema.Catalog { return standard().catalog }

// standard returns the kinds of this package. It makes them when it is first asked
// for them: most commands need them, but not hew version or hew help.
var standard = sync.OnceValue(func() registry {
	all, err := newRegistry(builtin())
	if err != nil {
		panic(err) // a mistake in a table of this package
	}
	return all
})

// WithClient returns a provider of the same kinds that sends through c.
func (p *Provider) WithClient(c *client.Client) *Provider {
	return &Provider{c, p.registry, newLag()}
}

// Kinds returns the catalogue of all kinds. It is read-only.
func (p *Provider) Kinds() schema.Catalog { return p.registry().catalog }

// kind returns what is behind a kind of the catalogue of this provider.
func (p *Provider) kind(of *schema.Kind) (*Kind, error) { return p.registry().kind(of) }

// Client returns the client that the provider sends through, for the functions of a [REST].
func (p *Provider) Client() *client.Client { return p.client }

// Requests returns the number of requests sent so far, retries included.
func (p *Provider) Requests() int { return p.client.Stats().Total() }

// Self returns the user of the token (gaps §2.1).
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

// runParallel runs do for 0 … n-1 side by side and waits for all.
func runParallel(n int, do func(i int)) {
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { do(i) })
	}
	wg.Wait()
}
