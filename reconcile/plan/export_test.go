package plan

import (
	"maps"
	"slices"
)

// Searched lists the codes of the guards that something looks for, sorted.
func Searched() []string { return slices.Sorted(maps.Keys(trips)) }
