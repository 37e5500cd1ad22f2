package foreign

import (
	"fmt"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"hew/reconcile/config/composite"
	"hew/schema"
)

// checkRequired reports required arguments that are missing, by the names that
// state them.
func (t *translator) checkRequired() {
	for i := range t.Alias.Kind.Attrs {
		a := &t.Alias.Kind.Attrs[i]
		n := t.Alias.For(a.Name)
		if _, stated := t.stated[a.Name]; a.Mode != schema.Required || stated || n == nil {
			continue
		}
		t.out.Incomplete = true
		if t.Misspelt[n.Name] {
			continue
		}
		t.Fail(t.Range, "Missing required argument",
			"%s requires the argument %q%s Add a line: %s = …", t.Address, n.Name, Reason(n.Note), n.Name)
	}
}

// ignore notes an argument that has no counterpart. Where leaving it out would make a
// difference it returns a refusal instead. Values that ask for nothing are passed over
// in silence. of names the argument's block.
func ignore(r Reporter, n *schema.Naming, in *hcl.Attribute, of string) *Refusal {
	v, diags := in.Expr.Value(nil)
	switch {
	case !diags.HasErrors() && IsOff(v):
	case n.Refused:
		return &Refusal{*in, fmt.Sprintf("%s of %s is not supported%s", n.Name, of, Reason(n.Note))}
	default:
		r.Note(in.NameRange, "%s of %s has no effect%s", n.Name, of, Reason(n.Note))
	}
	return nil
}

// ignore passes over an argument of the block that has no counterpart.
func (t *translator) ignore(n *schema.Naming, in *hcl.Attribute) {
	if refusal := ignore(t, n, in, t.Address); refusal != nil {
		t.out.Refused = append(t.out.Refused, *refusal)
	}
}

// IsOff reports whether a value asks for nothing: it is false or a zero value.
func IsOff(v cty.Value) bool {
	v, _ = v.Unmark()
	return composite.IsZero(v) || v.Type() == cty.Bool && v.IsKnown() && v.False()
}

// Reason ends a sentence with a reason after a colon, or with a full stop.
func Reason(note string) string {
	if note == "" {
		return "."
	}
	return ": " + note + "."
}
