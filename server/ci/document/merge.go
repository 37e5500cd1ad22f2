package document

// merger merges maps. What it makes is bounded.
type merger struct {
	// room is the size that may still be made, measured as Limits.MergedBytes.
	room int
}

// spend takes the size of some entries from the room.
func (m *merger) spend(at *Node, entries int) error {
	if m.room -= entries * valueSize; m.room < 0 {
		return errorAt(at, textTreeTooBig)
	}
	return nil
}

// merge returns a map with the entries of both, where those of over win. Maps are merged in depth,
// other values replaced, null among them.
func (m *merger) merge(base, over *Node) (*Node, error) {
	made := &Node{Kind: Map, File: over.File, Line: over.Line}
	places := make(map[string]int, len(base.Entries)+len(over.Entries))
	if err := m.into(made, places, base); err != nil {
		return nil, err
	}
	return made, m.into(made, places, over)
}

// into merges the entries of a map into one that is owned by the caller; places says where its keys
// are.
func (m *merger) into(made *Node, places map[string]int, over *Node) error {
	if err := m.spend(over, len(over.Entries)); err != nil {
		return err
	}
	for _, e := range over.Entries {
		if at, ok := places[e.Key]; ok && e.Value.Kind == Map && made.Entries[at].Value.Kind == Map {
			value, err := m.merge(made.Entries[at].Value, e.Value)
			if err != nil {
				return err
			}
			e.Value = value
		}
		made.put(places, e)
	}
	return nil
}

// withoutKey returns a map without a key.
func (n *Node) withoutKey(key string) *Node {
	if n.Get(key) == nil {
		return n
	}
	made := *n
	made.Entries = make([]Entry, 0, len(n.Entries)-1)
	for _, e := range n.Entries {
		if e.Key != key {
			made.Entries = append(made.Entries, e)
		}
	}
	return &made
}
