package config

import (
	"context"
	"io/fs"
	"slices"
	"sync"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"hew/reconcile/addr"
	"hew/reconcile/file"
	"hew/reconcile/function"
	"hew/schema"
)

// Config is a configuration that was read, and checked as far as that is possible without
// a host. It is immutable, except that evaluations add notes.
type Config struct {
	kinds    schema.Catalog
	files    map[string][]byte // sources, for snippets
	masks    []hcl.Range
	covers   []hcl.Range // masks of snippets only
	notes    []string
	noted    map[string]bool // of notes
	noting   sync.Mutex      // held for notes, which evaluations add to
	root     *module
	memory   *memory
	work     *function.Work // of what is being evaluated
	order    []*node        // the nodes of all modules, each after what it refers to
	unset    []Variable
	browse   bool
	hew      Settings
	provider *settings
	hosts    []*settings // further provider blocks, which must be for the same host
}

// Load reads all *.hcl, *.tf, *.hcl.json and *.tf.json files of the directory at in fsys
// as the root module, resolves its variables, and checks everything; it returns all errors
// at once. Functions such as file read from fsys, too, with names relative to the
// directory, which may lead out of it. The Config is nil only if nothing could be read, or
// if ctx ended or the memory is used up, for which Load returns an error at once. If there
// are errors, it is good only for Sources.
func Load(
	ctx context.Context, fsys fs.FS, at string, kinds schema.Catalog, vars Vars,
) (*Config, hcl.Diagnostics) {
	memory, err := newMemory(vars)
	if err != nil {
		return nil, hcl.Diagnostics{{Severity: hcl.DiagError, Summary: "Invalid memory limit", Detail: err.Error() + "."}}
	}
	return evaluateWithin(ctx, memory, func(ctx context.Context) (*Config, hcl.Diagnostics) {
		return load(ctx, memory, fsys, at, kinds, vars)
	})
}

func load(
	ctx context.Context, memory *memory, fsys fs.FS, at string, kinds schema.Catalog, vars Vars,
) (*Config, hcl.Diagnostics) {
	work := function.NewWork(function.MaxWork)
	l := &loader{
		Config: &Config{kinds: kinds, memory: memory, work: work, files: map[string][]byte{},
			browse: vars.AllAttributes, noted: map[string]bool{}},
		dir:      file.Dir{FS: fsys, Root: at},
		funcs:    function.New(file.Dir{FS: fsys, Root: at}, vars.Now, work),
		declared: map[string]bool{}, sources: map[string]*source{},
		shapes: map[*schema.Attr]*shape{}, schemas: map[*schema.Kind]*hcl.BodySchema{},
		aliasSchemas: map[*schema.Alias]*hcl.BodySchema{}, uniqueBlocks: map[*schema.Kind]hcl.Range{},
	}
	root := l.read(".", nil)
	if len(l.files) == 0 {
		return nil, l.seal(l.diags)
	}
	values, diags := parseAll(l.dir, root.varFiles, l.work)
	l.add(diags)
	l.keepVariableFiles(root, values, diags)
	if diags.HasErrors() {
		vars.Partial = true
		values = slices.DeleteFunc(values, func(f *hcl.File) bool { return f == nil || unsound(diags, f) })
	}
	l.root = l.newModule(".", root)
	l.mod = l.root
	l.rootValues = func() cty.Value { return l.resolveVariables(vars, values) }
	l.loadBlocks(root.blocks)
	l.link()
	l.order = l.sortNodes()
	l.checkMoves()
	if l.settings != nil {
		l.hew = l.evalHew(l.settings)
	}
	if vars.OnSettings != nil {
		vars.OnSettings(l.hew)
	}
	_, diags = l.Provider()
	l.add(diags)
	if l.diags.HasErrors() {
		l.add(l.evaluateValid(ctx))
	}
	return l.Config, l.seal(l.diags)
}

// evaluateValid evaluates the valid parts of a configuration that has errors, to find
// errors that only values show.
func (l *loader) evaluateValid(ctx context.Context) hcl.Diagnostics {
	e := l.NewEval()
	e.setContext(ctx)
	_, diags := e.run(nil, nil)
	return diags
}

