package view

import (
	"slices"
	"strings"
)

// CustomAttribute is one of them as it is shown.
type CustomAttribute struct {
	Key   string `json:"key"`
	Value string `json:"value"`
}

// CustomAttributesOf lists custom attributes by key.
func CustomAttributesOf(m map[string]string) []CustomAttribute {
	list := make([]CustomAttribute, 0, len(m))
	for k, v := range m {
		list = append(list, CustomAttribute{k, v})
	}
	slices.SortFunc(list, func(a, b CustomAttribute) int { return strings.Compare(a.Key, b.Key) })
	return list
}
