package function

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function/stdlib"
)

// TestDistinctIsLinear: each element is compared with those of its hash, and with no others.
func TestDistinctIsLinear(t *testing.T) {
	t.Parallel()
	const n = 100_000 // comparing all with all takes an hour
	var items, want []cty.Value
	for i := range n {
		v := cty.StringVal(fmt.Sprint(i))
		items, want = append(items, v, v), append(want, v)
	}
	got, err := distinct.Call([]cty.Value{cty.ListVal(items)})
	require.NoError(t, err)
	require.True(t, got.RawEquals(cty.ListVal(want)))
}

// TestTextsAreBounded: no function makes a string that takes all memory.
func TestTextsAreBounded(t *testing.T) {
	t.Parallel()
	long := cty.StringVal(strings.Repeat("a", 1<<14))
	_, err := replaceFunc.Call([]cty.Value{long, cty.StringVal("a"), long})
	require.ErrorContains(t, err, "longer than 64 MiB")
	_, err = replaceFunc.Call([]cty.Value{long, cty.StringVal(""), long})
	require.ErrorContains(t, err, "longer than 64 MiB")
	_, err = replaceFunc.Call([]cty.Value{long, cty.StringVal("/a?/"), long})
	require.ErrorContains(t, err, "longer than 64 MiB")
	var many []cty.Value
	for range 1 << 13 {
		many = append(many, long)
	}
	_, err = checked(stdlib.JoinFunc, checkJoin).Call([]cty.Value{cty.StringVal(""), cty.ListVal(many)})
	require.ErrorContains(t, err, "longer than 64 MiB")
}
