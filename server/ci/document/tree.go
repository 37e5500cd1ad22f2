package document

import (
	"go.yaml.in/yaml/v3"
)

// builder makes a tree of what the YAML library read. Nodes with an anchor become one node,
// whatever the number of aliases.
type builder struct {
	file   string
	limits Limits
	// size is what was made so far, measured as Limits.ParsedBytes, aliases not followed.
	size int
	// anchored has the nodes that have an anchor; nil for one that is being made.
	anchored map[*yaml.Node]*Node
}

// build returns the tree of a node; depth is the number of nodes above it.
func (b *builder) build(y *yaml.Node, depth int) (*Node, error) {
	if y.Kind == yaml.AliasNode {
		n := b.anchored[y.Alias]
		if n == nil {
			// The alias is inside of what it stands for: a tree without an end.
			return nil, &Error{File: b.file, Line: y.Line, Text: textTreeTooBig}
		}
		return n, nil
	}
	n := &Node{File: b.file, Line: y.Line}
	if err := b.grow(n, sizeOf(y.Value), depth); err != nil {
		return nil, err
	}
	if err := b.fill(n, y, depth+1); err != nil {
		return nil, err
	}
	if y.Anchor != "" {
		b.anchored[y] = n
	}
	return n, nil
}

// grow counts what is made and refuses too much of it.
func (b *builder) grow(n *Node, size, depth int) error {
	b.size += size
	if b.size > b.limits.ParsedBytes || depth >= b.limits.Depth {
		return errorAt(n, textTreeTooBig)
	}
	return nil
}

// fill gives a node its value.
func (b *builder) fill(n *Node, y *yaml.Node, depth int) error {
	reference := y.Style&yaml.TaggedStyle != 0 && y.Tag == "!reference"
	switch y.Kind {
	case yaml.ScalarNode:
		value := scalar(y)
		value.File, value.Line = n.File, n.Line
		*n = value
		if reference {
			n.Kind, n.Text = Reference, y.Value
		}
		return nil
	case yaml.SequenceNode:
		n.Kind = List
		for _, item := range y.Content {
			value, err := b.build(item, depth)
			if err != nil {
				return err
			}
			n.Items = append(n.Items, value)
		}
	case yaml.MappingNode:
		n.Kind = Map
		if err := b.entries(n, y, depth); err != nil {
			return err
		}
	}
	if reference {
		n.Kind = Reference
	}
	return nil
}

// entries gives a map its entries. A name that comes again replaces the value and keeps the place.
func (b *builder) entries(n *Node, y *yaml.Node, depth int) error {
	places := make(map[string]int, len(y.Content)/2)
	for i := 0; i+1 < len(y.Content); i += 2 {
		key, err := b.build(y.Content[i], depth)
		if err != nil {
			return err
		}
		value, err := b.build(y.Content[i+1], depth)
		if err != nil {
			return err
		}
		if isMergeKey(y.Content[i]) {
			if merged, ok := mergeSources(value); ok {
				for _, source := range merged {
					if err := b.grow(n, valueSize*len(source.Entries), 0); err != nil {
						return err
					}
					for _, e := range source.Entries {
						n.put(places, e)
					}
				}
				continue
			}
		}
		if key.Kind == Map || key.Kind == List || key.Kind == Reference {
			return errorAt(key, "mapping keys must be scalars at line %d", key.Line)
		}
		n.put(places, Entry{Key: key.ScalarText(), Value: value, Plain: key.Kind == String, Line: y.Content[i].Line})
	}
	return nil
}

// put sets an entry; places says where each key is.
func (n *Node) put(places map[string]int, e Entry) {
	if at, ok := places[e.Key]; ok {
		n.Entries[at] = e
		return
	}
	places[e.Key] = len(n.Entries)
	n.Entries = append(n.Entries, e)
}

// isMergeKey reports whether a key is `<<` without quotes.
func isMergeKey(y *yaml.Node) bool {
	return y.Kind == yaml.ScalarNode && y.Tag == "!!merge"
}

// mergeSources returns the maps that the value of a merge key stands for, the strongest last, and
// false if the value is no map and no list of maps: then the key is one like others.
func mergeSources(value *Node) ([]*Node, bool) {
	switch value.Kind {
	case Map:
		return []*Node{value}, true
	case List:
		var sources []*Node
		for i := len(value.Items) - 1; i >= 0; i-- {
			if value.Items[i].Kind != Map {
				return nil, false
			}
			sources = append(sources, value.Items[i])
		}
		return sources, true
	}
	return nil, false
}
