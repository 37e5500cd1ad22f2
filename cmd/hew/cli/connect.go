package cli

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"hew/provider/client"
	"hew/reconcile"
	"hew/reconcile/apply"
	"hew/reconcile/config"
	"hew/reconcile/ledger"
	"hew/reconcile/plan"
	"hew/reconcile/report"
	"hew/reconcile/rewrite"
)

// connected is a session with a real host.
type connected struct {
	engine *reconcile.Engine
	shared bool // with runs in other directories
	cfg    *config.Config
	run    *reconcile.Run
}

func (c *connected) Plan(ctx context.Context, opts reconcile.Options) (*plan.Plan, hcl.Diagnostics) {
	run, diags := c.engine.Plan(ctx, c.cfg, opts)
	if run == nil {
		return nil, diags
	}
	c.run = run
	if c.shared {
		run.Plan.Stats = plan.Stats{Objects: run.Plan.Stats.Objects, Shared: true}
	}
	run.Plan.Notes = slices.Concat(c.cfg.Notes(), run.Plan.Notes)
	return run.Plan, diags
}

func (c *connected) Apply(ctx context.Context) (*apply.Outcome, hcl.Diagnostics) {
	return c.run.Apply(ctx)
}

func (c *connected) Expression(text string) (cty.Value, hcl.Diagnostics) {
	return c.run.Expression(text)
}

func (c *connected) Adopt(p *plan.Plan) *rewrite.Result { return rewrite.Adopt(c.cfg, p) }

func (c *connected) Sources() report.Sources { return c.cfg.Sources() }

func (c *connected) Close() error {
	if c.run == nil {
		return nil
	}
	return c.run.Close()
}

// connect loads the configuration and finds its host and its ledger. It sends
// nothing yet. The session is nil if the report has errors.
func connect(ctx context.Context, a *app, s settings) (session, report.Diagnostics) {
	cfg, found := a.loadAsking(ctx, s)
	if found.HasErrors() {
		return nil, found
	}
	host, diags := a.host(cfg, s)
	found.Diagnostics = append(found.Diagnostics, diags...)
	backend, diags := a.backendOf(cfg, s)
	found.Diagnostics = append(found.Diagnostics, diags...)
	if found.HasErrors() {
		return nil, found
	}
	var earlier *config.Config
	if s.base != "" {
		var then report.Diagnostics
		if earlier, then = a.earlier(ctx, s); earlier == nil {
			found.Diagnostics = append(found.Diagnostics, then.Diagnostics...)
			maps.Copy(found.Sources, then.Sources)
			return nil, found
		}
		backend = nil
	}
	engine := &reconcile.Engine{
		Provider: a.together.provider(a.offline.WithClient(host.ReadOnly()), host, cfg, earlier), Backend: backend, Base: earlier, Host: host.URL(), Width: int(s.parallelism),
		Key: a.env[ledger.KeyVariable], Who: a.who(), Lock: s.writes, Notify: s.notify,
	}
	if s.writes {
		engine.Writer = a.offline.WithClient(host)
	}
	a.logger().Info("session", "host", host.URL(), "ledger", a.ledgerName(cfg, s), "writes", s.writes)
	return &connected{cfg: cfg, engine: engine, shared: a.together != nil}, found
}

// load reads the configuration of the directory. It is nil if the report has
// errors.
func (a *app) load(s settings) (*config.Config, report.Diagnostics) { return a.checked(a.read(s)) }

// read reads the configuration of the directory as far as it can be read.
func (a *app) read(s settings, answers ...config.Var) (*config.Config, report.Diagnostics) {
	return a.readIn(s, a, answers...)
}

// readIn reads it with the -var-file flags of another directory.
func (a *app) readIn(s settings, flags *app, answers ...config.Var) (*config.Config, report.Diagnostics) {
	vars, diags := flags.vars(s.vars)
	vars.Args = append(vars.Args, answers...)
	vars.Partial, vars.Browse = s.partial, s.browse
	if diags.HasErrors() {
		return nil, report.Diagnostics{Diagnostics: diags}
	}
	if info, err := os.Stat(a.path(".")); err != nil || !info.IsDir() {
		said := "-chdir=" + a.dir + " does not name a directory."
		if a.together != nil {
			said = "There is no directory " + a.dir + "."
		}
		return nil, report.Diagnostics{Diagnostics: hcl.Diagnostics{problem("No such directory", "%s", said)}}
	}
	root, at, err := within(a.path("."))
	if err != nil {
		return nil, report.Diagnostics{Diagnostics: hcl.Diagnostics{problem("No such directory", "%s.", err)}}
	}
	cfg, diags := config.Load(overlaid(root, at, s.instead), at, a.kinds(), vars)
	found := report.Diagnostics{Diagnostics: diags}
	if cfg != nil {
		found.Sources = cfg.Sources()
	}
	return cfg, found
}

