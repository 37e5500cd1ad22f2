//go:build unix

package function

import (
	"fmt"
	"syscall"
	"testing"
	"time"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/stretchr/testify/require"
	"github.com/zclconf/go-cty/cty"

	"hew/reconcile/file"
)

// TestLinear: no function compares each element of a tuple or object with every other. Four
// times the elements take four times as long, sixteen times if the time is quadratic. It is not
// parallel, because it measures the time that the process has used.
func TestLinear(t *testing.T) {
	const n, most, room = 3000, 10, 100 * time.Millisecond
	funcs := New(file.Dir{}, time.Time{}, nil)
	for _, src := range []string{
		`join(",", t)`, `toset(t)`, `tolist(t)`, `tomap(o)`, `convert(t, list(string))`, `convert(o, map(string))`,
		`sort(t)`, `compact(t)`, `chunklist(t, 10)`, `distinct(t)`, `setproduct(t, ["a"])`, `concat(t, t)`,
		`flatten([t, t])`, `setunion(t, t)`, `setintersection(t, t)`, `setsubtract(t, t)`, `transpose({ a = t })`,
		`convert([{ a = t }], list(object({ a = list(string) })))`,
		`zipmap(t, t)`, `merge(o, o)`, `merge([for x in t : { (x) = 1 }]...)`, `matchkeys(t, t, t)`,
		`sum([for x in t : 1])`, `alltrue([for x in t : true])`, `formatlist("%s", t)`, `jsondecode(jsonencode(t))`,
		`yamldecode(yamlencode(t))`, `tolist([for i, x in t : i == 0 ? 1 : x])`, `values(o)`, `keys(o)`,
		`toset([for i, x in t : { a = x, b = [x] }])`, `join(",", [for i, x in t : i == 0 ? 1 : x])`,
	} {
		expr, diags := hclsyntax.ParseExpression([]byte(src), "test", hcl.InitialPos)
		require.False(t, diags.HasErrors(), diags.Error())
		measure := func(n int) time.Duration {
			tuple, object := make([]cty.Value, n), map[string]cty.Value{}
			for i := range tuple {
				tuple[i] = cty.StringVal(fmt.Sprint("x", i))
				object[fmt.Sprint("x", i)] = tuple[i]
			}
			ctx := &hcl.EvalContext{Functions: funcs,
				Variables: map[string]cty.Value{"t": cty.TupleVal(tuple), "o": cty.ObjectVal(object)}}
			start := processorTime(t)
			_, diags := expr.Value(ctx)
			require.False(t, diags.HasErrors(), diags.Error())
			return processorTime(t) - start
		}
		short, long := measure(n), measure(4*n)
		for range 10 { // garbage of earlier calls may be collected in between
			if long < most*short+room {
				break
			}
			short, long = min(short, measure(n)), min(long, measure(4*n))
		}
		require.Less(t, long, most*short+room, "%s takes %s for %d elements, and %s for %d", src, short, n, long, 4*n)
	}
}

// processorTime returns the time that the process has computed so far.
func processorTime(t *testing.T) time.Duration {
	var u syscall.Rusage
	require.NoError(t, syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
