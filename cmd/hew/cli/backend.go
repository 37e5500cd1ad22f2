package cli

import (
	"cmp"
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

// backend finds the ledger of the configuration without a host.
func (a *app) backend(s settings) (ledger.Backend, report.Diagnostics) {
	cfg, found := a.load(s)
	if found.HasErrors() {
		return nil, found
	}
	backend, diags := a.backendOf(cfg, s)
	found.Diagnostics = append(found.Diagnostics, diags...)
	return backend, found
}

// ledgerTypes make the backends of ledger blocks.
var ledgerTypes = map[string]func(*app, *config.Config, *ledgerArgs) (ledger.Backend, error){
	"file": (*app).fileLedger, "http": (*app).httpLedger, "postgres": (*app).postgresLedger,
}

// backendOf is the ledger of the configuration, nil for -ledger=none.
func (a *app) backendOf(cfg *config.Config, s settings) (ledger.Backend, hcl.Diagnostics) {
	if s.ledger == "none" {
		return nil, nil
	}
	of := cfg.Hew().Ledger
	if of == nil {
		of = &config.LedgerSettings{Type: "file"}
	}
	args := &ledgerArgs{lookup: a.lookup, of: of}
	b, err := ledgerTypes[of.Type](a, cfg, args)
	if args.diags.HasErrors() {
		return nil, args.diags
	}
	if err != nil {
		args.fail("", "ledger %q: %s.", of.Type, err)
		return nil, args.diags
	}
	return ledger.WithLockTimeout(b, s.lockTimeout), nil
}

// ledgerName is where the ledger is, for the log.
func (a *app) ledgerName(cfg *config.Config, s settings) string {
	switch of := cfg.Hew().Ledger; {
	case s.ledger != "":
		return s.ledger
	case of != nil && of.Type != "file":
		return of.Type // its address may hold a password
	case of == nil:
		of = &config.LedgerSettings{}
		fallthrough
	default:
		return a.ledgerPath(&ledgerArgs{of: of})
	}
}

func (a *app) ledgerPath(args *ledgerArgs) string {
	return a.path(cmp.Or(args.text("path"), filepath.FromSlash(ledger.DefaultPath)))
}

func (a *app) fileLedger(_ *config.Config, args *ledgerArgs) (ledger.Backend, error) {
	return ledger.File(a.ledgerPath(args), a.env[ledger.KeyVariable]), nil
}

// httpLedger takes the environment variables of Terraform's HTTP backend where the
// block says nothing. On the host of the run its token is the password.
func (a *app) httpLedger(cfg *config.Config, args *ledgerArgs) (ledger.Backend, error) {
	c := ledger.HTTPConfig{
		Address:     args.text("address", "TF_HTTP_ADDRESS"),
		LockAddress: args.text("lock_address", "TF_HTTP_LOCK_ADDRESS"), UnlockAddress: args.text("unlock_address", "TF_HTTP_UNLOCK_ADDRESS"),
		UpdateMethod: args.text("update_method", "TF_HTTP_UPDATE_METHOD"),
		LockMethod:   args.text("lock_method", "TF_HTTP_LOCK_METHOD"), UnlockMethod: args.text("unlock_method", "TF_HTTP_UNLOCK_METHOD"),
		Username: args.secret("username", "TF_HTTP_USERNAME"), Password: args.secret("password", "TF_HTTP_PASSWORD"),
		Key: a.env[ledger.KeyVariable],
	}
	host, diags := a.hostConfig(cfg)
	args.diags = append(args.diags, diags...)
	if args.diags.HasErrors() {
		return nil, nil
	}
	if c.Address == "" {
		args.fail("", `ledger "http" takes an address: that of a state on a server of Terraform states, such as `+
			"https://git.example.com/api/v4/projects/7/terraform/state/hew. It may come from TF_HTTP_ADDRESS.")
	}
	if c.Password == "" && ownHost(host, c.Address) {
		c.Username, c.Password = cmp.Or(c.Username, "hew"), host.Token
	}
	network, err := host.Network()
	if err != nil {
		return nil, err
	}
	c.Client = &http.Client{Transport: network, Timeout: 2 * time.Minute}
	return ledger.HTTP(c)
}

// ownHost tells whether an address is one of the host's API.
func ownHost(host client.Config, address string) bool {
	made, err := client.New(host)
	return err == nil && strings.HasPrefix(address, made.URL()+"/")
}

// postgresLedger takes HEW_LEDGER_URL or PG_CONN_STR, which is Terraform's, where
// the block says nothing, and else what every client of Postgres takes.
func (a *app) postgresLedger(_ *config.Config, args *ledgerArgs) (ledger.Backend, error) {
	c := ledger.PostgresConfig{
		URL: args.secret("url", "HEW_LEDGER_URL", "PG_CONN_STR"), Name: args.text("name"), Schema: args.text("schema"), Key: a.env[ledger.KeyVariable],
	}
	if c.URL == "" && a.env["PGHOST"] == "" && a.env["PGSERVICE"] == "" {
		args.fail("", `ledger "postgres" takes a url: that of a database, such as postgres://hew@db.example.com:5432/hew. `+
			"It may come from HEW_LEDGER_URL, and a password in it should, or from PGHOST and the other variables of Postgres.")
	}
	return ledger.Postgres(c)
}

// ledgerArgs reads the arguments of a ledger block.
type ledgerArgs struct {
	lookup func(string) (string, bool)
	of     *config.LedgerSettings
	diags  hcl.Diagnostics
}

// text is an argument that may be printed, else what the first of the environment
// variables says.
func (l *ledgerArgs) text(name string, env ...string) string {
	if v, ok := l.of.Args[name]; ok && schema.IsSecret(v) {
		l.fail(name, "%s is shown in messages, so it cannot be made of a sensitive value.", name)
		return ""
	}
	return l.secret(name, env...)
}

// secret is an argument that is never printed.
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
		l.fail(name, "%s is a text that is known from the start.", name)
		return ""
	}
	return v.AsString()
}

// fail reports a mistake at an argument, or at the block.
func (l *ledgerArgs) fail(name, detail string, args ...any) {
	d := problem("Invalid ledger", detail, args...)
	at, ok := l.of.At[name]
	if !ok {
		at = l.of.Decl
	}
	if at.Filename != "" {
		d.Subject = &at
	}
	l.diags = append(l.diags, d)
}
