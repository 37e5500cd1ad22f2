package document

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// shownFaults is how many faults of inputs or of blocks one error has.
const shownFaults = 3

// values returns the value of each input, given or by default. The given ones are a map or nil; a
// null is not given.
func (h header) values(given *Node) (map[string]*Node, error) {
	known := lookup{}
	var at *Node
	var faults []string
	values := make(map[string]*Node, len(h.inputs))
	for _, spec := range h.inputs {
		value := known.get(given, spec.name)
		if value != nil && value.Kind == Null {
			value = nil
		}
		for _, fault := range spec.faults(value) {
			at = cmp.Or(at, spec.node)
			faults = append(faults, "`"+spec.name+"` input: "+fault)
		}
		values[spec.name] = cmp.Or(value, spec.standard)
	}
	if unknown := given.unknownKeys(values); unknown != nil {
		faults = slices.Insert(faults, 0, "unknown input arguments: "+strings.Join(unknown, ", "))
	}
	if faults != nil {
		return nil, errorAt(cmp.Or(given, at), "%s", strings.Join(faults[:min(shownFaults, len(faults))], ", "))
	}
	return values, nil
}

// unknownKeys returns the keys of a map that have no value. The node may be nil.
func (n *Node) unknownKeys(values map[string]*Node) []string {
	var unknown []string
	if n != nil {
		for _, e := range n.Entries {
			if _, ok := values[e.Key]; !ok {
				unknown = append(unknown, e.Key)
			}
		}
	}
	return unknown
}

// faults returns what is wrong with the default and with a value, which is nil if none is given.
func (s inputSpec) faults(value *Node) []string {
	if s.standard == nil && value == nil {
		return []string{"required value has not been provided"}
	}
	var faults []string
	if s.standard != nil {
		faults = s.check(s.standard, "default")
	}
	if value != nil {
		faults = append(faults, s.check(value, "provided")...)
	}
	return faults
}

// inputKinds are the kinds of nodes that the types of inputs admit, with the article of their name.
var inputKinds = map[string]struct {
	kinds []Kind
	name  string
}{
	"array":   {[]Kind{List}, "an array"},
	"boolean": {[]Kind{Bool}, "a boolean"},
	"number":  {[]Kind{Int, Float}, "a number"},
	"string":  {[]Kind{String}, "a string"},
}

// check returns what is wrong with a value; word is "default" or "provided".
func (s inputSpec) check(value *Node, word string) []string {
	var faults []string
	kind := inputKinds[s.kind]
	fits := slices.Contains(kind.kinds, value.Kind)
	if !fits {
		faults = append(faults, fmt.Sprintf("%s value is not %s", word, kind.name))
	}
	if s.options != nil {
		switch {
		case s.kind != "string" && s.kind != "number":
			faults = append(faults, "Options can only be used with string and number inputs")
		case value.Kind != Null && !slices.ContainsFunc(s.options.Items, value.sameScalar):
			faults = append(faults, fmt.Sprintf("`%s` cannot be used because it is not in the list of allowed options",
				value.ScalarText()))
		}
	}
	switch {
	case s.regexText == "":
	case s.kind != "string":
		faults = append(faults, "RegEx validation can only be used with string inputs")
	case !fits:
	case s.regex == nil:
		faults = append(faults, "invalid regular expression")
	case !s.regex.MatchString(value.Text):
		faults = append(faults, word+" value does not match required RegEx pattern")
	}
	return faults
}

// sameScalar reports whether two scalars are equal; 1 and 1.0 are.
func (n *Node) sameScalar(other *Node) bool {
	if n.Kind == Int && other.Kind == Float {
		return float64(n.Int) == other.Float
	}
	if n.Kind == Float && other.Kind == Int {
		return n.Float == float64(other.Int)
	}
	return n.Equal(other)
}
