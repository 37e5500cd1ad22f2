package config

import (
	"io/fs"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"hew/reconcile/addr"
	"hew/schema"
)

// Config is a configuration that was read and checked as far as that goes
// without a host. It does not change.
type Config struct {
	kinds    schema.Catalog
	files    map[string][]byte // sources, for snippets
	masks    []hcl.Range
	notes    []string
	base     *hcl.EvalContext // functions, var, path
	nodes    []*node          // in the order of files and lines
	order    []*node          // each after what it refers to
	names    map[string]*node
	outputs  []output
	moves    []Move
	removals []Removal
	hew      Settings
	provider *settings
}

// Load reads every *.hcl and *.hcl.json file of the directory at, in fsys, as
// one module, resolves its variables, and checks all of it: errors come
// together. Functions such as file read from fsys as well; names are relative
// to the directory and may lead out of it. The Config is nil only where
// nothing could be read; with errors it serves for Sources alone.
func Load(fsys fs.FS, at string, kinds schema.Catalog, vars Vars) (*Config, hcl.Diagnostics) {
	dir := directory{fsys, at}
	names, varFiles, diags := list(dir)
	if diags.HasErrors() {
		return nil, diags
	}
	l := &loader{
		Config: &Config{kinds: kinds, files: map[string][]byte{}, names: map[string]*node{}},
		shapes: map[*schema.Attr]*shape{}, left: map[addr.Instance]hcl.Range{},
	}
	files, diags := parseAll(dir, names)
	values, more := parseAll(dir, varFiles)
	l.add(append(diags, more...))
	l.keep(names, files)
	l.keep(varFiles, values)
	if l.diags.HasErrors() {
		l.maskBroken()
		return l.Config, seal(l.diags)
	}
	var blocks hcl.Blocks
	for _, f := range files {
		content, diags := f.Body.Content(&rootSchema)
		l.add(l.explainRoot(diags))
		blocks = append(blocks, content.Blocks...)
	}
	l.base = &hcl.EvalContext{Functions: functions(dir, vars.Now), Variables: map[string]cty.Value{"path": cty.ObjectVal(map[string]cty.Value{
		"module": cty.StringVal("."), "root": cty.StringVal("."), "cwd": cty.StringVal("."),
	})}}
	for _, b := range blocks {
		if b.Type == "variable" {
			l.variable(b)
		}
	}
	l.base.Variables["var"] = l.values(vars, varFiles, values)
	for _, b := range blocks {
		if load := loadBlock[b.Type]; load != nil {
			load(l, b)
		}
	}
	l.link()
	l.order = l.sortNodes()
	l.checkMoves()
	if !l.diags.HasErrors() && l.settings != nil {
		l.hew = l.readHew(l.settings)
	}
	return l.Config, seal(l.diags)
}

// Notes are remarks for people that are no warning, such as blocks that were
// passed over.
func (c *Config) Notes() []string { return c.notes }

// loader builds a Config.
type loader struct {
	*Config
	report
	variables []*variable
	settings  *settings // the hew block
	shapes    map[*schema.Attr]*shape
	left      map[addr.Instance]hcl.Range // what moved and removed blocks speak of
}

func (l *loader) keep(names []string, files []*hcl.File) {
	for i, f := range files {
		if f != nil {
			l.files[names[i]] = f.Bytes
		}
	}
}

// once refuses a second block of a type where one says it all.
func (l *loader) once(blocks hcl.Blocks, typ string) {
	var first *hcl.Block
	for _, b := range blocks {
		switch {
		case b.Type != typ:
		case first == nil:
			first = b
		default:
			l.fail(b.DefRange, "Duplicate declaration", "There is a %s block already at %s. Make one of the two.", typ, first.DefRange)
		}
	}
}

// declare enters a node under its name, once.
func (l *loader) declare(n *node) bool {
	if first := l.names[n.name]; first != nil {
		l.fail(n.decl, "Duplicate declaration", "%s is already declared at %s. All files of a directory are one module: give one of the two another name, or remove it.", n.name, first.decl)
		return false
	}
	n.id = len(l.nodes)
	l.nodes = append(l.nodes, n)
	l.names[n.name] = n
	return true
}
