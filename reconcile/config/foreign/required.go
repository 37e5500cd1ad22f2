package foreign

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"hew/schema"
)

// checkRequired reports required arguments that are missing, by the names that
// state them.
func (t *translator) checkRequired() {
	for i := range t.Alias.Kind.Attrs {
		a := &t.Alias.Kind.Attrs[i]
		n := t.Alias.For(a.Name)
		if a.Mode != schema.Required || t.stated[a.Name] != "" || n == nil {
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

// ignore reports an argument that the kind has no attribute for: a note, or an
// error where leaving it out would make a difference. of names its block. Null and
// false are what it comes to anyway, so they are passed over in silence.
func ignore(r Reporter, n *schema.Naming, in *hcl.Attribute, of string) {
	v, diags := in.Expr.Value(nil)
	bare, _ := v.Unmark()
	switch {
	case !diags.HasErrors() && bare.IsKnown() && (bare.IsNull() || bare.Type() == cty.Bool && bare.False()):
	case n.Refused:
		r.Fail(in.NameRange, "Unsupported argument", "%s of %s is not supported%s", n.Name, of, Reason(n.Note))
	default:
		r.Note(in.NameRange, "%s of %s has no effect%s", n.Name, of, Reason(n.Note))
	}
}

// Reason ends a sentence with a reason after a colon, or with a full stop.
func Reason(note string) string {
	if note == "" {
		return "."
	}
	return ": " + note + "."
}
