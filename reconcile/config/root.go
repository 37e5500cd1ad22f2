package config

import (
	"maps"
	"slices"

	"github.com/hashicorp/hcl/v2"
)

// rootSchema has the blocks at the top level of a file.
var rootSchema = hcl.BodySchema{Blocks: []hcl.BlockHeaderSchema{
	{Type: "resource", LabelNames: []string{"kind", "name"}},
	{Type: "data", LabelNames: []string{"kind", "name"}},
	{Type: "exclusive", LabelNames: []string{"kind", "name"}},
	{Type: "variable", LabelNames: []string{"name"}},
	{Type: "locals"},
	{Type: "output", LabelNames: []string{"name"}},
	{Type: "hew"},
	{Type: "provider"},
	{Type: "moved"},
	{Type: "removed"},
	{Type: "terraform"},
	{Type: "module", LabelNames: []string{"name"}},
	{Type: "import"},
	{Type: "check", LabelNames: []string{"name"}},
}}

// isRootSchema reports whether a schema is that of the top level of a file.
func isRootSchema(s *hcl.BodySchema) bool { return s == &rootSchema || s == &terraformRoot }

func isRootBlock(word string) bool {
	return slices.ContainsFunc(rootSchema.Blocks, func(b hcl.BlockHeaderSchema) bool { return b.Type == word })
}

// blockLoaders has a function for each type of top-level block but variable, which is
// loaded first.
var blockLoaders map[string]func(*loader, *hcl.Block)

func init() { // a module block loads top-level blocks itself
	blockLoaders = map[string]func(*loader, *hcl.Block){
		"resource":  (*loader).loadResource,
		"data":      (*loader).loadData,
		"exclusive": (*loader).loadExclusive,
		"locals":    (*loader).loadLocals,
		"output":    (*loader).loadOutput,
		"module":    (*loader).loadModule,
		"check":     (*loader).loadCheck,
		"moved":     (*loader).loadMoved,
		"removed":   (*loader).loadRemoved,
		"import":    (*loader).loadImport,
		"hew":       (*loader).loadHew,
		"provider":  (*loader).loadProvider,
		"terraform": (*loader).loadTerraform,
	}
}

// loadLocals declares a node for each local value.
func (l *loader) loadLocals(b *hcl.Block) {
	attrs := l.readAttributes(b.Body, "A locals block")
	for _, a := range sortAttributes(attrs) {
		if !l.validName(a.Name, a.NameRange, "a local value") {
			continue
		}
		l.declare(&node{name: "local." + a.Name, label: a.Name, decl: a.NameRange, exprs: []hcl.Expression{a.Expr}})
	}
}

// sortAttributes returns attributes in the order of their lines.
func sortAttributes(attrs hcl.Attributes) []*hcl.Attribute {
	return slices.SortedFunc(maps.Values(attrs), func(a, b *hcl.Attribute) int {
		return a.Range.Start.Byte - b.Range.Start.Byte
	})
}

// output is an output block. The only expression of its node is the value.
type output struct {
	doc       string
	sensitive bool
}

var outputSchema = hcl.BodySchema{
	Attributes: []hcl.AttributeSchema{
		{Name: "value", Required: true},
		{Name: "description"},
		{Name: "sensitive"},
		{Name: "depends_on"},
	},
	Blocks: []hcl.BlockHeaderSchema{{Type: "precondition"}},
}

func (l *loader) loadOutput(b *hcl.Block) {
	content, _ := l.readBody(b.Body, withTerraform(&outputSchema, b, "ephemeral"), "output."+b.Labels[0], b.DefRange)
	value := content.Attributes["value"]
	if value == nil {
		return
	}
	if !l.validName(b.Labels[0], b.LabelRanges[0], "an output") {
		return
	}
	o := &output{}
	n := &node{
		name:   "output." + b.Labels[0],
		label:  b.Labels[0],
		decl:   b.DefRange,
		exprs:  []hcl.Expression{value.Expr},
		output: o,
	}
	l.decodeConstant(content.Attributes["description"], &o.doc)
	l.decodeConstant(content.Attributes["sensitive"], &o.sensitive)
	l.loadEphemeral(content.Attributes["ephemeral"], &o.sensitive)
	l.dependsOn(n, content.Attributes["depends_on"])
	if o.sensitive {
		l.mask(value.Expr)
	}
	if !l.declare(n) {
		return
	}
	l.mod.outputs = append(l.mod.outputs, n)
	if conds := l.loadConditions(content.Blocks, "precondition"); len(conds) > 0 {
		l.declare(
			&node{name: n.name + " precondition", decl: b.DefRange, rule: &rule{label: n.name, conditions: conds}})
	}
}
