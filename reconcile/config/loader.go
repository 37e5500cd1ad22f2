package config

import (
	"io/fs"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"hew/reconcile/addr"
	"hew/reconcile/didyoumean"
	"hew/reconcile/file"
	"hew/reconcile/function"
	"hew/schema"
)

// Config is a configuration that was read and checked as far as that goes
// without a host. It does not change.
type Config struct {
	kinds    schema.Catalog
	files    map[string][]byte // sources, for snippets
	masks    []hcl.Range
	notes    []string
	root     *module
	order    []*node // of all modules, each after what it refers to
	unset    []Variable
	browse   bool
	hew      Settings
	provider *settings
	hosts    []*settings // further provider blocks, which have to say the same
}

// Load reads every *.hcl and *.tf file, and those with .json behind that, of the directory at, in fsys, as
// one module, resolves its variables, and checks all of it: errors come
// together. Functions such as file read from fsys as well; names are relative
// to the directory and may lead out of it. The Config is nil only where
// nothing could be read; with errors it serves for Sources alone.
func Load(fsys fs.FS, at string, kinds schema.Catalog, vars Vars) (*Config, hcl.Diagnostics) {
	l := &loader{
		Config:  &Config{kinds: kinds, files: map[string][]byte{}, browse: vars.Browse},
		dir:     file.Dir{FS: fsys, At: at},
		funcs:   function.New(file.Dir{FS: fsys, At: at}, vars.Now),
		sources: map[string]*source{}, shapes: map[*schema.Attr]*shape{}, schemas: map[*schema.Kind]*hcl.BodySchema{},
		aliasSchemas: map[*schema.Alias]*hcl.BodySchema{}, uniqueBlocks: map[*schema.Kind]hcl.Range{},
	}
	root := l.read(".", nil)
	if len(l.files) == 0 {
		return nil, l.seal(l.diags)
	}
	values, diags := parseAll(l.dir, root.varFiles)
	l.add(diags)
	l.keepSources(root.varFiles, values)
	if diags.HasErrors() {
		l.maskBroken()
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
	_, diags = l.Provider()
	l.add(diags)
	if l.diags.HasErrors() {
		l.add(l.evaluateValid())
	}
	return l.Config, l.seal(l.diags)
}

// evaluateValid evaluates what is sound of a configuration that has errors, for the
// errors that only values show.
func (l *loader) evaluateValid() hcl.Diagnostics {
	_, diags := l.NewEval().Run(nil)
	return diags
}

// Notes are remarks for people that are no warning, such as blocks that were
// passed over.
func (c *Config) Notes() []string { return c.notes }

// loader builds a Config.
type loader struct {
	*Config
	report
	dir          file.Dir
	funcs        function.Table
	sources      map[string]*source // by directory
	mod          *module            // being read
	rootValues   func() cty.Value   // of the root's variables, once these are declared
	settings     *settings          // the hew block
	checking     string             // the check block that is being read
	shapes       map[*schema.Attr]*shape
	schemas      map[*schema.Kind]*hcl.BodySchema
	aliasSchemas map[*schema.Alias]*hcl.BodySchema
	uniqueBlocks map[*schema.Kind]hcl.Range // blocks of what there is once
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

// loadBlocks reads what stands at the top of a module's files, variables first.
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
			l.files[names[i]] = f.Bytes
		}
	}
}

// requireSingle refuses a second block of a type where one says it all.
func (l *loader) requireSingle(blocks hcl.Blocks, typ string) {
	var first *hcl.Block
	for _, b := range blocks {
		switch {
		case b.Type != typ:
		case first == nil:
			first = b
		default:
			l.fail(b.DefRange, "Duplicate declaration",
				"A %s block is already declared at %s. Merge the two blocks.", typ, Place(first.DefRange))
		}
	}
}

// declare enters a node under its name, once.
func (l *loader) declare(n *node) bool {
	n.mod, n.scope = l.mod, l.mod
	if first := l.mod.names[n.name]; first != nil {
		l.fail(n.decl, "Duplicate declaration",
			"%s is already declared at %s. Names must be unique among all files of a directory. Rename or remove "+
				"one of the two.", n.name, Place(first.decl))
		return false
	}
	n.id = len(l.mod.nodes)
	l.mod.nodes = append(l.mod.nodes, n)
	l.mod.names[n.name] = n
	return true
}

// misspeltBlocks are the names of what a file declares in blocks whose type is
// probably misspelt.
func misspeltBlocks(b hcl.Body) (names []string) {
	body, ok := b.(*hclsyntax.Body)
	if !ok {
		return nil
	}
	for _, b := range body.Blocks {
		if typ := didyoumean.Nearest(b.Type, schemaNames(&rootSchema)); !isRootBlock(b.Type) && typ != "" {
			names = append(names, declaredName(typ, b.Labels))
		}
	}
	return names
}

// declaredName is what a block declares, as references to it begin.
func declaredName(typ string, labels []string) string {
	return strings.TrimPrefix(strings.Join(append([]string{typ}, labels...), "."), "resource.")
}

// validName makes sure that a name is one that expressions can say.
func (l *loader) validName(name string, at hcl.Range, what string) bool {
	if hclsyntax.ValidIdentifier(name) {
		return true
	}
	l.fail(at, "Invalid name",
		"%q is not a valid name for %s. A name must start with a letter and contain only letters, digits, "+
			"underscores and dashes.", name, what)
	return false
}

// markBroken marks what a block with errors declares: it is evaluated for the sake
// of further errors, and nobody is told that it does not exist.
func (l *loader) markBroken(b *hcl.Block) {
	name := declaredName(b.Type, b.Labels)
	if n := l.mod.names[name]; n != nil {
		n.faulty = true
		return
	}
	l.mod.broken[name] = true
}
