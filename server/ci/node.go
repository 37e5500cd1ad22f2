package ci

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"hew/server/ci/document"
	"hew/server/fault"
)

// nodeOf returns JSON as a tree, nil for none.
func nodeOf(text json.RawMessage) (*document.Node, error) {
	if len(text) == 0 {
		return nil, nil
	}
	var value any
	if err := json.Unmarshal(text, &value); err != nil {
		return nil, err
	}
	return treeOf(value), nil
}

func treeOf(value any) *document.Node {
	n := &document.Node{}
	switch v := value.(type) {
	case bool:
		n.Kind, n.Bool, n.Text = document.Bool, v, strconv.FormatBool(v)
	case float64:
		n.Kind, n.Float, n.Text = document.Float, v, strconv.FormatFloat(v, 'f', -1, 64)
		if v == float64(int64(v)) {
			n.Kind, n.Int = document.Int, int64(v)
		}
	case string:
		n.Kind, n.Text = document.String, v
	case []any:
		n.Kind = document.List
		for _, item := range v {
			n.Items = append(n.Items, treeOf(item))
		}
	case map[string]any:
		n.Kind = document.Map
		for key, item := range v {
			n.Entries = append(n.Entries, document.Entry{Key: key, Plain: true, Value: treeOf(item)})
		}
		slices.SortFunc(n.Entries, func(a, b document.Entry) int {
			return strings.Compare(a.Key, b.Key)
		})
	}
	return n
}

// InputsOf returns the inputs of a definition that a request has; nil if there are none. A number
// that is too large for a definition is a fault.
func InputsOf(inputs map[string]any) (*document.Node, error) {
	if len(inputs) == 0 {
		return nil, nil
	}
	for _, value := range inputs {
		if err := checkNumbers(value); err != nil {
			return nil, err
		}
	}
	text, err := json.Marshal(inputs)
	if err != nil {
		return nil, err
	}
	return nodeOf(text)
}

// checkNumbers refuses an input with a number that a definition cannot hold.
func checkNumbers(value any) error {
	switch v := value.(type) {
	case json.Number:
		if _, err := v.Float64(); err != nil {
			return fault.Invalid("inputs", fmt.Sprintf("have a number that is too large: %.20s", v))
		}
	case []any:
		for _, item := range v {
			if err := checkNumbers(item); err != nil {
				return err
			}
		}
	case map[string]any:
		for _, item := range v {
			if err := checkNumbers(item); err != nil {
				return err
			}
		}
	}
	return nil
}