// Notes returns remarks other than warnings, such as blocks that hew skips, and those of the
// evaluations so far.
func (c *Config) Notes() []string {
	c.noting.Lock()
	defer c.noting.Unlock()
	return slices.Clone(c.notes)
}

// loader builds a Config.
type loader struct {
	*Config
	report
	dir          file.Dir
	funcs        function.Table
	sources      map[string]*source // by directory
	declared     map[string]bool    // the names of the root's variable blocks
	mod          *module            // the one being loaded
	rootValues   func() cty.Value   // of the root's variables, after they are declared
	settings     *settings          // the hew block
	checking     string             // the check block being loaded
	shapes       map[*schema.Attr]*shape
	schemas      map[*schema.Kind]*hcl.BodySchema
	aliasSchemas map[*schema.Alias]*hcl.BodySchema
	uniqueBlocks map[*schema.Kind]hcl.Range // the first block of each kind that a host has only one object of
}

func (l *loader) newModule(dir string, from *source) *module {
	m := &module{
		dir:            dir,
		partial:        from.partial,
		names:          map[string]*node{},
		broken:         map[string]bool{},
		movedFrom:      map[addr.Instance]hcl.Range{},
		otherProviders: map[string]bool{},
		unmanaged:      map[string]string{},
	}
	for _, name := range from.misspelt {
		m.broken[name] = true
	}
	m.base = &hcl.EvalContext{
		Functions: l.funcs,
		Variables: map[string]cty.Value{"path": cty.ObjectVal(map[string]cty.Value{
			"module": cty.StringVal(dir), "root": cty.StringVal("."), "cwd": cty.StringVal("."),
		})},
	}
	return m
}

// loadBlocks loads the top-level blocks of a module, variables first.
func (l *loader) loadBlocks(blocks hcl.Blocks) {
	for _, b := range blocks {
		switch b.Type {
		case "variable":
			l.loadVariable(b)
		case "terraform":
			l.requires(b)
		}
	}
	if l.mod.parent == nil {
		l.mod.base.Variables["var"] = l.rootValues()
	}
	for _, b := range blocks {
		if load := blockLoaders[b.Type]; load != nil {
			before := l.errors()
			load(l, b)
			if l.errors() > before {
				l.markBroken(b)
			}
		}
	}
}

func (l *loader) keepSources(names []string, files []*hcl.File) {
	for i, f := range files {
		if f != nil {
			l.keepSource(names[i], f.Bytes)
		}
	}
}

func (l *loader) keepSource(name string, src []byte) {
	l.files[name] = src
	l.maskURLs(name)
}

// requireSingle reports an error for the second block of a type.
func (l *loader) requireSingle(blocks hcl.Blocks, typ string) {
	var first *hcl.Block
	for _, b := range blocks {
		switch {
		case b.Type != typ:
		case first == nil:
			first = b
		default:
			l.fail(b.DefRange, "Duplicate declaration",
				"A %s block is already declared at %s. Merge the two blocks.", typ, FormatRange(first.DefRange))
		}
	}
}

// declare adds a node under its name. A second one of the name is an error.
func (l *loader) declare(n *node) bool {
	n.mod, n.scope = l.mod, l.mod
	if first := l.mod.names[n.name]; first != nil {
		l.fail(n.decl, "Duplicate declaration",
			"%s is already declared at %s. Names must be unique among all files of a directory. Rename or remove "+
				"one of the two.", n.name, FormatRange(first.decl))
		return false
	}
	n.id = len(l.mod.nodes)
	l.mod.nodes = append(l.mod.nodes, n)
	l.mod.names[n.name] = n
	return true
}

// validName reports whether expressions can use a name, and an error if not.
func (l *loader) validName(name string, at hcl.Range, what string) bool {
	if hclsyntax.ValidIdentifier(name) {
		return true
	}
	l.fail(at, "Invalid name",
		"%q is not a valid name for %s. A name must start with a letter and contain only letters, digits, "+
			"underscores and dashes.", name, what)
	return false
}

// markBroken marks what a block with errors declares, so that no reference to it is
// reported as undeclared.
func (l *loader) markBroken(b *hcl.Block) {
	name := declaredName(b.Type, b.Labels)
	if n := l.mod.names[name]; n != nil {
		n.faulty = true
		return
	}
	l.mod.broken[name] = true
}
