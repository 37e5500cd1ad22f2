package definition

import (
	"fmt"
	"slices"
	"strings"

	"hew/server/ci/expression"
)

// circle returns an error if needs lead back to the job where they begin, nil if none do.
func circle(jobs []*Job) *Error {
	indexes := make(map[string]int, len(jobs))
	for i, j := range jobs {
		indexes[j.Name] = i
	}
	components := expression.Components(len(jobs), func(i int) (next []int) {
		for _, n := range jobs[i].Needs {
			next = append(next, indexes[n.Job])
		}
		return next
	})
	for _, component := range components {
		first := jobs[component[0]]
		if len(component) > 1 {
			names := make([]string, len(component))
			for i, at := range component {
				names[i] = fmt.Sprintf("%q", jobs[at].Name)
			}
			return located(first.at, "The pipeline has circular dependencies: topological sort failed: ["+
				strings.Join(names, ", ")+"]")
		}
		if slices.ContainsFunc(first.Needs, func(n Need) bool { return n.Job == first.Name }) {
			return located(first.at, "The pipeline has circular dependencies: self-dependency: "+first.Name)
		}
	}
	return nil
}
