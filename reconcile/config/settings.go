package config

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"hew/reconcile/addr"
	"hew/reconcile/didyoumean"
)

// settings is a hew or provider block. Its arguments are evaluated before the rest.
type settings struct {
	node  *node
	decl  hcl.Range
	attrs []*hcl.Attribute
	// The rest is set for a hew block.
	ledger     *hcl.Block
	ledgerArgs []*hcl.Attribute
	guards     []*hcl.Attribute
}

var (
	hewSchema = hcl.BodySchema{
		Attributes: []hcl.AttributeSchema{{Name: "required_version"}},
		Blocks:     []hcl.BlockHeaderSchema{{Type: "ledger", LabelNames: []string{"type"}}, {Type: "guards"}},
	}
	providerSchema = hcl.BodySchema{
		Attributes: []hcl.AttributeSchema{{Name: "base_url"}, {Name: "token"}, {Name: "concurrency"}},
	}
	guardsSchema = hcl.BodySchema{
		Attributes: []hcl.AttributeSchema{{Name: "max_deletes"}, {Name: "max_delete_percent"}, {Name: "min_owners"},
			{Name: "required_owners"}, {Name: "allow_empty"}, {Name: "allow_recreate"}},
	}
	// ledgerSchemas has the arguments of each ledger backend.
	ledgerSchemas = map[string]hcl.BodySchema{
		"file": {Attributes: []hcl.AttributeSchema{{Name: "path"}}},
		"http": {
			Attributes: []hcl.AttributeSchema{
				{Name: "address"},
				{Name: "lock_address"},
				{Name: "unlock_address"},
				{Name: "update_method"},
				{Name: "lock_method"},
				{Name: "unlock_method"},
				{Name: "username"},
				{Name: "password"},
			},
		},
		"postgres": {Attributes: []hcl.AttributeSchema{{Name: "url"}, {Name: "name"}, {Name: "schema"}}},
	}
)

// ledgerSecrets are the arguments of ledgers that snippets mask.
var ledgerSecrets = []string{"password", "url"}

// unknownLedger returns the error detail for an unknown backend.
func unknownLedger(name string) string {
	names := slices.Sorted(maps.Keys(ledgerSchemas))
	hint := fmt.Sprintf("Expected: %s.", strings.Join(names, ", "))
	if near := didyoumean.Nearest(name, names); near != "" {
		hint = fmt.Sprintf("Did you mean %q?", near)
	}
	return fmt.Sprintf("hew has no ledger backend %q. %s", name, hint)
}

// declareSettings declares the node with the block's expressions.
func (l *loader) declareSettings(b *hcl.Block, name string, s *settings) bool {
	s.decl = b.DefRange
	s.node = &node{name: name, decl: b.DefRange, settings: true}
	for _, a := range append(append(append([]*hcl.Attribute{}, s.attrs...), s.ledgerArgs...), s.guards...) {
		s.node.exprs = append(s.node.exprs, a.Expr)
	}
	return l.declare(s.node)
}

func (l *loader) loadHew(b *hcl.Block) {
	if !l.requireRoot(b) {
		return
	}
	content, _ := l.readBody(b.Body, &hewSchema, "A hew block", b.DefRange)
	s := &settings{attrs: sortAttributes(content.Attributes)}
	l.requireSingle(content.Blocks, "guards")
	for _, inner := range content.Blocks {
		if inner.Type == "guards" {
			c, _ := l.readBody(inner.Body, &guardsSchema, "A guards block", inner.DefRange)
			s.guards = append(s.guards, sortAttributes(c.Attributes)...)
			continue
		}
		args, ok := ledgerSchemas[inner.Labels[0]]
		switch {
		case !ok:
			l.fail(inner.LabelRanges[0], "Unknown ledger backend", "%s", unknownLedger(inner.Labels[0]))
			continue
		case s.ledger != nil:
			l.fail(inner.DefRange, "Duplicate declaration",
				"A ledger block is already declared at %s. Remove one of the two blocks.",
				FormatRange(s.ledger.DefRange))
			continue
		}
		c, _ := l.readBody(inner.Body, &args, "A ledger block", inner.DefRange)
		s.ledger, s.ledgerArgs = inner, sortAttributes(c.Attributes)
		for _, name := range ledgerSecrets {
			if a := c.Attributes[name]; a != nil {
				l.mask(a.Expr)
			}
		}
	}
	if l.declareSettings(b, b.Type, s) {
		l.settings = s
	}
}

// guardLimits has the maximum of guards that have one.
var guardLimits = map[string]int{"max_delete_percent": 100}

// evalHew evaluates the hew block.
func (l *loader) evalHew(s *settings) (out Settings) {
	r := &report{}
	defer func() { l.add(r.diags) }()
	ctx := l.constantScope(s.node, r)
	if ctx == nil {
		return out
	}
	targets := map[string]any{"required_version": &out.RequiredVersion,
		"max_deletes": &out.Guards.MaxDeletes, "max_delete_percent": &out.Guards.MaxDeletePercent,
		"min_owners": &out.Guards.MinOwners, "required_owners": &out.Guards.RequiredOwners,
		"allow_empty": &out.Guards.AllowEmpty, "allow_recreate": &out.Guards.AllowRecreate}
	for _, attrs := range [][]*hcl.Attribute{s.attrs, s.guards} {
		for _, a := range attrs {
			v, diags := a.Expr.Value(ctx)
			r.add(diags)
			if !diags.HasErrors() {
				r.decodeValue(a, v, targets[a.Name])
			}
			switch into := targets[a.Name].(type) {
			case **int:
				switch most, limited := guardLimits[a.Name]; {
				case *into == nil:
				case **into < 0:
					r.fail(a.Expr.Range(), "Invalid value", "%s must be a whole number, 0 or more.", a.Name)
				case limited && **into > most:
					r.fail(a.Expr.Range(), "Invalid value", "%s must be a whole number from 0 to %d.", a.Name, most)
				}
			case *string:
				out.RequiredAt = a.Expr.Range()
				if _, err := constraints(*into); err != nil {
					r.fail(a.Expr.Range(), "Invalid value", "required_version: %s.", err)
				}
			}
		}
	}
	if s.ledger != nil {
		out.Ledger = &LedgerSettings{
			Type:      s.ledger.Labels[0],
			Args:      map[string]cty.Value{},
			At:        map[string]hcl.Range{},
			DeclRange: s.ledger.DefRange,
		}
		for _, a := range s.ledgerArgs {
			v, diags := a.Expr.Value(ctx)
			r.add(diags)
			out.Ledger.Args[a.Name], out.Ledger.At[a.Name] = v, a.Expr.Range()
		}
	}
	return out
}

// constantScope returns the scope of a node that is evaluated before the rest, or nil if
// something it refers to has errors.
func (c *Config) constantScope(n *node, r *report) *hcl.EvalContext {
	if n.broken {
		return nil // reported already
	}
	for _, to := range n.refs {
		on := to.to.referencedBlocks()
		if to.to.block != nil {
			on = []addr.Block{to.to.block.Addr}
		}
		if len(on) > 0 {
			r.fail(to.at, "Invalid reference",
				"The %s block is read before evaluation, so it cannot refer to %s. Use only variables, "+
					"functions, and local values that refer to no object.", n.name, on[0])
		}
	}
	ev := c.NewEval()
	before := r.errors()
	visitDependencies(n, func(on *node) {
		if on != n {
			r.add(ev.evaluate(on))
		}
	})
	if r.errors() > before {
		return nil
	}
	return ev.scope(n, ev.root)
}

// Hew returns the settings of the hew block.
func (c *Config) Hew() Settings { return c.hew }
