package config

import (
	"github.com/hashicorp/hcl/v2"

	"hew/reconcile/addr"
)

// module is a directory at one place in the tree of calls. A directory that is called
// twice is parsed once, and is two modules.
type module struct {
	path           string // the calls that lead to it, without keys: web.hooks; "" for the root
	dir            string // relative to the root's directory
	parent         *module
	call           *node            // the module block, a node of parent
	base           *hcl.EvalContext // functions and path; in the root also var
	nodes          []*node          // in the order of files and lines
	names          map[string]*node
	broken         map[string]bool // names whose declarations have errors
	partial        bool            // some of its files do not parse
	variables      []*variable
	outputs        []*node
	moves          []Move
	removals       []Removal
	movedFrom      map[addr.Instance]hcl.Range // addresses in moved and removed blocks
	otherProviders map[string]bool             // providers of other hosts
	unmanaged      map[string]string           // blocks that hew does not manage, with the reason
}

// all yields the module and all modules below it, callers first.
func (m *module) all(yield func(*module) bool) { m.walk(yield) }

func (m *module) walk(yield func(*module) bool) bool {
	if !yield(m) {
		return false
	}
	for _, n := range m.nodes {
		if n.calls != nil && !n.calls.walk(yield) {
			return false
		}
	}
	return true
}

// mayDeclare reports whether an undeclared name may be declared in a part with errors, so
// that it is not reported.
func (m *module) mayDeclare(name string) bool { return m.partial || m.broken[name] }

// findModule returns the module of an address, ignoring keys, or nil.
func (c *Config) findModule(path string) *module {
	m := c.root
	for path != "" && m != nil {
		var name string
		name, _, path = addr.CutCall(path)
		n := m.names["module."+name]
		if n == nil {
			return nil
		}
		m = n.calls
	}
	return m
}

// findNode returns the node of a block, ignoring keys of modules, or nil.
func (c *Config) findNode(b addr.Block) *node {
	m := c.findModule(b.Module)
	if m == nil {
		return nil
	}
	b.Module = ""
	return m.names[b.String()]
}
