package store

import (
	"maps"
	"slices"
)

// Constraints are the names of all constraints that have words.
func Constraints() []string { return slices.Collect(maps.Keys(constraints)) }
