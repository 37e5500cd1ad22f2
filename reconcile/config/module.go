package config

import (
	"github.com/hashicorp/hcl/v2"

	"hew/reconcile/addr"
)

// module is a directory of files in one place of the tree of calls. A directory
// that is called twice is parsed once and is two modules.
type module struct {
	path           string // the calls that lead to it, without keys: web.hooks; "" for the root
	dir            string // its directory as seen from the root's
	parent         *module
	call           *node            // the module block in parent
	base           *hcl.EvalContext // functions, path; of the root also var
	nodes          []*node          // in the order of files and lines
	names          map[string]*node
	broken         map[string]bool // names whose declaration is in error
	partial        bool            // some of its files do not parse
	variables      []*variable
	outputs        []*node
	moves          []Move
	removals       []Removal
	movedFrom      map[addr.Instance]hcl.Range // what moved and removed blocks speak of
	otherProviders map[string]bool             // the providers that are declared beside the one for the host
	unmanaged      map[string]string           // what is declared and left to others, and why
}

// all yields the module and all modules in it, callers first.
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

// mayDeclare tells of a name that is not declared whether that is told already: its
// declaration is in error, or may stand in a file that does not parse.
func (m *module) mayDeclare(name string) bool { return m.partial || m.broken[name] }

// findModule is the module that an address lies in, keys left aside, or nil.
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

// findNode is the node of a block's address, keys of modules left aside, or nil.
func (c *Config) findNode(b addr.Block) *node {
	m := c.findModule(b.Module)
	if m == nil {
		return nil
	}
	b.Module = ""
	return m.names[b.String()]
}
