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

// ignoredArgument returns what there is to say of an argument that has no counterpart.
// of names its block.
func ignoredArgument(n *schema.Naming, in *hcl.Attribute, of string) Ignored {
	verb := "has no effect"
	if n.Refused {
		verb = "is not supported"
	}
	return Ignored{*in, n.Refused, fmt.Sprintf("%s of %s %s%s", n.Name, of, verb, Reason(n.Note))}
}

// ignore passes over an argument of the block that has no counterpart. Literal values
// are noted at once, others when they are known.
func (t *translator) ignore(n *schema.Naming, in *hcl.Attribute) {
	ignored := ignoredArgument(n, in, t.Address)
	v, diags := in.Expr.Value(nil)
	switch {
	case n.Refused || diags.HasErrors():
		t.out.Ignored = append(t.out.Ignored, ignored)
	case !IsOff(v):
		t.Note(in.NameRange, "%s", ignored.Detail)
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
