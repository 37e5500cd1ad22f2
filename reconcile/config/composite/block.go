package composite

import (
	"fmt"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"
)

// Block is a nested block: one that is written, or the content of a dynamic block.
type Block struct {
	Name    string // its type; of a dynamic block its label
	Body    hcl.Body
	Range   hcl.Range // its header, or that of the dynamic block
	Content hcl.Range // the same, or the header of the content block
	Dynamic *Dynamic  // nil for a block that is written
}

// Dynamic is what repeats the content of a dynamic block.
type Dynamic struct {
	Block    string // the type of the blocks
	ForEach  hcl.Expression
	Iterator string // the name of each element in the content
}

// Elements returns the value of for_each, which may be marked or unknown.
func (d *Dynamic) Elements(ctx *hcl.EvalContext) (cty.Value, hcl.Diagnostics) {
	over, diags := d.ForEach.Value(ctx)
	if diags.HasErrors() {
		return cty.DynamicVal, diags
	}
	if bare, _ := over.Unmark(); bare.IsKnown() && (bare.IsNull() || !bare.CanIterateElements()) {
		return cty.DynamicVal, append(diags, &hcl.Diagnostic{
			Severity: hcl.DiagError,
			Summary:  "Invalid for_each argument",
			Subject:  d.ForEach.Range().Ptr(),
			Detail: fmt.Sprintf("for_each of a dynamic block must be a list, a set or a map, not a %s.",
				bare.Type().FriendlyName()),
		})
	}
	return over, diags
}
