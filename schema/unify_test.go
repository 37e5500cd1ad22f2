package schema_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"

	"hew/schema"
)

// TestUnify compares the common types of random types with those that the library finds.
func TestUnify(t *testing.T) {
	t.Parallel()
	for seed := range uint64(20_000) {
		r := rand.New(rand.NewPCG(seed, 1))
		types := make([]cty.Type, 1+r.IntN(4))
		for i := range types {
			types[i] = randomType(r, 3)
		}
		want, _ := convert.UnifyUnsafe(types)
		got := schema.Unify(types)
		require.Equal(t, want.GoString(), got.GoString(), "seed %d: %#v", seed, types)
	}
}

func randomType(r *rand.Rand, depth int) cty.Type {
	primitive := []cty.Type{cty.String, cty.Number, cty.Bool, cty.String, cty.String}
	if depth == 0 || r.IntN(3) == 0 {
		return primitive[r.IntN(len(primitive))]
	}
	switch r.IntN(8) {
	case 0:
		return cty.List(randomType(r, depth-1))
	case 1:
		return cty.Map(randomType(r, depth-1))
	case 2:
		return cty.Set(randomType(r, depth-1))
	case 3, 4:
		elements := make([]cty.Type, r.IntN(3))
		for i := range elements {
			elements[i] = randomType(r, depth-1)
		}
		return cty.Tuple(elements)
	}
	attributes := map[string]cty.Type{}
	for range r.IntN(3) {
		attributes[fmt.Sprint("a", r.IntN(2))] = randomType(r, depth-1)
	}
	return cty.Object(attributes)
}
