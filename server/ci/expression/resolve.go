package expression

import (
	"fmt"
	"slices"
	"strings"
)

// Use says what variables are resolved for.
type Use int

// The uses of variables (ci §2.4).
const (
	// ForServer replaces every reference; unknown ones become empty.
	ForServer Use = iota
	// ForRunner leaves references to unknown, file and raw variables to the runner.
	ForRunner
)

// CircularError is the error of variables that refer to each other.
type CircularError struct {
	Names [][]string // of each circle
}

func (e *CircularError) Error() string {
	circles := make([]string, len(e.Names))
	for i, names := range e.Names {
		circles[i] = quoteList(names)
	}
	return "circular variable reference detected: " + strings.Join(circles, ", ")
}

// quoteList returns names as in `["A", "B"]`.
func quoteList(names []string) string {
	quoted := make([]string, len(names))
	for i, name := range names {
		quoted[i] = fmt.Sprintf("%q", name)
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}

// Resolve returns variables with the references in their values replaced, in the same order and
// with the same repetitions. A reference is to the last variable of the name; one to the variable
// itself is to the one that it replaces. Raw variables stay as they are. The error is a
// *CircularError or ErrTooLarge.
func Resolve(list []Variable, use Use) ([]Variable, error) {
	r := resolver{list: slices.Clone(list), use: use, last: map[string]int{}, before: make([]int, len(list))}
	for i, v := range list {
		r.before[i] = -1
		if previous, ok := r.last[v.Key]; ok {
			r.before[i] = previous
		}
		r.last[v.Key] = i
	}
	components := Components(len(list), r.uses)
	var circles [][]string
	for _, c := range components {
		if len(c) > 1 {
			circles = append(circles, r.names(c))
		}
	}
	if circles != nil {
		return nil, &CircularError{circles}
	}
	total := 0
	for _, c := range components { // what a variable uses is before it
		i := c[0]
		r.list[i].Value = r.expanded(i)
		total += len(r.list[i].Value)
		if len(r.list[i].Value) > maxExpanded || total > maxTotal {
			return nil, ErrTooLarge
		}
	}
	return r.list, nil
}

// resolver expands a list of variables in place.
type resolver struct {
	list   []Variable
	use    Use
	last   map[string]int // index of the last variable of a name
	before []int          // index of the variable that one replaces, or -1
}

// target returns the index of the variable that a reference in variable i is to, or -1.
func (r *resolver) target(i int, name string) int {
	if name == r.list[i].Key {
		return r.before[i]
	}
	if at, ok := r.last[name]; ok {
		return at
	}
	return -1
}

// uses returns the indexes of the variables that variable i refers to.
func (r *resolver) uses(i int) (used []int) {
	if r.list[i].Raw {
		return nil
	}
	for _, name := range References(r.list[i].Value) {
		if at := r.target(i, name); at >= 0 {
			used = append(used, at)
		}
	}
	return used
}

// expanded returns the value of variable i, whose references are resolved already.
func (r *resolver) expanded(i int) string {
	if r.list[i].Raw {
		return r.list[i].Value
	}
	return expand(r.list[i].Value, func(name, written string) string {
		at := r.target(i, name)
		switch {
		case at < 0 && r.use == ForServer:
			return ""
		case at < 0, r.use == ForRunner && (r.list[at].Raw || r.list[at].File):
			return written
		}
		return r.list[at].Value
	})
}

func (r *resolver) names(component []int) []string {
	names := make([]string, len(component))
	for n, i := range component {
		names[n] = r.list[i].Key
	}
	return names
}
