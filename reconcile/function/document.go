package function

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	ctyyaml "github.com/zclconf/go-cty-yaml"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
	"github.com/zclconf/go-cty/cty/function/stdlib"
	"go.yaml.in/yaml/v3"
)

// The library's decoders run only after these checks: the text must be one document, and
// must not need too much memory.
var (
	jsondecode = documentFunc(checkJSON, stdlib.JSONDecodeFunc)
	yamldecode = documentFunc(checkYAML, ctyyaml.YAMLDecodeFunc)
)

func documentFunc(check func(string) error, f function.Function) function.Function {
	return function.New(&function.Spec{
		Params: f.Params(),
		Type:   function.StaticReturnType(cty.DynamicPseudoType),
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
			if err := check(args[0].AsString()); err != nil {
				return cty.NilVal, function.NewArgError(0, err)
			}
			return f.Call(args)
		},
	})
}

// checkJSON limits nesting, as the standard library does, and reports the line of an
// error.
func checkJSON(s string) error {
	var raw json.RawMessage
	err := json.Unmarshal([]byte(s), &raw)
	var at *json.SyntaxError
	if errors.As(err, &at) {
		return fmt.Errorf(
			"the string is not valid JSON, line %d: %w", 1+bytes.Count([]byte(s[:at.Offset]), []byte("\n")), err)
	}
	if err == nil && CheckJSONNesting([]byte(s), "") != nil {
		return errTooDeep
	}
	return err
}

var errTooDeep = fmt.Errorf("the document is nested more than %d levels deep", maxNesting)

// depthOf returns how deeply a document is nested. The decoder limits it to 10,000.
func depthOf(n *yaml.Node) (depth int) {
	for _, c := range n.Content {
		depth = max(depth, depthOf(c))
	}
	return depth + 1
}

// checkYAML rejects several documents, duplicate keys, and documents that expand to too
// much: a few lines with nine aliases of nine aliases stand for billions of values.
func checkYAML(s string) error {
	var doc, next yaml.Node
	d := yaml.NewDecoder(strings.NewReader(s))
	switch err := d.Decode(&doc); {
	case errors.Is(err, io.EOF):
		return errors.New("the string has no YAML document")
	case err != nil:
		return err
	}
	if depthOf(&doc) > maxNesting {
		return errTooDeep
	}
	if d.Decode(&next) == nil {
		return errors.New(
			`the string has more than one document. Split it first, for example with split("\n---\n", text)`)
	}
	const most = 1_000_000
	if countValues(&doc, map[*yaml.Node]int{}, most) > most {
		return fmt.Errorf("the document expands to more than %d values, because its aliases repeat", most)
	}
	return checkUniqueKeys(&doc)
}

// countValues returns how many values a node expands to, or stops soon after most.
func countValues(n *yaml.Node, seen map[*yaml.Node]int, most int) int {
	if n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	if w, ok := seen[n]; ok {
		return w
	}
	seen[n] = most + 1 // for aliases that refer to themselves
	w := 1
	for _, c := range n.Content {
		if w += countValues(c, seen, most); w > most {
			break
		}
	}
	seen[n] = w
	return w
}

// checkUniqueKeys rejects duplicate keys, of which the library takes the last. It allows
// merge keys.
func checkUniqueKeys(n *yaml.Node) error {
	lines := map[string]int{}
	for i, c := range n.Content {
		if key := c.Value; n.Kind == yaml.MappingNode && i%2 == 0 && c.Tag != "!!merge" {
			if first, twice := lines[key]; twice {
				return fmt.Errorf("the key %q is set twice, in lines %d and %d", key, first, c.Line)
			}
			lines[key] = c.Line
		}
		if err := checkUniqueKeys(c); err != nil {
			return err
		}
	}
	return nil
}
