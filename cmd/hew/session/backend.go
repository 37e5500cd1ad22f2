package session

import (
	"cmp"
	"context"
	"net/http"
	"path/filepath"
	"strings"
	"time"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"hew/provider/client"
	"hew/reconcile/config"
	"hew/reconcile/ledger"
	"hew/reconcile/report"
	"hew/schema"
)

// LoadBackend returns the ledger of the configuration. It needs no host.
func (e Env) LoadBackend(ctx context.Context, o Options) (ledger.Backend, report.Diagnostics) {
	cfg, found := e.Load(ctx, o)
	if found.HasErrors() {
		return nil, found
	}
	backend, diags := e.Backend(cfg, o)
	found.Diagnostics = append(found.Diagnostics, diags...)
	return backend, found
}

// backendTypes make the backends of ledger blocks, by their labels.
var backendTypes = map[string]func(Env, *config.Config, *ledgerArgs) (ledger.Backend, error){
	"file": Env.fileLedger, "http": Env.httpLedger, "postgres": Env.postgresLedger,
}

// Backend returns the ledger that a configuration names, or nil for -ledger=none.
func (e Env) Backend(cfg *config.Config, o Options) (ledger.Backend, hcl.Diagnostics) {
	if o.Ledger == "none" {
		return nil, nil
	}
	of := cfg.Hew().Ledger
	if of == nil {
		of = &config.LedgerSettings{Type: "file"}
	}
	args := &ledgerArgs{lookup: e.Lookup, of: of}
	b, err := backendTypes[of.Type](e, cfg, args)
	if args.diags.HasErrors() {
		return nil, args.diags
	}
	if err != nil {
		args.fail("", "ledger %q: %s.", of.Type, err)
		return nil, args.diags
	}
	return ledger.WithLockTimeout(b, o.LockTimeout), nil
}

// ledgerName returns where the ledger is, for the log.
func (e Env) ledgerName(cfg *config.Config, o Options) string {
	switch of := cfg.Hew().Ledger; {
	case o.Ledger != "":
		return o.Ledger
	case of != nil && of.Type != "file":
		return of.Type // its address may hold a password
	case of == nil:
		of = &config.LedgerSettings{}
		fallthrough
	default:
		return e.ledgerPath(&ledgerArgs{lookup: e.Lookup, of: of})
	}
}

// largestLedger bounds the memory of a ledger that is read over HTTP; one of 100,000 objects is
// below it.
const largestLedger = 256 << 20

// ledgerPathVariable is the environment variable that names the file of a ledger whose block does
// not.
const ledgerPathVariable = "HEW_LEDGER_PATH"

func (e Env) ledgerPath(args *ledgerArgs) string {
	return e.Path(cmp.Or(args.text("path", ledgerPathVariable), filepath.FromSlash(ledger.DefaultPath)))
}

// ledgerFiles returns the files of the ledger that a configuration or the environment may name.
func (e Env) ledgerFiles(of *config.LedgerSettings) []string {
	at := e.Path(filepath.FromSlash(ledger.DefaultPath))
	files := []string{at, ledger.KeyPath(at)}
	if of == nil {
		of = &config.LedgerSettings{}
	}
	at = e.ledgerPath(&ledgerArgs{lookup: e.Lookup, of: of})
	return append(files, at, ledger.KeyPath(at))
}

// fileLedger refuses a file outside of the repository, unless the environment names it: a proposed
// change of the configuration must not choose which files of the machine are read and written.
func (e Env) fileLedger(_ *config.Config, args *ledgerArgs) (ledger.Backend, error) {
	named := args.isSet("path")
	if given, _ := e.Lookup(ledgerPathVariable); named || given == "" {
		name := cmp.Or(args.text("path"), filepath.FromSlash(ledger.DefaultPath))
		if err := e.Dir.CheckWithin(name); err != nil {
			remedy := "Remove the link"
			if named {
				remedy = "Change path"
			}
			args.fail("path", "The ledger %s cannot be used: %s, and a change of the configuration must not choose "+
				"other files of this machine. %s, or leave path out of the ledger block and set %s to the file.",
				name, err, remedy, ledgerPathVariable)
			return nil, nil
		}
	}
	if name := args.text("path", ledgerPathVariable); strings.HasPrefix(name, "~") {
		args.fail("path", "The path of the ledger, %s, begins with ~, which only a shell expands. Write the path of "+
			"the home directory instead.", name)
		return nil, nil
	}
	return ledger.File(e.ledgerPath(args), e.Environ[ledger.KeyVariable]), nil
}

