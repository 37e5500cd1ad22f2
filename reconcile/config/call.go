package config

import (
	"cmp"
	"fmt"
	"hew/reconcile/addr"
	"hew/reconcile/config/foreign"
	"hew/reconcile/didyoumean"
	"path"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"
)

// callSchema has the arguments of every module block. All others are the module's
// variables.
var callSchema = hcl.BodySchema{Attributes: append(
	slices.Clone(metaSchema),
	hcl.AttributeSchema{
		Name:     "source",
		Required: true,
	},
	hcl.AttributeSchema{Name: "version"},
	hcl.AttributeSchema{Name: "providers"},
)}

// loadModule reads a module block and the directory that it calls.
func (l *loader) loadModule(b *hcl.Block) {
	name := b.Labels[0]
	n := &node{name: "module." + name, label: name, isCall: true, decl: b.DefRange}
	if !l.validName(name, b.LabelRanges[0], "a module") {
		return
	}
	content, rest, diags := b.Body.PartialContent(&callSchema)
	l.explainBody(diags, &callSchema, nil, n.name, b.DefRange)
	known := append(schemaNames(&callSchema), "")
	n.repeat = l.readRepeat(content.Attributes)
	l.dependsOn(n, content.Attributes["depends_on"])
	if a := content.Attributes["version"]; a != nil {
		l.fail(a.NameRange, "Unsupported argument",
			"A module is a local directory, so it has no version. Remove the line.")
	}
	if a := content.Attributes["providers"]; a != nil && !foreign.IsFile(a.Range.Filename) {
		l.fail(a.NameRange, "Unsupported argument",
			"A run uses one host, so there are no providers to pass on. Remove the line.")
	}
	args := l.readAttributes(rest, "A module block")
	for name := range args { // the module's variables are not known yet
		near := didyoumean.Nearest(name, known)
		n.misspelt = n.misspelt || (near == "for_each" || near == "count") && content.Attributes[near] == nil
	}
	if !l.declare(n) {
		return
	}
	dir, ok := l.moduleDirectory(content.Attributes["source"])
	if !ok {
		n.broken = true
		return
	}
	if n.calls = l.enterModule(n, dir, content.Attributes["source"].Expr.Range()); n.calls == nil {
		n.broken = true
		return
	}
	l.bindArguments(n, args)
}

// moduleDirectory returns the directory that a module block names, relative to the root's.
func (l *loader) moduleDirectory(a *hcl.Attribute) (dir string, ok bool) {
	if a == nil {
		return "", false
	}
	var text string
	v, diags := a.Expr.Value(nil)
	if diags.HasErrors() {
		l.fail(a.Expr.Range(), "Invalid module source",
			"source is read before evaluation, so it must be a literal string, without variables.")
		return "", false
	}
	l.decodeValue(a, v, &text)
	at := a.Expr.Range()
	if !strings.HasPrefix(text, "./") && !strings.HasPrefix(text, "../") && text != ".." {
		l.fail(at, "Invalid module source",
			"source must be the path of a directory that starts with ./ or ../, not %q. hew does not download "+
				"modules. Add the directory to this repository, for example as a git submodule.", text)
		return "", false
	}
	dir = path.Join(l.mod.dir, text)
	depth := 0
	for m := l.mod; m != nil; m = m.parent {
		if depth++; depth > maxCalls {
			l.fail(at, "Too many nested modules", "Module calls can be nested at most %d levels deep, but "+
				"this one is in %s. Call it from a module that is less deep.", maxCalls,
				addr.Block{Module: l.mod.path})
			return "", false
		}
		if m.dir == dir {
			l.fail(at, "Recursive module call",
				"%s is the directory of this module, or of a module that calls it. A module cannot call itself.", text)
			return "", false
		}
	}
	info, err := l.dir.Stat(dir)
	if err == nil && !info.IsDir() {
		l.fail(at, "Module not found", "source must name a directory, but %s is a file.", text)
		return "", false
	}
	if err != nil {
		l.fail(at, "Module not found", "The module directory %s.", err)
		return "", false
	}
	return dir, true
}

// maxCalls is how deeply module calls can be nested.
const maxCalls = 64

// enterModule loads the module that n calls, or returns nil if its files cannot be read.
func (l *loader) enterModule(n *node, dir string, at hcl.Range) *module {
	if l.sources[dir] == nil {
		l.sources[dir] = l.read(dir, &at)
	}
	if l.sources[dir].missing {
		return nil
	}
	m := l.newModule(dir, l.sources[dir])
	m.parent, m.call = l.mod, n
	m.path = addr.JoinCalls(l.mod.path, n.label)
	was := l.mod
	l.mod = m
	l.loadBlocks(l.sources[dir].blocks)
	l.mod = was
	return m
}

// bindArguments gives the module's variables the expressions of the call.
func (l *loader) bindArguments(n *node, args hcl.Attributes) {
	names := n.calls.variableNames()
	meant := map[string]bool{}
	for name := range args {
		meant[didyoumean.Nearest(name, names)] = !slices.Contains(names, name)
	}
	for _, v := range n.calls.variables {
		a := args[v.name]
		delete(args, v.name)
		switch {
		case a != nil:
			v.node.exprs = []hcl.Expression{a.Expr}
			v.node.argumentRange = a.Expr.Range()
			if v.sensitive {
				l.mask(a.Expr)
			}
		case v.fallback == cty.NilVal && !v.node.broken:
			if !meant[v.name] {
				l.fail(n.decl, "Missing required argument",
					"%s requires the argument %q: var.%s, declared at %s, has no default.",
					n.name, v.name, v.name, FormatRange(v.decl))
			}
			v.node.broken, n.faulty = true, true
		}
	}
	if n.calls.partial {
		return
	}
	beside := slices.ContainsFunc(n.calls.variables, func(v *variable) bool { return v.sensitive })
	for _, a := range sortAttributes(args) {
		if secrets := l.secretNames(); beside || slices.Contains(secrets, a.Name) ||
			slices.Contains(secrets, didyoumean.Nearest(a.Name, names)) {
			l.mask(a.Expr)
		}
		why := foreign.Advice(a.Name)
		if why == "" {
			why = fmt.Sprintf("%s has no variable %q.%s", n.name, a.Name,
				cmp.Or(didyoumean.Hint(a.Name, append(schemaNames(&callSchema), names...)), variableList(names)))
		}
		l.fail(a.NameRange, "Unsupported argument", "%s", why)
	}
}

// variableList returns the module's variables, as a sentence to append.
func variableList(names []string) string {
	if len(names) == 0 {
		return " The module has no variables."
	}
	return fmt.Sprintf(" Expected: %s.", orList(slices.Sorted(slices.Values(names))))
}

// requireRoot reports an error, and false, if the block is in a module.
func (l *loader) requireRoot(b *hcl.Block) bool {
	if l.mod.parent == nil {
		return true
	}
	l.fail(b.DefRange, "Unsupported block type",
		"%s block applies to the whole run, so a module cannot have one. Move it to the root directory.",
		withArticle(b.Type))
	return false
}
