package plan_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"hew/reconcile/plan"
)

// TestAlters checks which changes fire replace_triggered_by.
func TestAlters(t *testing.T) {
	t.Parallel()
	text := []plan.PathChange{{Attr: thing.Attr("text")}}
	for name, tt := range map[string]struct {
		action plan.Action
		paths  []plan.PathChange
		attr   string
		alters bool
	}{
		"an update":                             {plan.Update, text, "", true},
		"an update of the attribute":            {plan.Update, text, "text", true},
		"an update of another":                  {plan.Update, text, "flag", false},
		"a replacement":                         {plan.Replace, nil, "", true},
		"a replacement that leaves a value":     {plan.Replace, nil, "text", false},
		"a replacement, of what the host gives": {plan.Replace, nil, "full_path", true},
		"an adoption with differences":          {plan.Adopt, text, "", true},
		"a pure adoption":                       {plan.Adopt, nil, "", false},
		"something new":                         {plan.Create, text, "text", false},
		"nothing":                               {plan.NoOp, nil, "", false},
		"a new address":                         {plan.Move, nil, "", false},
	} {
		c := plan.Change{Kind: thing, Action: tt.action, Paths: tt.paths}
		if tt.attr == "full_path" {
			c.Kind = group
		}
		require.Equal(t, tt.alters, c.Alters(tt.attr), name)
	}
}
