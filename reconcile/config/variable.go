package config

import (
	"slices"
	"time"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/ext/typeexpr"
	"github.com/zclconf/go-cty/cty"

	"hew/schema"
)

// Vars holds the sources of variables' values, apart from the directory's own
// terraform.tfvars, hew.hclvars, *.auto.tfvars and *.auto.hclvars, or the same with .json.
// Later sources win: the environment, these files in that order and the automatic ones by
// name, then Args in order.
type Vars struct {
	// Env looks up HEW_VAR_name and, if that is not set, TF_VAR_name, like os.LookupEnv.
	// nil means no environment.
	Env  func(string) (string, bool)
	Args []Var
	// Partial leaves variables without value and default unknown, for checks without
	// values. Otherwise they are errors.
	Partial bool
	// AllAttributes keeps all attributes of all objects available, for expressions that are not
	// known yet. Otherwise only mentioned attributes are.
	AllAttributes bool
	// Now is the result of plantimestamp. The zero value means the time of Load.
	Now time.Time
	// OnSettings, if set, is called with the hew block before other values are computed.
	OnSettings func(Settings)
}

// Var is a -var flag (Name, Value), a -var-file flag (File, Content), or a value that a
// person was asked for (Name, Value, Asked).
type Var struct {
	Name, Value string
	Prompted    bool
	File        string
	Content     []byte
}

// Variable is a variable of the root module, for prompts.
type Variable struct {
	Name, Doc string
	Sensitive bool
}

// UnsetVariables returns the variables that have neither a value nor a default.
func (c *Config) UnsetVariables() []Variable { return c.unset }

// variable is a variable block.
type variable struct {
	name, doc string
	node      *node // of a module's variable; the root's are evaluated by Load
	decl      hcl.Range
	typ       cty.Type
	defaults  *typeexpr.Defaults
	fallback  cty.Value // the default; NilVal if a value is required
	sensitive bool
	nullable  bool
	at        hcl.Range // where its value is written
}

var variableSchema = hcl.BodySchema{
	Attributes: []hcl.AttributeSchema{
		{Name: "type"},
		{Name: "default"},
		{Name: "description"},
		{Name: "sensitive"},
		{Name: "nullable"},
	},
	Blocks: []hcl.BlockHeaderSchema{{Type: "validation"}},
}

func (l *loader) loadVariable(b *hcl.Block) {
	v := &variable{name: b.Labels[0], decl: b.DefRange, at: b.DefRange, typ: cty.DynamicPseudoType, nullable: true}
	if !l.validName(v.name, b.LabelRanges[0], "a variable") {
		return
	}
	if slices.Contains(reservedVariables, v.name) && l.mod.parent != nil {
		l.fail(b.LabelRanges[0], "Invalid name",
			"A variable of a module cannot be named %q, because module blocks have an argument of that name.", v.name)
		return
	}
	for _, other := range l.mod.variables {
		if other.name == v.name {
			l.fail(b.DefRange, "Duplicate declaration",
				"var.%s is already declared at %s. Names must be unique among all files of a directory. Rename "+
					"or remove one of the two.", v.name, FormatRange(other.decl))
			return
		}
	}
	before := l.errors()
	content, _ := l.readBody(b.Body, withTerraform(&variableSchema, b, "ephemeral"), "var."+v.name, b.DefRange)
	l.decodeConstant(content.Attributes["sensitive"], &v.sensitive)
	l.loadEphemeral(content.Attributes["ephemeral"], &v.sensitive)
	l.decodeConstant(content.Attributes["nullable"], &v.nullable)
	l.decodeConstant(content.Attributes["description"], &v.doc)
	if a := content.Attributes["type"]; a != nil {
		t, defaults, diags := typeexpr.TypeConstraintWithDefaults(parseNative(a.Expr))
		l.add(explainType(diags, l.sourceText))
		v.typ, v.defaults = t, defaults
	}
	if a := content.Attributes["default"]; a != nil {
		if v.sensitive {
			l.mask(a.Expr)
		}
		raw, diags := a.Expr.Value(&hcl.EvalContext{Functions: l.funcs})
		l.add(explainLiteral(diags, "A default"))
		if !diags.HasErrors() {
			l.checkLiteral(a.Expr, nil, nil)
		}
		value, err := v.convert(raw)
		if err != nil {
			l.fail(a.Expr.Range(), "Invalid default value",
				"The default of var.%s is not valid: var.%s %s.", v.name, v.name, typeError(raw.Type(), v.typ, err))
		}
		if value.IsNull() && !v.nullable {
			l.fail(a.Expr.Range(), "Invalid default value",
				"The default of var.%s must not be null: it is declared with nullable = false.", v.name)
			value = cty.UnknownVal(v.typ.WithoutOptionalAttributesDeep())
		}
		v.fallback = value
	}
	l.mod.variables = append(l.mod.variables, v)
	if l.mod.parent != nil {
		v.node = &node{name: "var." + v.name, decl: v.decl, variable: v, faulty: l.errors() > before}
		l.declare(v.node)
		v.node.scope = l.mod.parent
	}
	if conds := l.loadConditions(content.Blocks, "validation"); len(conds) > 0 {
		l.declare(
			&node{
				name:     "var." + v.name + " validation",
				decl:     v.decl,
				variable: v,
				rule:     &rule{label: "var." + v.name, conditions: conds},
			},
		)
	}
}

// explainLiteral rewrites HCL's errors about values that must be literal.
func explainLiteral(diags hcl.Diagnostics, what string) hcl.Diagnostics {
	for _, d := range diags {
		switch d.Summary {
		case "Variables not allowed":
			d.Detail = what + " must be a literal value, without references. For a computed value, use a local " +
				"value. To write a string, quote it."
		case "Duplicate object attribute": // the JSON parser reports it
			d.Summary = "Duplicate key"
		case "Function calls not allowed":
			d.Detail = what + " must be a literal value, without function calls. For a computed value, use a local " +
				"value."
		}
	}
	return diags
}

// reservedVariables are the arguments of every module block.
var reservedVariables = []string{"source", "version", "providers", "count", "for_each", "depends_on", "lifecycle"}

func (v *variable) convert(raw cty.Value) (cty.Value, error) {
	if v.defaults != nil && !raw.IsNull() {
		raw = v.defaults.Apply(raw)
	}
	out, err := schema.Convert(raw, v.typ)
	if err != nil {
		return cty.UnknownVal(v.typ.WithoutOptionalAttributesDeep()), err
	}
	return out, nil
}

// valueRange returns where the variable's value is written.
func (v *variable) valueRange() *hcl.Range {
	if v.node != nil && v.node.argumentRange.Filename != "" {
		return &v.node.argumentRange
	}
	return &v.at
}

func (m *module) variableNames() (names []string) {
	for _, v := range m.variables {
		names = append(names, v.name)
	}
	return names
}
