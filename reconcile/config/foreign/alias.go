package foreign

import (
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"hew/schema"
)

// DataPrefix stands before the names of data sources in a catalogue of aliases.
const DataPrefix = "data."

// BodySchema returns what a block may hold that is written in the names of an
// alias; meta are the arguments of all blocks.
func BodySchema(a *schema.Alias, meta []hcl.AttributeSchema) *hcl.BodySchema {
	s := &hcl.BodySchema{
		Attributes: append(slices.Clone(meta), hcl.AttributeSchema{Name: "provider"}),
		Blocks: []hcl.BlockHeaderSchema{
			{Type: "lifecycle"},
			{Type: "timeouts"},
			{Type: "dynamic", LabelNames: []string{"block"}},
		},
	}
	if a.By != "" {
		s.Attributes = append(s.Attributes, hcl.AttributeSchema{Name: a.By})
	}
	for _, n := range a.Names {
		if n.Shape == schema.Argument {
			s.Attributes = append(s.Attributes, hcl.AttributeSchema{Name: n.Name})
		} else {
			s.Blocks = append(s.Blocks, hcl.BlockHeaderSchema{Type: n.Name})
		}
	}
	return s
}

// SelectCase returns the case of an alias that a block's argument By selects, or
// nil after reporting an error. An alias without cases is returned as it is.
func SelectCase(a *schema.Alias, b *hcl.Block, r Reporter) *schema.Alias {
	if a == nil || a.Cases == nil {
		return a
	}
	content, _, _ := b.Body.PartialContent(&hcl.BodySchema{Attributes: []hcl.AttributeSchema{{Name: a.By}}})
	in := content.Attributes[a.By]
	if in == nil {
		r.Fail(b.DefRange, "Missing required argument",
			"%s requires the argument %q. Add a line: %s = …", strings.Join(b.Labels, "."), a.By, a.By)
		return nil
	}
	v, diags := in.Expr.Value(nil)
	if !diags.HasErrors() && v.Type() == cty.String && !v.IsNull() && a.Cases[v.AsString()] != nil {
		return a.Cases[v.AsString()]
	}
	cases := slices.Sorted(maps.Keys(a.Cases))
	r.Fail(in.Expr.Range(), "Invalid value",
		"%s selects the kind of object, so it must be one of these literal strings: %s.", a.By,
		strings.Join(cases, ", "))
	return nil
}
