// Package edits makes random configurations and edits them at random, for tests: lists behind count
// and for_each are extended, shortened and reordered, and names go from block to block.
//
// The same seed gives the same configurations and edits.
package edits

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
)

// Kind is a kind of resource. Body has its arguments in HCL: NAME stands for an expression of its
// natural key, ATTR for one of a text that can be changed in place.
type Kind struct{ Name, Body string }

// Config is a configuration that is edited at random.
type Config struct {
	Rand   *rand.Rand
	kinds  []Kind
	names  []string
	blocks map[string]*block
	made   int
}

// block has an instance for each name, or a single one.
type block struct {
	kind  Kind
	style string // "count", "for_each" or "single"
	names []string
	attrs map[string]string // by name
}

// New returns a configuration with two to four blocks of the given kinds, whose objects have the
// given names.
func New(seed uint64, kinds []Kind, names []string) *Config {
	c := &Config{Rand: rand.New(rand.NewPCG(seed, 1)), names: names, blocks: map[string]*block{}}
	for range 2 { // few, so that blocks exchange names
		c.kinds = append(c.kinds, kinds[c.Rand.IntN(len(kinds))])
	}
	for range 2 + c.Rand.IntN(3) {
		c.addBlock()
	}
	return c
}

// Clone returns a copy that is edited alone.
func (c *Config) Clone() *Config {
	d := *c
	d.blocks = map[string]*block{}
	for label, b := range c.blocks {
		copied := *b
		copied.names, copied.attrs = slices.Clone(b.names), maps.Clone(b.attrs)
		d.blocks[label] = &copied
	}
	return &d
}

// Kept is an object that a block declares before and after an edit.
type Kept struct {
	Kind, Name string
	Equal      bool // nothing of it was edited
}

// Kept returns the objects that the same block declares in before and in c.
func (c *Config) Kept(before *Config) (kept []Kept) {
	for label, was := range before.blocks {
		b := c.blocks[label]
		if b == nil {
			continue
		}
		for _, name := range was.names {
			if slices.Contains(b.names, name) {
				kept = append(kept, Kept{was.kind.Name, name, was.attrs[name] == b.attrs[name]})
			}
		}
	}
	return kept
}

// Pick returns a random element of a list.
func (c *Config) Pick(list []string) string { return list[c.Rand.IntN(len(list))] }

func (c *Config) addBlock() {
	b := &block{kind: c.kinds[c.Rand.IntN(len(c.kinds))], style: c.Pick([]string{"count", "for_each", "single"}),
		attrs: map[string]string{}}
	names := c.unused(b.kind)
	c.Rand.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	switch b.names = names[:min(len(names), 1+c.Rand.IntN(3))]; {
	case len(names) == 0:
		return
	case b.style == "single":
		b.names = names[:1]
	}
	c.made++
	c.blocks[fmt.Sprintf("b%d", c.made)] = b
}

// unused returns the names that no object of a kind has, or at times all of them.
func (c *Config) unused(k Kind) []string {
	names := slices.Clone(c.names)
	if c.Rand.IntN(10) == 0 {
		return names
	}
	for _, b := range c.blocks {
		if b.kind == k {
			names = slices.DeleteFunc(names, func(name string) bool { return slices.Contains(b.names, name) })
		}
	}
	return names
}

// Edit makes one random edit. The result may have errors, such as two blocks for one object.
func (c *Config) Edit() {
	if len(c.blocks) == 0 {
		c.addBlock()
	}
	labels := slices.Sorted(maps.Keys(c.blocks))
	label := c.Pick(labels)
	b, other := c.blocks[label], c.blocks[c.Pick(labels)]
	i, unused := c.Rand.IntN(len(b.names)), append(c.unused(b.kind), b.names[0])
	switch c.Rand.IntN(8) {
	case 0:
		if b.style != "single" {
			b.names = slices.Insert(b.names, i, unused[0])
		}
	case 1:
		if len(b.names) > 1 {
			b.names = slices.Delete(b.names, i, i+1)
		}
	case 2:
		c.Rand.Shuffle(len(b.names), func(i, j int) { b.names[i], b.names[j] = b.names[j], b.names[i] })
	case 3:
		b.names[i] = unused[0]
	case 4:
		b.attrs[b.names[i]] = c.Pick([]string{"x", "y", "z"})
	case 5:
		j := c.Rand.IntN(len(other.names))
		if b.kind != other.kind {
			other, j = b, c.Rand.IntN(len(b.names))
		}
		b.names[i], other.names[j] = other.names[j], b.names[i]
	case 6:
		c.addBlock()
	case 7:
		delete(c.blocks, label)
	}
}

// String returns the configuration in HCL, with the guards lifted that random edits trip.
func (c *Config) String() string {
	var out strings.Builder
	out.WriteString("hew {\n  guards {\n    max_deletes = 1000\n    allow_empty = true\n  }\n}\n")
	for _, label := range slices.Sorted(maps.Keys(c.blocks)) {
		b := c.blocks[label]
		repeat, name := "", fmt.Sprintf("%q", b.names[0])
		switch b.style {
		case "count":
			repeat, name = "  count = length("+list(b.names)+")\n", list(b.names)+"[count.index]"
		case "for_each":
			repeat, name = "  for_each = toset("+list(b.names)+")\n", "each.value"
		}
		attrs := map[string]string{}
		for _, n := range b.names {
			attrs[n] = b.attrs[n]
		}
		var pairs []string
		for _, n := range slices.Sorted(maps.Keys(attrs)) {
			pairs = append(pairs, fmt.Sprintf("%q = %q", n, attrs[n]))
		}
		attr := fmt.Sprintf("lookup({ %s }, %s, \"\")", strings.Join(pairs, ", "), name)
		fmt.Fprintf(&out,
			"resource %q %q {\n%s  %s\n  lifecycle {\n    allow = [\"unmarked-rename\", \"adopted-delete\"]\n"+
				"  }\n}\n", b.kind.Name, label, repeat,
			strings.NewReplacer("NAME", name, "ATTR", attr).Replace(b.kind.Body))
	}
	return out.String()
}

// list returns a list of strings in HCL.
func list(names []string) string {
	quoted := make([]string, len(names))
	for i, n := range names {
		quoted[i] = fmt.Sprintf("%q", n)
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}
