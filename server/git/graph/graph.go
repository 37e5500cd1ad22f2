// Package graph holds the commits of one repository in memory and answers what git answers by
// walking them: logs, ancestors, merge bases, and the history of a path. It holds ids, parents and
// times, about 60 bytes a commit; everything else stays in rows.
//
// A commit has a number: 0 for the first that was added, and so on. Parents are added before their
// children, which gives every commit a generation: 1 more than the highest of its parents. Walks
// that go by generation see all children of a commit before the commit, whatever the clocks said.
package graph

import (
	"encoding/binary"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"hew/server/git/object"
)

// Graph is the commits of a repository. It only grows. Any number of goroutines can read it while
// one adds commits; each call, and each iterator from its call on, sees the commits that were there
// at its start.
type Graph struct {
	mu   sync.Mutex // held to add
	view atomic.Pointer[view]
}

// A view is the commits at one moment. Later views share its slices and write only beyond their
// lengths, except for the table.
type view struct {
	ids         []object.ID
	first       []int32 // where the parents of each commit begin in parents; one more than there are commits
	parents     []int32
	generations []int32
	times       []int64 // of the committer, in seconds
	table       []int32 // hash table of number+1 by id, open addressing; 0 is free; use atomically
}

// Commit is a commit to be added.
type Commit struct {
	ID        object.ID
	Parents   []object.ID
	Committed time.Time
}

// New returns a graph without commits, with room for so many.
func New(capacity int) *Graph {
	g := &Graph{}
	size := 16
	for size < 2*capacity {
		size *= 2
	}
	g.view.Store(&view{
		ids:         make([]object.ID, 0, capacity),
		first:       make([]int32, 1, capacity+1),
		parents:     make([]int32, 0, capacity),
		generations: make([]int32, 0, capacity),
		times:       make([]int64, 0, capacity),
		table:       make([]int32, size),
	})
	return g
}

// Add adds commits, which get the next numbers; those that are there already keep theirs. It fails
// at a commit with a parent that was not added, and keeps those before it.
func (g *Graph) Add(commits ...Commit) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	v := *g.view.Load()
	defer func() { g.view.Store(&v) }()
	for _, c := range commits {
		if _, ok := v.number(c.ID); ok {
			continue
		}
		if err := v.add(c); err != nil {
			return err
		}
	}
	return nil
}

func (v *view) add(c Commit) error {
	generation := int32(0)
	parents := v.parents
	for _, id := range c.Parents {
		n, ok := v.number(id)
		if !ok {
			return fmt.Errorf("add commit %s: its parent %s was not added before", c.ID, id)
		}
		parents = append(parents, n)
		generation = max(generation, v.generations[n])
	}
	v.parents = parents
	v.append(c.ID, generation+1, c.Committed.Unix())
	if 2*len(v.ids) > len(v.table) {
		v.grow()
	} else {
		v.insert(len(v.ids) - 1)
	}
	return nil
}

func (v *view) append(id object.ID, generation int32, committed int64) {
	v.ids = append(v.ids, id)
	v.first = append(v.first, int32(len(v.parents)))
	v.generations = append(v.generations, generation)
	v.times = append(v.times, committed)
}

// Skip leaves the numbers below next unused, as far as they are free: the rows that had them are
// gone.
func (g *Graph) Skip(next int32) {
	g.mu.Lock()
	defer g.mu.Unlock()
	v := *g.view.Load()
	for len(v.ids) < int(next) {
		v.append(object.ID{}, 0, 0)
	}
	g.view.Store(&v)
}

// Len returns the number that the next commit gets.
func (g *Graph) Len() int { return len(g.view.Load().ids) }

// Number returns the number of a commit, and whether it is there.
func (g *Graph) Number(id object.ID) (n int32, ok bool) { return g.view.Load().number(id) }

// ID returns the id of a commit by its number; it is zero for a number that was skipped.
func (g *Graph) ID(n int32) object.ID { return g.view.Load().ids[n] }

// Parents returns the numbers of the parents of a commit. The caller must not change them.
func (g *Graph) Parents(n int32) []int32 { return g.view.Load().parentsOf(n) }

func (v *view) parentsOf(n int32) []int32 {
	from, to := v.first[n], v.first[n+1]
	return v.parents[from:to:to]
}

// numbers returns the numbers of commits; ids that are not there are left out.
func (v *view) numbers(ids []object.ID) []int32 {
	all := make([]int32, 0, len(ids))
	for _, id := range ids {
		if n, ok := v.number(id); ok {
			all = append(all, n)
		}
	}
	return all
}

// number looks an id up. Numbers beyond the view belong to later ones.
func (v *view) number(id object.ID) (int32, bool) {
	for at := v.slot(id); ; at = (at + 1) % len(v.table) {
		n := atomic.LoadInt32(&v.table[at]) - 1
		if n < 0 {
			return 0, false
		}
		if int(n) < len(v.ids) && v.ids[n] == id {
			return n, true
		}
	}
}

func (v *view) slot(id object.ID) int {
	return int(binary.LittleEndian.Uint32(id[:]) & uint32(len(v.table)-1))
}

func (v *view) insert(n int) {
	at := v.slot(v.ids[n])
	for atomic.LoadInt32(&v.table[at]) != 0 {
		at = (at + 1) % len(v.table)
	}
	atomic.StoreInt32(&v.table[at], int32(n+1))
}

// grow makes a table of twice the size. Older views keep theirs.
func (v *view) grow() {
	v.table = make([]int32, 2*len(v.table))
	for n, id := range v.ids {
		if !id.IsZero() {
			v.insert(n)
		}
	}
}
