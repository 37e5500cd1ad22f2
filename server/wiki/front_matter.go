package wiki

import (
	"encoding/json"
	"strings"

	"go.yaml.in/yaml/v3"
)

// The limits of front matter. What exceeds one is a part of the content.
const (
	maxFrontMatter = 16 << 10 // bytes
	maxNodes       = 1000     // values and keys
	maxDepth       = 20
)

// splitFrontMatter returns the YAML mapping at the top of a page, between lines of three dashes,
// and the text after it. Without one that is valid, the mapping is empty and the text is whole.
func splitFrontMatter(text string) (matter map[string]any, rest string) {
	block, rest, ok := cutFrontMatter(text)
	if !ok {
		return map[string]any{}, text
	}
	var node yaml.Node
	if yaml.Unmarshal([]byte(block), &node) != nil || len(node.Content) != 1 {
		return map[string]any{}, text
	}
	left := maxNodes
	value, ok := plainValue(node.Content[0], &left, 0)
	if matter, isMap := value.(map[string]any); ok && isMap {
		return matter, rest
	}
	return map[string]any{}, text
}

// cutFrontMatter returns the text between the two lines of dashes, and what follows them.
func cutFrontMatter(text string) (block, rest string, ok bool) {
	first, after, ok := strings.Cut(strings.TrimPrefix(text, "\uFEFF"), "\n")
	if !ok || strings.TrimRight(first, " \t\r") != "---" {
		return "", "", false
	}
	for at := 0; at < len(after) && at <= maxFrontMatter; {
		line, _, more := strings.Cut(after[at:], "\n")
		if strings.TrimRight(line, " \t\r") == "---" {
			end := at + len(line)
			if more {
				end++
			}
			return after[:at], strings.TrimLeft(after[end:], "\r\n"), true
		}
		if !more {
			return "", "", false
		}
		at += len(line) + 1
	}
	return "", "", false
}

// plainValue returns a YAML value as JSON has it. It refuses aliases, whose values can grow without
// limit, and what exceeds a limit. Scalars without a JSON form are strings.
func plainValue(n *yaml.Node, left *int, depth int) (value any, ok bool) {
	if *left--; *left < 0 || depth > maxDepth {
		return nil, false
	}
	switch n.Kind {
	case yaml.MappingNode:
		object := map[string]any{}
		for i := 0; i+1 < len(n.Content); i += 2 {
			key := n.Content[i]
			if key.Kind != yaml.ScalarNode {
				return nil, false
			}
			if object[key.Value], ok = plainValue(n.Content[i+1], left, depth+1); !ok {
				return nil, false
			}
		}
		return object, true
	case yaml.SequenceNode:
		list := []any{}
		for _, item := range n.Content {
			value, ok := plainValue(item, left, depth+1)
			if !ok {
				return nil, false
			}
			list = append(list, value)
		}
		return list, true
	case yaml.ScalarNode:
		return scalar(n), true
	}
	return nil, false
}

func scalar(n *yaml.Node) any {
	switch n.Tag {
	case "!!null":
		return nil
	case "!!bool", "!!int", "!!float":
		var value any
		if n.Decode(&value) == nil {
			if _, err := json.Marshal(value); err == nil { // not an infinity
				return value
			}
		}
	}
	return n.Value
}
