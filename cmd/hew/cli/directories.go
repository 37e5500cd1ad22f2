package cli

import (
	"maps"
	"slices"
	"sync"

	"github.com/hashicorp/hcl/v2"

	"hew/provider"
	"hew/provider/client"
	"hew/reconcile"
	"hew/reconcile/config"
	"hew/reconcile/ledger"
)

// directories is what the directories of one run share: a client for each host and
// token, which paces all of them, and what they read there. A run of a single
// directory has none.
type directories struct {
	loading sync.WaitGroup // directories that may still say what they need

	mu      sync.Mutex
	clients map[[2]string]*client.Client // by host and token
	shared  map[*client.Client]*reconcile.Shared
	kept    map[string]*connected // by directory: those with a ledger
}

func newDirectories(n int) *directories {
	d := &directories{clients: map[[2]string]*client.Client{}, shared: map[*client.Client]*reconcile.Shared{}, kept: map[string]*connected{}}
	d.loading.Add(n)
	return d
}

// loaded waits until every directory is loaded: what all of them need is known
// then, and the first that reads it reads it for all.
func (d *directories) loaded() {
	d.loading.Done()
	d.loading.Wait()
}

// keep notes which ledger a directory has.
func (d *directories) keep(name string, ses session) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if c, ok := ses.(*connected); ok && c.engine.Backend != nil {
		d.kept[name] = c
	}
}

// shares refuses a directory that has the ledger of another, once all are loaded:
// each would delete what only the other declares.
func (d *directories) shares(name string) *hcl.Diagnostic {
	d.mu.Lock()
	defer d.mu.Unlock()
	own := d.kept[name]
	for _, other := range slices.Sorted(maps.Keys(d.kept)) {
		if own == nil || other == name || !ledger.SameStorage(own.engine.Backend, d.kept[other].engine.Backend) {
			continue
		}
		said := problem("One ledger for two directories", "%s and %s have the same ledger, and each would plan to delete what only the other declares, so neither is planned. "+
			"Give each a ledger of its own in its hew block.", min(name, other), max(name, other))
		if of := own.cfg.Hew().Ledger; of != nil {
			said.Subject = &of.Decl
		}
		return said
	}
	return nil
}

// client is the client of a host.
func (d *directories) client(c client.Config) (*client.Client, error) {
	if d == nil {
		return client.New(c)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	at := [2]string{c.BaseURL, c.Token}
	if made := d.clients[at]; made != nil {
		return made, nil
	}
	made, err := client.New(c)
	if err == nil {
		d.clients[at] = made
	}
	return made, err
}

// requests is how many requests all directories have sent.
func (d *directories) requests() (n int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, p := range d.shared {
		n += p.Requests()
	}
	return n
}

// provider is the host as these configurations see it.
func (d *directories) provider(p *provider.Provider, host *client.Client, cfg, earlier *config.Config) reconcile.Provider {
	if d == nil && earlier == nil {
		return p
	}
	if d == nil {
		return reconcile.Share(p, cfg, earlier)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.shared[host] == nil {
		d.shared[host] = reconcile.Share(p)
	}
	d.shared[host].AddConfigs(cfg)
	if earlier != nil {
		d.shared[host].AddConfigs(earlier)
	}
	return d.shared[host]
}
