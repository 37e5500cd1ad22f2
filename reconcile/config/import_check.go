package config

import (
	"github.com/hashicorp/hcl/v2"

	"hew/reconcile/addr"
)

// checkImports checks that imported objects are declared.
func (l *loader) checkImports() {
	for _, n := range l.root.nodes {
		im := n.imports
		if im == nil || !l.checkCalls(im) {
			continue
		}
		to := l.findNode(im.at.Block)
		switch {
		case to == nil && l.root.partial:
		case l.findModule(im.at.Module) == nil:
			l.fail(im.to.Range(), "Reference to undeclared object",
				"%s cannot be imported: its module is not declared. Declare the module, or correct the address.", im.at)
		case to == nil || to.block == nil:
			l.fail(im.to.Range(), "Reference to undeclared object",
				"%s cannot be imported: it is not declared. Add resource %q %q { … } with the desired configuration.",
				im.at, im.at.Kind, im.at.Name)
		case to.block.keyed() && im.at.Key == "" && !im.hasOwnKey() && to.block.Kind.Set == nil:
			l.fail(im.to.Range(), "Missing instance key",
				"%s has several instances. Select one with a key: %s[KEY].", im.at, im.at)
		case !to.block.keyed() && (im.at.Key != "" || im.hasOwnKey()) && to.block.Kind.Set == nil:
			l.fail(im.to.Range(), "Unexpected instance key",
				"%s has neither for_each nor count, so its address has no key. Remove the key.", to.name)
		}
	}
}

// checkCalls checks that each module in the address of an import has a key if and only if
// it has several instances. Undeclared modules are reported elsewhere.
func (l *loader) checkCalls(im *importBlock) bool {
	path := im.at.Module
	if len(im.keys()) > 0 { // a computed key counts as a key
		keyed, err := addr.Parse(im.format(func(hcl.Expression) string { return "[0]" }))
		if err != nil {
			return true
		}
		path = keyed.Module
	}
	for m, outer := l.root, ""; path != "" && m != nil; {
		name, key, rest := addr.CutCall(path)
		call := m.names["module."+name]
		if call == nil {
			return true
		}
		at := addr.Block{Module: addr.JoinCalls(outer, name)}
		switch keyed := key != ""; {
		case call.keyed() && !keyed:
			below := im.at
			below.Module = rest
			l.fail(im.to.Range(), "Missing instance key",
				"%s has several instances. Select one with a key: module.%s[KEY].%s.", at, name, below)
			return false
		case !call.keyed() && keyed:
			l.fail(im.to.Range(), "Unexpected instance key",
				"%s has neither for_each nor count, so its address has no key. Remove the key.", at)
			return false
		}
		m, path, outer = call.calls, rest, at.Module
	}
	return true
}