// checked is a configuration that can be worked with, or none.
func (a *app) checked(cfg *config.Config, found report.Diagnostics) (*config.Config, report.Diagnostics) {
	if found.HasErrors() {
		return nil, found
	}
	found.Diagnostics = append(found.Diagnostics, requires(cfg.Hew(), a.version)...)
	return cfg, found
}

// within is the file system that a directory is in and its name there: what
// is beside the directory, such as modules, is in reach. What is above a link to
// it is not: .. leads to where the directory is.
func within(dir string) (fs.FS, string, error) {
	dir, err := filepath.Abs(dir)
	if err == nil {
		dir, err = filepath.EvalSymlinks(dir)
	}
	if err != nil {
		return nil, "", err
	}
	volume := filepath.VolumeName(dir) + string(filepath.Separator)
	at := filepath.ToSlash(strings.TrimPrefix(dir, volume))
	return os.DirFS(volume), cmp.Or(at, "."), nil
}

// vars reads the -var and -var-file flags.
func (a *app) vars(flags []assignment) (config.Vars, hcl.Diagnostics) {
	vars := config.Vars{Env: a.lookup}
	var diags hcl.Diagnostics
	read := os.ReadFile
	if a.variables != nil {
		read = a.variables
	}
	for _, f := range flags {
		if f.file {
			content, err := read(a.path(f.text))
			if err != nil {
				diags = append(diags, problem("Variables cannot be read", "-var-file=%s: %s.", f.text, err))
			}
			vars.Args = append(vars.Args, config.Var{File: f.text, Content: content})
			continue
		}
		name, value, ok := strings.Cut(f.text, "=")
		if !ok {
			// the text may be a secret whose name was forgotten, so it is not quoted
			diags = append(diags, problem("Variable without a value", "-var takes NAME=VALUE; one was given without =."))
		}
		vars.Args = append(vars.Args, config.Var{Name: strings.TrimSpace(name), Value: value})
	}
	return vars, diags
}

// host makes a client: by the provider block, else by the environment. It can
// write where the run may; whatever plans has a view of it that cannot.
func (a *app) host(cfg *config.Config, s settings) (*client.Client, hcl.Diagnostics) {
	c, diags := a.hostConfig(cfg)
	if diags.HasErrors() {
		return nil, diags
	}
	if c.Token == "" {
		diags = append(diags, problem("No token is set", "hew signs in to the host with a token: set HEW_TOKEN (GITLAB_TOKEN is understood as well), or token in the provider block."))
	}
	c.MaxWidth = cmp.Or(int(s.parallelism), c.MaxWidth)
	c.ReadOnly, c.UserAgent, c.Log = !s.writes, "hew/"+a.version, a.logger()
	made, err := a.together.client(c)
	if err != nil {
		diags = append(diags, problem("The host cannot be used", "%s.", err))
	}
	return made, diags
}

// hostConfig is what the provider block and the environment say of the host.
func (a *app) hostConfig(cfg *config.Config) (client.Config, hcl.Diagnostics) {
	c := client.FromEnv(a.lookup)
	given, diags := cfg.Provider()
	if given.BaseURL != "" {
		c.BaseURL, c.URLFrom = given.BaseURL, "the provider block"
	}
	if token := given.Token; token != cty.NilVal {
		plain, _ := token.Unmark()
		c.Token, c.TokenFrom = plain.AsString(), "the provider block"
	}
	c.MaxWidth = given.Concurrency
	return c, diags
}

// who names this run to others that wait for its lock.
func (a *app) who() string {
	name := cmp.Or(a.env["GITLAB_USER_LOGIN"], a.env["USER"], a.env["LOGNAME"], "somebody")
	if host, err := os.Hostname(); err == nil {
		name += "@" + host
	}
	return name
}

func problem(summary, detail string, args ...any) *hcl.Diagnostic {
	return &hcl.Diagnostic{Severity: hcl.DiagError, Summary: summary, Detail: fmt.Sprintf(detail, args...)}
}
