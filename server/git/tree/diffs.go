package tree

import (
	"context"
	"fmt"
	"iter"
	"slices"

	"hew/server/git/object"
)

// MaxParents is the number of parents that a Difference has bits for.
const MaxParents = 16

// Difference says from which parents a path differs. Bit i of Bits is set if the entry at the path
// is not the same as in parent i; the content of a directory counts as part of it.
type Difference struct {
	Path  string
	IsDir bool // a directory in the new tree or, if it is not there, in a parent
	Bits  uint16
}

// Diffs lists every path, those of directories too, that differs from a parent, each once and after
// its directory. The ids are root trees. A commit without parents differs from an empty tree, by
// bit 0. It fails for more than MaxParents parents.
func Diffs(ctx context.Context, src object.Source, tree object.ID, parents []object.ID) iter.Seq2[Difference, error] {
	return func(yield func(Difference, error) bool) {
		if len(parents) > MaxParents {
			yield(Difference{}, fmt.Errorf("compare %d parents: the limit is %d", len(parents), MaxParents))
			return
		}
		if len(parents) == 0 {
			parents = []object.ID{{}}
		}
		m := manyDiffer{ctx: ctx, src: src, yield: yield}
		m.diff(tree, parents, "")
	}
}

type manyDiffer struct {
	ctx   context.Context
	src   object.Source
	yield func(Difference, error) bool
	depth int
}

// A side is one of the trees that are compared: the new one, or that of a parent.
type side struct {
	tree object.Tree // whole
	rest object.Tree // from the current place on
	same bool        // as the new one, and not read
}

// diff yields what differs below a directory. It reports whether to go on.
func (m *manyDiffer) diff(tree object.ID, parents []object.ID, prefix string) bool {
	if !slices.ContainsFunc(parents, func(parent object.ID) bool { return parent != tree }) {
		return true
	}
	if m.depth++; m.depth > object.MaxDepth {
		m.yield(Difference{}, tooDeep(prefix))
		return false
	}
	defer func() { m.depth-- }()
	sides, err := m.read(tree, parents)
	if err != nil {
		m.yield(Difference{}, fmt.Errorf("compare %q: %w", prefix, err))
		return false
	}
	for {
		first, ok := firstEntry(sides)
		if !ok {
			return true
		}
		differs := passEntry(sides, first)
		if differs && !m.entry(sides, first, prefix) {
			return false
		}
	}
}

// read reads the trees: the new one first, then those of the parents that are others.
func (m *manyDiffer) read(tree object.ID, parents []object.ID) (sides []side, err error) {
	sides = make([]side, 1+len(parents))
	if sides[0].tree, err = readTree(m.ctx, m.src, tree); err != nil {
		return nil, err
	}
	for i, parent := range parents {
		s := &sides[1+i]
		if s.same = parent == tree; s.same {
			continue
		}
		if s.tree, err = readTree(m.ctx, m.src, parent); err != nil {
			return nil, err
		}
	}
	for i := range sides {
		sides[i].rest = sides[i].tree
	}
	return sides, nil
}

// firstEntry returns the entry that comes first among the current ones.
func firstEntry(sides []side) (first object.Entry, ok bool) {
	for _, s := range sides {
		if len(s.rest) > 0 && (!ok || object.CompareEntries(s.rest[0], first) < 0) {
			first, ok = s.rest[0], true
		}
	}
	return first, ok
}

// passEntry passes the entries at the place of first, and reports whether the new tree and all
// parents that were read have not the same entry there.
func passEntry(sides []side, first object.Entry) (differs bool) {
	for i := range sides {
		s := &sides[i]
		if s.same {
			continue
		}
		if len(s.rest) == 0 || object.CompareEntries(s.rest[0], first) != 0 {
			differs = true
			continue
		}
		differs = differs || s.rest[0] != first
		s.rest = s.rest[1:]
	}
	return differs
}

// entry yields the path of an entry that differs somewhere, and what differs below it. A name that
// is a file on one side and a directory on another comes twice, the file first: the directory adds
// nothing.
func (m *manyDiffer) entry(sides []side, first object.Entry, prefix string) bool {
	entries := make([]object.Entry, len(sides))
	for i, s := range sides {
		if s.same {
			entries[i] = entries[0]
		} else {
			entries[i], _ = s.tree.Find(first.Name)
		}
		if first.Mode.IsDir() && entries[i].Mode != 0 && !entries[i].Mode.IsDir() {
			return true
		}
	}
	d := Difference{Path: prefix + first.Name, IsDir: entries[0].Mode.IsDir()}
	parents := make([]object.ID, len(sides)-1)
	below := false
	for i, e := range entries {
		if i > 0 && e != entries[0] {
			d.Bits |= 1 << (i - 1)
		}
		if entries[0].Mode == 0 && e.Mode.IsDir() {
			d.IsDir = true
		}
		if !e.Mode.IsDir() {
			continue
		}
		below = true
		if i > 0 {
			parents[i-1] = e.ID
		}
	}
	if !m.yield(d, nil) {
		return false
	}
	if !below {
		return true
	}
	tree := object.ID{}
	if entries[0].Mode.IsDir() {
		tree = entries[0].ID
	}
	return m.diff(tree, parents, d.Path+"/")
}
