package document

import (
	"strings"
)

// resolver puts what references stand for in their place.
type resolver struct {
	root   *Node
	lookup lookup
	// done has the results of maps, lists and references; nil for a reference that is being
	// resolved.
	done map[*Node]*Node
}

// resolveReferences returns the definition without references.
func resolveReferences(root *Node) (*Node, error) {
	r := resolver{root: root, lookup: lookup{}, done: map[*Node]*Node{}}
	return r.resolve(root)
}

// resolve returns a tree without references. What has none stays the same node.
func (r *resolver) resolve(n *Node) (*Node, error) {
	if n.Kind != Map && n.Kind != List && n.Kind != Reference {
		return n, nil
	}
	if made, ok := r.done[n]; ok {
		if made == nil {
			return nil, errorAt(n, "!reference %s is part of a circular chain", n.inspect())
		}
		return made, nil
	}
	made, err := r.parts(n)
	if err != nil {
		return nil, err
	}
	r.done[n] = made
	return made, nil
}

// parts returns a map or a list without references, or what a reference stands for.
func (r *resolver) parts(n *Node) (*Node, error) {
	if n.Kind == Reference {
		return r.follow(n)
	}
	made := *n
	changed := false
	made.Entries = make([]Entry, len(n.Entries))
	for i, e := range n.Entries {
		value, err := r.resolve(e.Value)
		if err != nil {
			return nil, err
		}
		changed = changed || value != e.Value
		e.Value = value
		made.Entries[i] = e
	}
	made.Items = make([]*Node, len(n.Items))
	for i, item := range n.Items {
		value, err := r.resolve(item)
		if err != nil {
			return nil, err
		}
		changed = changed || value != item
		made.Items[i] = value
	}
	if !changed {
		return n, nil
	}
	return &made, nil
}

// follow returns what a reference stands for: the value at its path, with references in it
// resolved. Nothing stands at a path to null or false.
func (r *resolver) follow(n *Node) (*Node, error) {
	if !validReference(n) {
		return nil, errorAt(n, "!reference %s is not valid", n.inspect())
	}
	r.done[n] = nil
	value := r.root
	for _, step := range n.Items {
		if value != nil && value.Kind == Reference {
			var err error
			if value, err = r.resolve(value); err != nil {
				return nil, err
			}
		}
		value = r.lookup.get(value, step.Text)
	}
	if value != nil {
		var err error
		if value, err = r.resolve(value); err != nil {
			return nil, err
		}
	}
	if value == nil || value.Kind == Null || value.Kind == Bool && !value.Bool {
		return nil, errorAt(n, "!reference %s could not be found", n.inspect())
	}
	return value, nil
}

// validReference reports whether a reference is a list of texts.
func validReference(n *Node) bool {
	for _, step := range n.Items {
		if step.Kind != String {
			return false
		}
	}
	return len(n.Items) > 0
}

// inspect returns a value as texts about references show it, such as ["a", "b"].
func (n *Node) inspect() string {
	var parts []string
	switch {
	case n.Kind == Null:
		return "nil"
	case n.Kind == Map || len(n.Entries) > 0:
		for _, e := range n.Entries {
			parts = append(parts, string(quoteJSON(e.Key))+"=>"+e.Value.inspect())
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case n.Kind == String || n.Kind == Reference && n.Text != "":
		return string(quoteJSON(n.Text))
	case n.Kind == List || n.Kind == Reference:
		for _, item := range n.Items {
			parts = append(parts, item.inspect())
		}
		return "[" + strings.Join(parts, ", ") + "]"
	}
	return n.ScalarText()
}
