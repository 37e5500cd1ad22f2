package definition

import (
	"strings"

	"hew/server/ci/document"
	"hew/server/ci/expression"
)

// combination are the variables of one job of a matrix, in the order of the file.
type combination []expression.Variable

// String returns what the name of the job has for it, such as "[linux, arm64]".
func (c combination) String() string {
	values := make([]string, len(c))
	for i, v := range c {
		values[i] = v.Value
	}
	return "[" + strings.Join(values, ", ") + "]"
}

// readParallel stores how many instances a job has in Total, or its combinations.
func readParallel(j *Job, e entry) {
	switch {
	case e.is(document.Map):
		e.keys("matrix")
		matrix := e.sub("matrix")
		if !matrix.given() {
			e.fail("missing required keys: matrix")
			return
		}
		j.matrix = matrix.matrix()
		j.Total = len(j.matrix)
	case j.Kind == Bridge && e.is(document.Int):
		e.fail(`cannot use "parallel: <number>".`)
	case e.is(document.Float):
		e.fail("must be an integer")
	case !e.is(document.Int):
		e.attribute = "should"
		e.fail("be an integer or a hash")
	case e.node.Int < 1:
		e.fail("must be greater than or equal to 1")
	case e.node.Int > maxParallel:
		e.fail("must be less than or equal to %d", maxParallel)
	default:
		j.Total = int(e.node.Int)
	}
}

// matrix returns the combinations of a matrix. The first key varies slowest.
func (e entry) matrix() (all []combination) {
	if !e.is(document.List) {
		e.fail("should be an array of hashes")
		return nil
	}
	for _, item := range e.node.Items {
		if item == nil || item.Kind != document.Map {
			e.fail("should be an array of hashes")
			return nil
		}
		of := e.item(e.location+":variables", item)
		combined := []combination{nil}
		for _, given := range item.Entries {
			values := of.matrixValues(given.Value)
			if values == nil {
				return nil
			}
			if len(all)+len(combined)*len(values) > maxParallel {
				e.fail("generates too many jobs (maximum is %d)", maxParallel)
				return nil
			}
			combined = product(combined, given.Key, values)
		}
		if len(item.Entries) > 0 {
			all = append(all, combined...)
		}
	}
	if len(all) == 0 {
		e.fail("can't be blank")
	}
	return all
}

// matrixValues returns the values of a variable, nil if there is a mistake.
func (e entry) matrixValues(n *document.Node) (values []string) {
	items := []*document.Node{n}
	if n != nil && n.Kind == document.List {
		items, _ = flatten(n)
	}
	for _, item := range items {
		text, ok := scalar(item)
		if !ok || item.Kind == document.Null {
			values = nil
			break
		}
		values = append(values, text)
	}
	if values == nil {
		e.fail("should be a hash of key value pairs, value can be an array")
	}
	return values
}

// product adds each value of a variable to each combination.
func product(to []combination, key string, values []string) []combination {
	made := make([]combination, 0, len(to)*len(values))
	for _, c := range to {
		for _, value := range values {
			longer := append(combination(nil), c...)
			made = append(made, append(longer, expression.Variable{Key: key, Value: value}))
		}
	}
	return made
}