// httpLedger falls back to the environment variables of Terraform's HTTP backend. If the ledger is
// on the host of the run, the password defaults to the token of the host.
func (e Env) httpLedger(cfg *config.Config, args *ledgerArgs) (ledger.Backend, error) {
	c := ledger.HTTPConfig{
		Address:     args.text("address", "TF_HTTP_ADDRESS"),
		LockAddress: args.text("lock_address", "TF_HTTP_LOCK_ADDRESS"), UnlockAddress: args.text("unlock_address",
			"TF_HTTP_UNLOCK_ADDRESS"),
		UpdateMethod: args.text("update_method", "TF_HTTP_UPDATE_METHOD"),
		LockMethod:   args.text("lock_method", "TF_HTTP_LOCK_METHOD"), UnlockMethod: args.text("unlock_method",
			"TF_HTTP_UNLOCK_METHOD"),
		Username: args.secret("username", "TF_HTTP_USERNAME"), Password: args.secret("password", "TF_HTTP_PASSWORD"),
		Key: e.Environ[ledger.KeyVariable],
	}
	host, diags := e.hostConfig(cfg)
	args.diags = append(args.diags, diags...)
	if args.diags.HasErrors() {
		return nil, nil
	}
	if c.Address == "" {
		args.fail("", `ledger "http" requires an address, that of a Terraform state on a server: `+
			"https://git.example.com/api/v4/projects/7/terraform/state/hew. Set it in the block or in TF_HTTP_ADDRESS.")
	}
	if c.Password == "" && ownHost(host, c.Address) {
		c.Username, c.Password = cmp.Or(c.Username, "hew"), host.Token
	}
	e.checkLedgerHosts(args, c, host)
	network, err := host.Network(largestLedger)
	if err != nil {
		return nil, err
	}
	c.Client = &http.Client{Transport: network, Timeout: 2 * time.Minute}
	return ledger.HTTP(c)
}

// ownHost reports whether an address belongs to the API of the host.
func ownHost(host client.Config, address string) bool {
	made, err := client.New(host)
	return err == nil && strings.HasPrefix(address, made.URL()+"/")
}

// postgresLedger falls back to HEW_LEDGER_URL, to Terraform's PG_CONN_STR and to the usual
// variables of Postgres clients.
func (e Env) postgresLedger(_ *config.Config, args *ledgerArgs) (ledger.Backend, error) {
	c := ledger.PostgresConfig{
		URL: args.secret("url", "HEW_LEDGER_URL",
			"PG_CONN_STR"), Name: args.text("name"), Schema: args.text("schema"), Key: e.Environ[ledger.KeyVariable],
	}
	if c.URL == "" && e.Environ["PGHOST"] == "" && e.Environ["PGSERVICE"] == "" {
		args.fail("", `ledger "postgres" requires a url, that of a database: postgres://hew@db.example.com:5432/hew. `+
			"Set it in the block, or in HEW_LEDGER_URL if it has a password, or set PGHOST and the other "+
			"variables of Postgres.")
	}
	e.checkDatabaseHost(args, c.URL)
	return ledger.Postgres(c)
}

// ledgerArgs reads the arguments of a ledger block.
type ledgerArgs struct {
	lookup func(string) (string, bool)
	of     *config.LedgerSettings
	diags  hcl.Diagnostics
}

// isSet reports whether the block has an argument.
func (l *ledgerArgs) isSet(name string) bool {
	v, ok := l.of.Args[name]
	return ok && v != cty.NilVal && !v.IsNull()
}

// text returns an argument that may be printed, or the value of the first of the environment
// variables that is set.
func (l *ledgerArgs) text(name string, env ...string) string {
	if v, ok := l.of.Args[name]; ok && schema.IsSecret(v) {
		l.fail(name, "The argument %s appears in messages, so its value must not be sensitive.", name)
		return ""
	}
	return l.secret(name, env...)
}

// secret is text for an argument that is never printed.
func (l *ledgerArgs) secret(name string, env ...string) string {
	v, ok := l.of.Args[name]
	if ok {
		v, _ = v.Unmark()
	}
	switch {
	case !ok || v == cty.NilVal || v.IsNull():
		for _, variable := range env {
			if text, _ := l.lookup(variable); text != "" {
				return text
			}
		}
		return ""
	case v.Type() != cty.String || !v.IsKnown():
		l.fail(name, "The argument %s must be a string that is known before the plan.", name)
		return ""
	}
	return v.AsString()
}

// fail adds an error at an argument, or at the block if it lacks the argument.
func (l *ledgerArgs) fail(name, detail string, args ...any) {
	d := report.Problem("Invalid ledger", detail, args...)
	at, ok := l.of.At[name]
	if !ok {
		at = l.of.DeclRange
	}
	if at.Filename != "" {
		d.Subject = &at
	}
	l.diags = append(l.diags, d)
}
