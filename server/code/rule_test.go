package code_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/code"
	"hew/server/git/object"
)

// What is new in a ref is found from its commit on: parents first, and nothing beside them.
func TestNewIn(t *testing.T) {
	t.Parallel()
	id := func(n byte) object.ID { return object.ID{n} }
	const known = 100
	parents := map[byte][]byte{1: {known}, 2: {1}, 3: {known}, 4: {2, 3}, 5: {}}
	find := code.NewIn(5, func(i int) (object.ID, []object.ID) {
		var list []object.ID
		for _, p := range parents[byte(i+1)] {
			list = append(list, id(p))
		}
		return id(byte(i + 1)), list
	})
	for target, want := range map[byte][]object.ID{
		4: {id(1), id(2), id(3), id(4)}, 2: {id(1), id(2)}, 3: {id(3)}, 5: {id(5)}, known: nil,
	} {
		require.Equal(t, want, find(id(target)), target)
	}

	// Each of many refs costs what it brings, not what all of them bring.
	const many = 100_000
	nth := func(i int) object.ID { return object.ID{1, byte(i >> 16), byte(i >> 8), byte(i)} }
	find = code.NewIn(many, func(i int) (object.ID, []object.ID) { return nth(i), nil })
	for i := range many {
		require.Equal(t, []object.ID{nth(i)}, find(nth(i)))
	}
}
