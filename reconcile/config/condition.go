package config

import (
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"

	"hew/schema"
)

// condition is a condition with its error message: of a validation, a precondition, a
// postcondition or an assertion.
type condition struct{ expr, message hcl.Expression }

// rule is a node of conditions.
type rule struct {
	conditions []condition
	label      string // begins its errors: var.name, output.url, check.owners
	// of is the block whose postconditions these are. self is each of its instances.
	of *node
	// check is the check block whose assertions these are, or "".
	check string
}

var conditionSchema = hcl.BodySchema{
	Attributes: []hcl.AttributeSchema{{Name: "condition", Required: true}, {Name: "error_message", Required: true}},
}

// loadConditions reads the condition blocks of one type.
func (l *loader) loadConditions(blocks hcl.Blocks, typ string) (out []condition) {
	for _, b := range blocks.OfType(typ) {
		if c, ok := l.readBody(b.Body, &conditionSchema, withArticle(typ)+" block", b.DefRange); ok {
			message := c.Attributes["error_message"].Expr
			if v, diags := message.Value(nil); !diags.HasErrors() && v.IsKnown() && isBlank(v) {
				l.fail(message.Range(), "Invalid value",
					"error_message must not be empty. Say what is wrong when the condition fails, and what to do.")
			}
			out = append(out, condition{c.Attributes["condition"].Expr, message})
		}
	}
	return out
}

// conditionExprs returns the expressions of conditions, for their references.
func conditionExprs(conds []condition) (out []hcl.Expression) {
	for _, c := range conds {
		out = append(out, c.expr, c.message)
	}
	return out
}

// evaluate evaluates the condition. text says why it fails, in the author's words.
func (c condition) evaluate(ctx *hcl.EvalContext) (v Verdict, text string, diags hcl.Diagnostics) {
	value, diags := c.expr.Value(ctx)
	if diags.HasErrors() {
		return CheckErrored, "its condition cannot be evaluated", diags
	}
	value, _ = value.Unmark()
	value, err := convert.Convert(value, cty.Bool)
	switch {
	case err != nil || value.IsNull():
		r := report{}
		r.fail(c.expr.Range(), "Invalid condition result", "The condition must be true or false.")
		return CheckErrored, "its condition is not true or false", r.diags
	case !value.IsKnown():
		return CheckUnknown, "", nil
	case value.True():
		return CheckPassed, "", nil
	}
	message, diags := c.message.Value(ctx)
	return CheckFailed, messageText(message), diags
}

// messageText returns an author's message, or a replacement if it is secret or unknown.
func messageText(v cty.Value) string {
	secret := schema.IsSecret(v)
	v, _ = v.UnmarkDeep()
	switch {
	case secret:
		return "The condition failed. Its error_message is hidden, because it contains a sensitive value."
	case !v.IsKnown() || isBlank(v):
		return "The condition failed."
	}
	v, _ = convert.Convert(v, cty.String)
	return strings.TrimSpace(v.AsString())
}

// isBlank reports whether a known value is not a string, or only white space.
func isBlank(v cty.Value) bool {
	text, err := convert.Convert(v, cty.String)
	return err != nil || text.IsNull() || strings.TrimSpace(text.AsString()) == ""
}

// checkConditions reports the conditions that fail. what begins each error; at is where
// the checked value is written, nil to point at the condition.
func (r *report) checkConditions(conds []condition, ctx *hcl.EvalContext, summary, what string, at *hcl.Range) {
	for _, c := range conds {
		verdict, text, diags := c.evaluate(ctx)
		r.add(diags)
		if verdict != CheckFailed {
			continue
		}
		if at != nil {
			r.fail(*at, summary,
				"%s: %s This was checked by the validation rule at %s.", what, endSentence(text),
				FormatRange(c.expr.Range()))
		} else {
			r.fail(c.expr.Range(), summary, "%s: %s", what, text)
		}
	}
}

// evalRule evaluates a node of conditions.
func (e *Eval) evalRule(n *node, f *frame, st *state) {
	r := &report{}
	switch {
	case n.rule.check != "":
		e.evalCheck(n, f, st)
		return
	case n.variable != nil:
		r.checkConditions(n.rule.conditions, e.scope(n, f), "Invalid value for variable", f.name(n.rule.label),
			n.variable.valueRange())
	case n.rule.of != nil:
		of := &f.state[n.rule.of.id]
		for i := range of.insts {
			e.checkPostconditions(r, n, f, &of.insts[i], of.items[i])
		}
	default:
		r.checkConditions(n.rule.conditions, e.scope(n, f), "Precondition failed", f.name(n.rule.label), nil)
	}
	st.diags = r.diags
}

// checkPostconditions checks the postconditions of one instance.
func (e *Eval) checkPostconditions(r *report, n *node, f *frame, d *Desired, i repetition) {
	ctx := i.scope(e.scope(n, f)).NewChild()
	ctx.Variables = map[string]cty.Value{"self": e.instanceValue(d)}
	r.checkConditions(n.rule.conditions, ctx, "Postcondition failed", d.Addr.String(), nil)
}

// HasConditions reports whether an apply checks conditions of the block's instances before
// it writes them, and after.
func (b *Block) HasConditions() (before, after bool) {
	return len(b.preconditions) > 0, b.postconditions != nil
}
