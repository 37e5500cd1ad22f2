package document

// valueSize is what a value counts in limits of size, beside a long text.
const valueSize = 40

// sizeOf returns what a scalar counts.
func sizeOf(text string) int { return valueSize + max(0, len(text)-23) }

// extent is the size and the depth of a tree with everything in it followed.
type extent struct {
	size, depth int
}

// measure finds extents. Each node is measured once, so that a tree whose parts are used many times
// costs what it costs to hold.
type measure map[*Node]extent

// maxExtent keeps sums of sizes from running over.
const maxExtent = 1 << 50

// of returns the extent of a node.
func (m measure) of(n *Node) extent {
	if n.Kind != Map && n.Kind != List && n.Kind != Reference {
		return extent{sizeOf(n.Text), 1}
	}
	if known, ok := m[n]; ok {
		return known
	}
	sum := extent{sizeOf(n.Text), 1}
	add := func(value *Node, size int) {
		part := m.of(value)
		sum.size = min(maxExtent, sum.size+part.size+size)
		sum.depth = max(sum.depth, part.depth+1)
	}
	for _, e := range n.Entries {
		add(e.Value, sizeOf(e.Key))
	}
	for _, item := range n.Items {
		add(item, 0)
	}
	m[n] = sum
	return sum
}

// check refuses a tree that is larger than a size or deeper than the limit.
func (l Limits) check(root *Node, size int) error {
	if e := (measure{}).of(root); e.size > size || e.depth > l.Depth {
		return errorAt(root, textTreeTooBig)
	}
	return nil
}
