package function

import (
	"time"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
	"github.com/zclconf/go-cty/cty/function/stdlib"
)

// timeFuncs are the functions of dates and times. now is the time of the plan; the zero
// value means the time of the call.
func timeFuncs(now time.Time) []entry {
	if now.IsZero() {
		now = time.Now()
	}
	stamp := cty.StringVal(now.UTC().Format(time.RFC3339))
	return []entry{
		{"formatdate", stdlib.FormatDateFunc, "A time in another format, such as \"DD MMM YYYY\"."},
		{
			"plantimestamp",
			staticFunc(cty.String, func([]cty.Value) (cty.Value, error) { return stamp, nil }),
			"The time of the plan, such as 2026-01-31T12:00:00Z. It is the same throughout a run.",
		},
		{"timeadd", stdlib.TimeAddFunc, "A time plus a duration, such as \"-1h30m\"."},
		{"timecmp", timecmp, "-1, 0 or 1 if the first of two times is earlier, equal or later."},
	}
}

var timecmp = staticFunc(cty.Number, func(args []cty.Value) (cty.Value, error) {
	var at [2]time.Time
	for i := range at {
		t, err := time.Parse(time.RFC3339, args[i].AsString())
		if err != nil {
			return cty.NilVal, function.NewArgErrorf(i, "%q is not a time such as 2026-01-31T12:00:00Z",
				args[i].AsString())
		}
		at[i] = t
	}
	return cty.NumberIntVal(int64(at[0].Compare(at[1]))), nil
}, param("timestamp_a", cty.String), param("timestamp_b", cty.String))
