package document

import (
	"regexp"
	"strings"
)

// The limits of interpolation.
const (
	maxBlocks      = 10_000
	maxStringBytes = 1 << 20
	maxBlockBytes  = 1 << 10
	maxFunctions   = 3
	maxBlockParts  = 5
)

// block finds `$[[ access | function ]]`, in which the second group is what stands between.
var block = regexp.MustCompile(`\$\[\[\s*(\S.*?\S)\s*\]\]`)

// interpolation puts values of inputs into a tree.
type interpolation struct {
	// contexts has the values by the first and the second part of an access.
	contexts  map[string]map[string]*Node
	variables map[string]Variable
	// room is the size that may still be made.
	room int
	// blocks has the values of the blocks seen so far.
	blocks map[string]*Node
	// done has the new nodes of maps, lists and references.
	done map[*Node]*Node
}

// apply returns the tree with the values in it. What has no block stays the same node.
func (i *interpolation) apply(n *Node) (*Node, error) {
	switch n.Kind {
	case String:
		return i.text(n, n.Text)
	case Map, List, Reference:
		if made, ok := i.done[n]; ok {
			return made, nil
		}
		made, err := i.parts(n)
		if err != nil {
			return nil, err
		}
		i.done[n] = made
		return made, nil
	}
	return n, nil
}

// parts returns a map, a list or a reference with the values in it.
func (i *interpolation) parts(n *Node) (*Node, error) {
	made := *n
	changed := false
	if n.Items != nil {
		made.Items = make([]*Node, len(n.Items))
		for at, item := range n.Items {
			value, err := i.apply(item)
			if err != nil {
				return nil, err
			}
			made.Items[at] = value
			changed = changed || value != item
		}
	}
	made.Entries = nil
	places := make(map[string]int, len(n.Entries))
	for _, e := range n.Entries {
		key, err := i.key(n, e)
		if err != nil {
			return nil, err
		}
		if key.Value, err = i.apply(e.Value); err != nil {
			return nil, err
		}
		changed = changed || key != e
		made.put(places, key)
	}
	if !changed {
		return n, nil
	}
	return &made, nil
}

// key returns an entry with the values in its key.
func (i *interpolation) key(n *Node, e Entry) (Entry, error) {
	if !e.Plain {
		return e, nil
	}
	name := &Node{Kind: String, Text: e.Key, File: n.File, Line: e.Line}
	made, err := i.text(name, e.Key)
	if err != nil || made == name {
		return e, err
	}
	e.Key, e.Plain = made.ScalarText(), made.Kind == String
	return e, nil
}

// text returns a string with the values in it: the value itself if the string is one block.
func (i *interpolation) text(n *Node, text string) (*Node, error) {
	if !strings.Contains(text, "$[[") {
		return n, nil
	}
	if len(text) > maxStringBytes {
		return nil, errorAt(n, "config node too large")
	}
	matches := block.FindAllStringSubmatchIndex(text, -1)
	if matches == nil {
		return n, nil
	}
	var b strings.Builder
	end := 0
	for _, m := range matches {
		value, err := i.value(n, text[m[0]:m[1]], text[m[2]:m[3]])
		if err != nil {
			return nil, err
		}
		if m[0] == 0 && m[1] == len(text) {
			return i.placed(n, value)
		}
		b.WriteString(text[end:m[0]])
		b.WriteString(value.insideText())
		if b.Len() > maxStringBytes {
			return nil, errorAt(n, "config node too large")
		}
		end = m[1]
	}
	b.WriteString(text[end:])
	return i.placed(n, &Node{Kind: String, Text: b.String()})
}

// insideText returns a value as it stands inside of a text: lists as ["a", "b"].
func (n *Node) insideText() string {
	if n.Kind == List {
		return n.inspect()
	}
	return n.ScalarText()
}

// placed returns a value for the place of a node. Maps and lists keep their own place.
func (i *interpolation) placed(n, value *Node) (*Node, error) {
	if i.room -= sizeOf(value.Text); i.room < 0 {
		return nil, errorAt(n, "config too large")
	}
	if value.Kind == Map || value.Kind == List {
		return value, nil
	}
	made := *value
	made.File, made.Line = n.File, n.Line
	return &made, nil
}

// value returns the value of a block. Values of the matrix are put in later: their blocks stay.
func (i *interpolation) value(n *Node, whole, inner string) (*Node, error) {
	if value, ok := i.blocks[whole]; ok {
		return value, nil
	}
	if len(i.blocks) >= maxBlocks {
		return nil, errorAt(n, "too many interpolation blocks")
	}
	parts := strings.Split(strings.TrimRight(inner, "|"), "|")
	for at := range parts {
		parts[at] = strings.TrimSpace(parts[at])
	}
	if root, _, _ := strings.Cut(parts[0], "."); root == "matrix" {
		return &Node{Kind: String, Text: whole}, nil
	}
	value, err := i.access(n, parts[0])
	if err != nil {
		return nil, err
	}
	if value, err = i.call(n, value, parts[1:]); err != nil {
		return nil, err
	}
	i.blocks[whole] = value
	return value, nil
}

// access returns what a path such as inputs.name stands for.
func (i *interpolation) access(n *Node, path string) (*Node, error) {
	keys := strings.SplitN(path, ".", maxBlockParts)
	if len(keys) < 2 {
		return nil, errorAt(n, "invalid interpolation access pattern")
	}
	if len(path) > maxBlockBytes {
		return nil, errorAt(n, "maximum interpolation expression size exceeded")
	}
	context, ok := i.contexts[keys[0]]
	if !ok {
		return nil, errorAt(n, "unknown interpolation key: `%s`", keys[0])
	}
	value := context[keys[1]]
	unknown := keys[1]
	for _, key := range keys[2:] {
		if value == nil {
			break
		}
		value, unknown = value.Get(key), key
	}
	if value == nil {
		return nil, errorAt(n, "unknown interpolation key: `%s`", unknown)
	}
	return value, nil
}
