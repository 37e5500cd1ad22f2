package session

import (
	"context"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"hew/cmd/hew/usage"
	"hew/cmd/hew/workdir"
	"hew/reconcile/config"
	"hew/reconcile/report"
)

// Load reads the configuration of the directory and checks that this version of hew is one that it
// accepts. The configuration is nil if there are errors.
func (e Env) Load(ctx context.Context, o Options) (*config.Config, report.Diagnostics) {
	return e.Check(e.Read(ctx, o))
}

// Check returns the configuration that Read has returned, or nil if there are errors or if this
// version of hew is not one that it accepts.
func (e Env) Check(cfg *config.Config, found report.Diagnostics) (*config.Config, report.Diagnostics) {
	if found.HasErrors() {
		return nil, found
	}
	found.Diagnostics = append(found.Diagnostics, checkVersion(cfg.Hew(), e.Version)...)
	if found.HasErrors() {
		return nil, found
	}
	return cfg, found
}

// checkVersion checks a version of hew against required_version.
func checkVersion(hew config.Settings, own string) hcl.Diagnostics {
	if hew.Admits(own) {
		return nil
	}
	d := report.Problem("Unsupported hew version",
		"The configuration requires hew %s, but this is %s. Use a matching version, or change required_version in "+
			"the hew block.", hew.RequiredVersion, own)
	d.Subject = &hew.RequiredAt
	return hcl.Diagnostics{d}
}

// Read reads the configuration of the directory as far as it can be read.
func (e Env) Read(ctx context.Context, o Options) (*config.Config, report.Diagnostics) {
	vars, diags := e.parseVars(o.Vars)
	vars.Args = append(vars.Args, o.Answers...)
	vars.Partial, vars.AllAttributes = o.Partial, o.Browse
	if diags.HasErrors() {
		return nil, report.Diagnostics{Diagnostics: diags}
	}
	if !e.Dir.Exists() {
		name := "-chdir=" + string(e.Dir)
		if e.Shared != nil {
			name = "The argument " + string(e.Dir)
		}
		return nil, report.Diagnostics{Diagnostics: hcl.Diagnostics{report.Problem("No such directory",
			"%s is not a directory.", name)}}
	}
	private := &workdir.Private{}
	vars.OnSettings = func(hew config.Settings) { private.Add(e.ledgerFiles(hew.Ledger)...) }
	root, name, err := e.Dir.FS(e.tree, private)
	if err != nil {
		return nil, report.Diagnostics{Diagnostics: hcl.Diagnostics{report.Problem("No such directory", "%s.", err)}}
	}
	cfg, diags := config.Load(ctx, workdir.Overlay(root, name, o.Overlay), name, e.Kinds(), vars)
	found := report.Diagnostics{Diagnostics: diags}
	if cfg != nil {
		found.Sources = cfg.Sources()
	}
	return cfg, found
}

// parseVars reads the -var and -var-file flags.
func (e Env) parseVars(flags []usage.Assignment) (config.Vars, hcl.Diagnostics) {
	vars := config.Vars{Env: e.Lookup}
	var diags hcl.Diagnostics
	for _, f := range flags {
		if f.File {
			content, err := e.readVars(f.Text)
			if err != nil {
				diags = append(diags, report.Problem("Unreadable variables file", "-var-file=%s: %s.", f.Text, err))
			}
			vars.Args = append(vars.Args, config.Var{File: f.Text, Content: content})
			continue
		}
		name, value, ok := strings.Cut(f.Text, "=")
		if !ok {
			// the text may be a secret whose name was forgotten, so it is not quoted
			diags = append(diags, report.Problem("Invalid -var flag", "A -var flag has no \"=\". "+
				"Write -var NAME=VALUE."))
		}
		vars.Args = append(vars.Args, config.Var{Name: strings.TrimSpace(name), Value: value})
	}
	return vars, diags
}
