package config

import (
	"time"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
)

// timestampFunc returns the time of the plan, or of this call where that is
// not given.
func timestampFunc(now time.Time) function.Function {
	if now.IsZero() {
		now = time.Now()
	}
	text := cty.StringVal(now.UTC().Format(time.RFC3339))
	return function.New(&function.Spec{
		Type: function.StaticReturnType(cty.String), RefineResult: notNull,
		Impl: func([]cty.Value, cty.Type) (cty.Value, error) { return text, nil },
	})
}
