package reconcile

import (
	"context"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"
)

// Expression evaluates an expression in the planned world. Objects show all their attributes only
// if the configuration was loaded for browsing; otherwise they show only those that it refers to.
// Do not call it during an apply.
func (r *Run) Expression(ctx context.Context, text string) (cty.Value, hcl.Diagnostics) {
	return r.eval.Expression(ctx, r.sources, text)
}
