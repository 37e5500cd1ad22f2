package config

import (
	"github.com/hashicorp/hcl/v2"
)

var checkSchema = hcl.BodySchema{
	Blocks: []hcl.BlockHeaderSchema{{Type: "data", LabelNames: []string{"kind", "name"}}, {Type: "assert"}},
}

// loadCheck reads a check block: assertions, and data sources for them.
func (l *loader) loadCheck(b *hcl.Block) {
	name := b.Labels[0]
	if !l.validName(name, b.LabelRanges[0], "a check") {
		return
	}
	content, ok := l.readBody(b.Body, &checkSchema, "check."+name, b.DefRange)
	conds := l.loadConditions(content.Blocks, "assert")
	if len(conds) == 0 && ok {
		l.fail(b.DefRange, "Missing assert block",
			"check.%s has no assert block. Add one with a condition and an error_message.", name)
	}
	if !l.declare(
		&node{
			name: "check." + name,
			decl: b.DefRange,
			rule: &rule{label: "check." + name, conditions: conds, check: name},
		},
	) {
		return
	}
	l.checking = name
	defer func() { l.checking = "" }()
	for _, inner := range content.Blocks.OfType("data") {
		l.loadData(inner)
	}
}

// evalCheck evaluates the assertions. They never stop a run; an assertion whose data
// cannot be read has the verdict CheckErrored.
func (e *Eval) evalCheck(n *node, f *frame, st *state) {
	ctx := e.scope(n, f)
	name := f.name(n.rule.label)
	for _, c := range n.rule.conditions {
		v, text, diags := c.evaluate(ctx)
		if diags.HasErrors() {
			v, text = CheckErrored, diags[0].Detail
		}
		if v == CheckUnknown {
			if why := e.unknownReason(n, f); why != "" {
				v, text = CheckErrored, why
			}
		}
		st.checks = append(st.checks, Check{Name: name, Verdict: v, Text: text, DeclRange: c.expr.Range()})
	}
}

// unknownReason returns why the data of a check cannot be known, or "".
func (e *Eval) unknownReason(n *node, f *frame) string {
	var from instanceSet
	for _, expr := range conditionExprs(n.rule.conditions) {
		v, _ := expr.Value(e.scope(n, f))
		stripOrigins(v, &from)
	}
	for _, i := range from.list {
		if why := e.blockedReason(i); why != "" {
			return i.String() + ": " + why
		}
	}
	return ""
}
