package definition

import (
	"slices"
	"strings"

	"hew/server/ci/document"
	"hew/server/ci/expression"
)

// inheritance says what a job takes from default and from the variables at the top.
type inheritance struct {
	defaults, variables *choice
}

// choice is a set of names. Nil is all.
type choice struct {
	names map[string]bool
}

func (c *choice) has(name string) bool { return c == nil || c.names[name] }

func readInherit(j *Job, e entry) {
	if !e.is(document.Map) {
		e.fail("should be a hash")
		return
	}
	e.keys("default", "variables")
	j.inherits.defaults = readChoice(e.sub("default"), defaultNames())
	j.inherits.variables = readChoice(e.sub("variables"), nil)
}

// readChoice reads true, false or a list of names. Known are the valid names, nil if all are.
func readChoice(e entry, known []string) *choice {
	switch {
	case !e.given(), e.is(document.Bool) && e.node.Bool:
		return nil
	case e.is(document.Bool):
		return &choice{}
	}
	names, ok := stringsOf(e.node)
	if !ok {
		e.fail("should be a bool or an array of strings")
		return nil
	}
	var unknown []string
	chosen := make(map[string]bool, len(names))
	for _, name := range names {
		chosen[name] = true
		if known != nil && !slices.Contains(known, name) {
			unknown = append(unknown, name)
		}
	}
	if unknown != nil {
		e.fail("contains unknown values: %s", strings.Join(unknown, ", "))
	}
	return &choice{chosen}
}

// checkVariables reads the variables at the top.
func (c *checker) checkVariables() {
	e := c.root("variables")
	c.config.Variables = e.variables("value", "description", "expand", "options")
}

func readJobVariables(j *Job, e entry) { j.own = plainVariables(e.variables("value", "expand")) }

func plainVariables(list []Variable) (plain []expression.Variable) {
	for _, v := range list {
		plain = append(plain, v.Variable)
	}
	return plain
}

// variables reads a map of variables, of which each is a scalar, or a map of the allowed keys if
// there are any.
func (e entry) variables(allowed ...string) (list []Variable) {
	if !e.given() {
		return nil
	}
	if !e.is(document.Map) {
		e.fail("should be a hash")
		return nil
	}
	for _, given := range e.node.Entries {
		v := Variable{Variable: expression.Variable{Key: given.Key}}
		if text, ok := scalar(given.Value); ok {
			v.Value = text
			list = append(list, v)
			continue
		}
		of := e.item(e.location+":"+given.Key, given.Value)
		switch {
		case !of.is(document.Map):
			e.c.fail(given.Value, "variable definition must be either a string or a hash")
		case allowed == nil:
			of.fail("must be a string")
		default:
			of.readVariable(&v, allowed)
		}
		list = append(list, v)
	}
	return list
}

// readVariable reads a variable with several keys.
func (e entry) readVariable(v *Variable, allowed []string) {
	var unknown []string
	for _, key := range e.node.Entries {
		if !slices.Contains(allowed, key.Key) {
			unknown = append(unknown, key.Key)
		}
	}
	if unknown != nil {
		e.fail("uses invalid data keys: %s", strings.Join(unknown, ", "))
	}
	v.Value, v.Description = e.scalarField("value"), e.scalarField("description")
	if expand := e.field("expand").optionalBoolean(); expand != nil {
		v.Raw = !*expand
	}
	if v.Options = e.field("options").strings(); len(v.Options) > 0 && !slices.Contains(v.Options, v.Value) {
		e.fail("value must be present in options")
	}
}

// scalarField returns the text of a key of a variable.
func (e entry) scalarField(key string) string {
	at := e.field(key)
	text, ok := scalar(at.node)
	if at.given() && !ok {
		at.attribute = "config " + key
		at.fail("must be an alphanumeric string")
	}
	return text
}

// merge returns variables of which each name counts once: those that come first win.
func merge(lists ...[]expression.Variable) []expression.Variable {
	var merged []expression.Variable
	seen := map[string]bool{}
	for _, list := range lists {
		for _, v := range list {
			if !seen[v.Key] {
				seen[v.Key] = true
				merged = append(merged, v)
			}
		}
	}
	return merged
}
