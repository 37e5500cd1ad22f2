package document

// lookup finds keys of maps, of which large ones get an index.
type lookup map[*Node]map[string]*Node

// indexedFrom is the number of entries from which on an index is worth its cost.
const indexedFrom = 16

// get returns the value of a key; nil if there is none, or if the node is nil or no map.
func (l lookup) get(n *Node, key string) *Node {
	if n == nil || len(n.Entries) < indexedFrom {
		return n.Get(key)
	}
	if n.Kind != Map {
		return nil
	}
	index, ok := l[n]
	if !ok {
		index = make(map[string]*Node, len(n.Entries))
		for _, e := range n.Entries {
			index[e.Key] = e.Value
		}
		l[n] = index
	}
	return index[key]
}
