package session

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
	"hew/reconcile/report"
)

// Shared is what the directories of one run share: a client for each host and token, which limits
// the rate of all of them, and what they read there. It is nil in a run of a single directory.
type Shared struct {
	loading sync.WaitGroup // directories that are not loaded yet

	mu      sync.Mutex
	clients map[[2]string]*client.Client // by host and token
	shared  map[*client.Client]*reconcile.Shared
	opened  map[string]*Session // by directory: those with a ledger
}

// NewShared returns what n directories share.
func NewShared(n int) *Shared {
	s := &Shared{clients: map[[2]string]*client.Client{}, shared: map[*client.Client]*reconcile.Shared{},
		opened: map[string]*Session{}}
	s.loading.Add(n)
	return s
}

// WaitLoaded marks a directory as loaded and waits for all others, so that the first one to read
// something knows what the others need of it. It has to be called once for each directory.
func (s *Shared) WaitLoaded() {
	s.loading.Done()
	s.loading.Wait()
}

// Register records the session of a directory.
func (s *Shared) Register(dir string, ses *Session) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if ses.engine.Backend != nil {
		s.opened[dir] = ses
	}
}

// CheckLedger refuses a directory that has the ledger of another one: each would delete what only
// the other declares. It has to be called after WaitLoaded, and returns nil if all is well.
func (s *Shared) CheckLedger(dir string) *hcl.Diagnostic {
	s.mu.Lock()
	defer s.mu.Unlock()
	own := s.opened[dir]
	for _, other := range slices.Sorted(maps.Keys(s.opened)) {
		if own == nil || other == dir || !ledger.SameStorage(own.engine.Backend, s.opened[other].engine.Backend) {
			continue
		}
		d := report.Problem("Shared ledger", "%s and %s use the same ledger, so each would delete the other's "+
			"objects. Neither was planned. Give each a ledger of its own in its hew block.", min(dir, other), max(dir, other))
		if block := own.config.Hew().Ledger; block != nil {
			d.Subject = &block.DeclRange
		}
		return d
	}
	return nil
}

// client returns the client of a host.
func (s *Shared) client(c client.Config) (*client.Client, error) {
	if s == nil {
		return client.New(c)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	key := [2]string{c.BaseURL, c.Token}
	if made := s.clients[key]; made != nil {
		return made, nil
	}
	made, err := client.New(c)
	if err == nil {
		s.clients[key] = made
	}
	return made, err
}

// Requests returns how many requests all directories have sent.
func (s *Shared) Requests() (n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range s.shared {
		n += p.Requests()
	}
	return n
}

// provider returns the host as these configurations see it; base may be nil.
func (s *Shared) provider(p *provider.Provider, host *client.Client, cfg, base *config.Config) reconcile.Provider {
	if s == nil && base == nil {
		return p
	}
	if s == nil {
		return reconcile.Share(p, cfg, base)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.shared[host] == nil {
		s.shared[host] = reconcile.Share(p)
	}
	s.shared[host].AddConfigs(cfg)
	if base != nil {
		s.shared[host].AddConfigs(base)
	}
	return s.shared[host]
}
