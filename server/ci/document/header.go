package document

import (
	"regexp"
	"slices"
	"strings"
)

// maxOptions bounds the options of an input.
const maxOptions = 50

// inputTypes are the types of inputs.
var inputTypes = []string{"array", "boolean", "number", "string"}

// header is what the first document of a file says about the second.
type header struct {
	inputs []inputSpec
	// component are the keys of `$[[ component.x ]]` that the body uses.
	component []string
	// include is the value of `spec: include:`; nil for none.
	include *Node
}

// inputSpec is one input of `spec: inputs:`.
type inputSpec struct {
	name string
	// kind is one of inputTypes.
	kind string
	// standard is the default; nil if the input is required.
	standard *Node
	options  *Node
	regex    *regexp.Regexp
	// regexText is how the pattern is written; empty for none.
	regexText string
	node      *Node
}

// readHeader returns what a header says. Its errors are in lower case, as those of the linter.
func readHeader(n *Node) (header, error) {
	if err := knownKeys(n, "header", "spec"); err != nil {
		return header{}, err
	}
	spec := n.Get("spec")
	if spec.Kind == Null {
		return header{}, nil
	}
	if spec.Kind != Map {
		return header{}, errorAt(spec, "header:spec config should be a hash")
	}
	if err := knownKeys(spec, "header:spec", "inputs", "include", "component"); err != nil {
		return header{}, err
	}
	h := header{include: spec.Get("include")}
	var err error
	if h.component, err = componentKeys(spec.Get("component")); err != nil {
		return header{}, err
	}
	h.inputs, err = readInputs(spec.Get("inputs"))
	return h, err
}

// readInputs returns the inputs of a header. The node may be nil.
func readInputs(inputs *Node) ([]inputSpec, error) {
	if inputs == nil || inputs.Kind == Null {
		return nil, nil
	}
	if inputs.Kind != Map {
		return nil, errorAt(inputs, "header:spec:inputs config should be a hash")
	}
	var specs []inputSpec
	for _, e := range inputs.Entries {
		spec, err := readInput(e)
		if err != nil {
			return nil, err
		}
		specs = append(specs, spec)
	}
	return specs, nil
}

// readInput returns one input. Without a value it is a required string.
func readInput(e Entry) (inputSpec, error) {
	spec := inputSpec{name: e.Key, kind: "string", node: e.Value}
	place := "header:spec:inputs:" + strings.ToLower(e.Key)
	if e.Value.Kind == Null {
		return spec, nil
	}
	if e.Value.Kind != Map {
		return spec, errorAt(e.Value, "%s config should be a hash", place)
	}
	if err := knownKeys(e.Value, place, "default", "description", "options", "regex", "type"); err != nil {
		return spec, err
	}
	spec.standard = e.Value.Get("default")
	if kind := e.Value.Get("type"); kind != nil && kind.Kind != Null {
		spec.kind = kind.ScalarText()
		if !slices.Contains(inputTypes, spec.kind) {
			return spec, errorAt(kind, "%s input type unknown value: %s", place, strings.ToLower(spec.kind))
		}
	}
	if regex := e.Value.Get("regex"); regex != nil && regex.Kind != Null {
		if regex.Kind != String {
			return spec, errorAt(regex, "%s input regex should be a string", place)
		}
		// A pattern that is none is refused with the value, where it is used.
		spec.regexText = regex.Text
		spec.regex, _ = regexp.Compile(regex.Text)
	}
	if options := e.Value.Get("options"); options != nil && options.Kind != Null {
		spec.options = options
		return spec, checkOptions(options, place)
	}
	return spec, nil
}

// checkOptions refuses options that are no short list of values.
func checkOptions(options *Node, place string) error {
	if options.Kind != List {
		return errorAt(options, "%s input options should be a array", place)
	}
	if len(options.Items) > maxOptions {
		return errorAt(options, "%s config cannot define more than %d options", place, maxOptions)
	}
	if slices.ContainsFunc(options.Items, func(o *Node) bool { return o.Kind == Null }) {
		return errorAt(options, "%s config options array cannot contain null values", place)
	}
	return nil
}

// componentKeys returns the keys of `spec: component:`. The node may be nil.
func componentKeys(n *Node) ([]string, error) {
	if n == nil || n.Kind == Null {
		return nil, nil
	}
	if n.Kind != List {
		return nil, errorAt(n, "header:spec:component config should be an array of strings")
	}
	known := []string{"name", "sha", "version", "reference"}
	var keys, unknown []string
	for _, item := range n.Items {
		if key := item.ScalarText(); slices.Contains(known, key) {
			keys = append(keys, key)
		} else {
			unknown = append(unknown, strings.ToLower(key))
		}
	}
	if unknown != nil {
		return nil, errorAt(n, "header:spec:component config contains unknown values: %s", strings.Join(unknown, ", "))
	}
	return keys, nil
}

// knownKeys refuses a map with other keys than those.
func knownKeys(n *Node, place string, known ...string) error {
	var unknown []string
	at := n
	for _, e := range n.Entries {
		if slices.Contains(known, e.Key) {
			continue
		}
		if unknown == nil {
			at = &Node{File: n.File, Line: e.Line}
		}
		unknown = append(unknown, strings.ToLower(e.Key))
	}
	if unknown == nil {
		return nil
	}
	return errorAt(at, "%s config contains unknown keys: %s", place, strings.Join(unknown, ", "))
}
