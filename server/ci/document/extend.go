package document

import (
	"slices"
	"strings"
)

// maxAncestors is how long a chain of extends may be.
const maxAncestors = 10

// extender resolves the extends of the maps at the top of a definition.
type extender struct {
	merger
	root   *Node
	lookup lookup
	// open are the keys whose extends are being resolved, the one that began first.
	open []string
	done map[string]extended
}

// extended is a map with its parents merged into it.
type extended struct {
	value *Node
	// chain are the longest keys below it that have extends, its own first.
	chain []string
}

// extend returns the definition with extends resolved. The keys `extends` stay.
func extend(root *Node, limits Limits) (*Node, error) {
	x := extender{
		merger: merger{room: limits.MergedBytes},
		root:   root,
		lookup: lookup{},
		done:   map[string]extended{},
	}
	made := *root
	made.Entries = slices.Clone(root.Entries)
	for at, e := range made.Entries {
		if !hasExtends(e.Value) {
			continue
		}
		resolved, err := x.resolve(e.Key, e.Value)
		if err != nil {
			return nil, err
		}
		made.Entries[at].Value = resolved.value
	}
	return &made, nil
}

// hasExtends reports whether a value is a map with the key `extends`.
func hasExtends(n *Node) bool { return n.Get("extends") != nil }

// resolve returns the map of a key, which has extends, with its parents merged into it.
func (x *extender) resolve(key string, value *Node) (extended, error) {
	at := extendsPlace(value)
	if known, ok := x.done[key]; ok {
		if deep := len(x.open) + len(known.chain) - maxAncestors - 1; deep > 0 {
			deepest := known.chain[len(known.chain)-deep]
			place := extendsPlace(x.lookup.get(x.root, deepest))
			return extended{}, errorAt(place, "%s: nesting too deep in `extends`", deepest)
		}
		return known, nil
	}
	parents := extendsKeys(value.Get("extends"))
	if err := x.checkParents(at, key, parents); err != nil {
		return extended{}, err
	}
	if len(x.open) > maxAncestors {
		return extended{}, errorAt(at, "%s: nesting too deep in `extends`", key)
	}
	if slices.Contains(x.open, key) {
		return extended{}, errorAt(at, "%s: circular dependency detected in `extends`", key)
	}
	x.open = append(x.open, key)
	defer func() { x.open = x.open[:len(x.open)-1] }()

	made := &Node{Kind: Map, File: value.File, Line: value.Line}
	places := map[string]int{}
	var longest []string
	for _, name := range parents {
		parent := extended{value: x.lookup.get(x.root, name)}
		if hasExtends(parent.value) {
			var err error
			if parent, err = x.resolve(name, parent.value); err != nil {
				return extended{}, err
			}
		}
		if err := x.into(made, places, parent.value); err != nil {
			return extended{}, err
		}
		if len(parent.chain) > len(longest) {
			longest = parent.chain
		}
	}
	if err := x.into(made, places, value); err != nil {
		return extended{}, err
	}
	result := extended{value: made, chain: append([]string{key}, longest...)}
	x.done[key] = result
	return result, nil
}

// checkParents refuses parents that do not exist or are no maps.
func (x *extender) checkParents(at *Node, key string, parents []string) error {
	for _, fault := range []struct {
		text string
		of   func(*Node) bool
	}{
		{"unknown keys", func(n *Node) bool { return n == nil }},
		{"invalid base hashes", func(n *Node) bool { return n.Kind != Map }},
	} {
		var names []string
		for _, name := range parents {
			if fault.of(x.lookup.get(x.root, name)) {
				names = append(names, name)
			}
		}
		if names != nil {
			return errorAt(at, "%s: %s in `extends` (%s)", key, fault.text, strings.Join(names, ", "))
		}
	}
	return nil
}

// extendsKeys returns the names that a value of extends has.
func extendsKeys(n *Node) []string {
	switch n.Kind {
	case Null:
		return nil
	case List:
		names := make([]string, len(n.Items))
		for i, item := range n.Items {
			names[i] = item.ScalarText()
		}
		return names
	}
	return []string{n.ScalarText()}
}

// extendsPlace returns a node at the place of the key `extends` of a map.
func extendsPlace(n *Node) *Node {
	place := &Node{File: n.File, Line: n.Line}
	for _, e := range n.Entries {
		if e.Key == "extends" {
			// The value may come from another file than the map.
			place.File, place.Line = e.Value.File, e.Line
		}
	}
	return place
}
