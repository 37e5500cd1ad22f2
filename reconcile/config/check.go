package config

import (
	"github.com/hashicorp/hcl/v2"
)

var checkSchema = hcl.BodySchema{
	Blocks: []hcl.BlockHeaderSchema{{Type: "data", LabelNames: []string{"kind", "name"}}, {Type: "assert"}},
}

// check reads a check block: assertions, and data sources that serve nothing
// else.
func (l *loader) check(b *hcl.Block) {
	name := b.Labels[0]
	if !l.validName(name, b.LabelRanges[0], "a check") {
		return
	}
	content, ok := l.content(b.Body, &checkSchema, "check."+name, b.DefRange)
	conds := l.conditions(content.Blocks, "assert")
	if len(conds) == 0 && ok {
		l.fail(b.DefRange, "Missing assert block",
			"check.%s has no assert block. Add one with a condition and an error_message.", name)
	}
	if !l.declare(
		&node{name: "check." + name, decl: b.DefRange, rule: &rule{about: "check." + name, conds: conds, check: name}},
	) {
		return
	}
	l.checking = name
	defer func() { l.checking = "" }()
	for _, inner := range content.Blocks.OfType("data") {
		l.data(inner)
	}
}

// check works the assertions out. None of them stops anything; one whose data
// cannot be read says so.
func (e *Eval) check(n *node, f *frame, st *state) {
	ctx := e.scope(n, f)
	name := f.name(n.rule.about)
	for _, c := range n.rule.conds {
		v, text, diags := c.judge(ctx)
		if diags.HasErrors() {
			v, text = Errs, diags[0].Detail
		}
		if v == Pending {
			if why := e.hindered(n, f); why != "" {
				v, text = Errs, why
			}
		}
		st.checks = append(st.checks, Check{Name: name, Verdict: v, Text: text, Decl: c.expr.Range()})
	}
}

// hindered says why what a check refers to cannot be known, or "".
func (e *Eval) hindered(n *node, f *frame) string {
	var from pile
	for _, expr := range expressions(n.rule.conds) {
		v, _ := expr.Value(e.scope(n, f))
		strip(v, &from)
	}
	for _, i := range from.list {
		if why := e.blockedBy(i); why != "" {
			return i.String() + ": " + why
		}
	}
	return ""
}
