package reporttest

import (
	"slices"

	"github.com/zclconf/go-cty/cty"

	"hew/schema"
)

// WithOpens returns a copy of a kind in which an attribute has the function that says
// what widens access.
func WithOpens(k *schema.Kind, attr string, opens func(before, after cty.Value) bool) *schema.Kind {
	kind := *k
	kind.Attrs = slices.Clone(k.Attrs)
	kind.Attr(attr).Opens = opens
	return &kind
}

// WiderVisibility reports whether more people see after than before, and of something
// new whether everybody does.
func WiderVisibility(before, after cty.Value) bool {
	if before.IsNull() {
		return schema.Text(after) == "public"
	}
	ranks := []string{"private", "internal", "public"}
	return slices.Index(ranks, schema.Text(after)) > slices.Index(ranks, schema.Text(before))
}

// HigherLevel reports whether a number is greater after than before, where null is 0.
func HigherLevel(before, after cty.Value) bool {
	return before.IsNull() || after.GreaterThan(before).True()
}
