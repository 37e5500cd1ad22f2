package reconcile

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"
)

// Expression evaluates a text in the world as it is planned: what is live, and
// what is declared over it. The configuration has to be loaded for browsing,
// else objects show only what it refers to itself. Not while an apply runs.
func (r *Run) Expression(text string) (cty.Value, hcl.Diagnostics) {
	return r.eval.Expression(r.sources, text)
}
