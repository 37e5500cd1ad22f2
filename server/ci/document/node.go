package document

import "slices"

// Kind says what a node is.
type Kind int

// The kinds of nodes. A Reference stands for `!reference [a, b]`; its Items are the path. None is
// left after Load.
const (
	Null Kind = iota
	Bool
	Int
	Float
	String
	Map
	List
	Reference
)

// Node is a value of a definition file, with the place where it was written.
type Node struct {
	Kind Kind

	Bool  bool
	Int   int64
	Float float64
	// Text is the value of a String, and the words of another scalar as they were written, such as
	// "1.50".
	Text string

	// Entries are those of a Map, in the order of the file, each name once.
	Entries []Entry
	// Items are those of a List.
	Items []*Node

	// File is the path or address of the file, as errors show it; Line counts from 1.
	File string
	Line int
}

// Entry is one key of a map with its value.
type Entry struct {
	Key   string
	Value *Node
	// Plain is whether the key was written as text. `1:` and `true:` are keys of other kinds,
	// which no job may have.
	Plain bool
	Line  int
}

// Get returns the value of a key; nil if there is none, or if the node is nil or no map.
func (n *Node) Get(key string) *Node {
	if n == nil || n.Kind != Map {
		return nil
	}
	at := slices.IndexFunc(n.Entries, func(e Entry) bool { return e.Key == key })
	if at < 0 {
		return nil
	}
	return n.Entries[at].Value
}
