package session

import (
	"cmp"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"time"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"hew/cmd/hew/usage"
	"hew/cmd/hew/workdir"
	"hew/provider"
	"hew/provider/client"
	"hew/reconcile"
	"hew/reconcile/config"
	"hew/reconcile/report"
	"hew/schema"
)

// Env is what sessions are opened in: the directory, the environment and the build of a run.
type Env struct {
	Dir     workdir.Dir
	Environ map[string]string  // the environment variables
	Version string             // of the build
	Offline *provider.Provider // of all kinds that can be declared, without a host
	Log     *slog.Logger
	Shared  *Shared // of a run in several directories; nil in one

	// Silent is called while the host has not answered for some time; see [client.Config]. It may
	// be nil.
	Silent func(client.Silence)

	// While the configuration of a commit is loaded: the top of its checkout, and the directory
	// that the names of -var-file are relative to.
	tree, varsDir workdir.Dir
}

// Options are the flags that say what a session works with.
type Options struct {
	Vars        []usage.Assignment
	Answers     []config.Var // values of variables that a person has typed
	Ledger      string       // "none", or "" for the one that the configuration names
	Base        string       // a commit whose configuration replaces the ledger
	Parallelism int          // requests and changes in flight at most; 0 adapts to the host
	LockTimeout time.Duration
	Writes      bool              // the run may change the host, so it takes the lock
	Partial     bool              // variables may lack a value
	Browse      bool              // expressions may use every attribute of every object
	Overlay     map[string][]byte // contents that replace those of files in the directory, by name
	Notify      func(reconcile.Event)
}

// Kinds returns all kinds that can be declared.
func (e Env) Kinds() schema.Catalog { return e.Offline.Kinds() }

// Path returns the path of a file that the user named.
func (e Env) Path(name string) string { return e.Dir.Path(name) }

// Lookup is os.LookupEnv for the environment of this run.
func (e Env) Lookup(name string) (string, bool) {
	v, ok := e.Environ[name]
	return v, ok
}

// Who names this run to others that wait for its lock.
func (e Env) Who() string {
	name := cmp.Or(e.Environ["GITLAB_USER_LOGIN"], e.Environ["USER"], e.Environ["LOGNAME"], "unknown")
	if host, err := os.Hostname(); err == nil {
		name += "@" + host
	}
	return name
}

// Host returns a client for the host that the provider block names, or the environment. It can
// write if the run may; planning uses a read-only view of it.
func (e Env) Host(cfg *config.Config, o Options) (*client.Client, hcl.Diagnostics) {
	c, diags := e.hostConfig(cfg)
	if diags.HasErrors() {
		return nil, diags
	}
	if c.Token == "" {
		diags = append(diags, report.Problem("Missing token", "hew signs in to the host with a token. Set "+
			"HEW_TOKEN (or GITLAB_TOKEN), or token in the provider block."))
	}
	c.MaxWidth = cmp.Or(o.Parallelism, c.MaxWidth)
	made, err := e.Shared.client(e.configure(c, o.Writes))
	if err != nil {
		diags = append(diags, report.Problem("Invalid connection settings", "%s.", err))
	}
	return made, diags
}

// ReadOnlyHost returns a provider that cannot write, for the host that the environment names.
func (e Env) ReadOnlyHost(parallelism int) (*provider.Provider, error) {
	c := client.FromEnv(e.Lookup)
	if c.Token == "" {
		return nil, errors.New("missing token: hew signs in to the host with a token. Set HEW_TOKEN (or GITLAB_TOKEN)")
	}
	c.MaxWidth = parallelism
	made, err := client.New(e.configure(c, false))
	if err != nil {
		return nil, fmt.Errorf("invalid connection settings: %w", err)
	}
	return e.Offline.WithClient(made), nil
}

// configure completes the configuration of a client with what is the same for all.
func (e Env) configure(c client.Config, writes bool) client.Config {
	c.ReadOnly, c.UserAgent, c.Log, c.Silent = !writes, "hew/"+e.Version, e.Log, e.Silent
	return c
}

// hostConfig returns what the provider block and the environment say about the host.
func (e Env) hostConfig(cfg *config.Config) (client.Config, hcl.Diagnostics) {
	c := client.FromEnv(e.Lookup)
	given, diags := cfg.Provider()
	if given.BaseURL != "" {
		c.BaseURL, c.URLFrom = given.BaseURL, "the provider block"
	}
	if token := given.Token; token != cty.NilVal {
		plain, _ := token.Unmark()
		c.Token, c.TokenFrom = plain.AsString(), blockToken
	}
	c.MaxWidth = given.Concurrency
	if given.BaseURL != "" && !diags.HasErrors() {
		diags = append(diags, e.checkTokenHost(c, given.DeclRange)...)
	}
	return c, diags
}
