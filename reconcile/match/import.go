package match

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"hew/reconcile/addr"
	"hew/reconcile/config"
	"hew/schema"
)

// An import selects the live object of a node whose key does not select it: the object has another
// name, or several share it. The ledger has precedence over the import. If the object to import is
// not found, the node is blocked and nothing is created in its place.

// declareImports assigns the import blocks to their nodes.
func (w *World) declareImports() {
	w.imports = make(map[addr.Instance]*config.Import, len(w.res.Imports))
	for i := range w.res.Imports {
		w.imports[w.res.Imports[i].To] = &w.res.Imports[i]
	}
	if len(w.imports) == 0 {
		return
	}
	for _, n := range w.all {
		a := n.want.Addr
		n.imports = w.imports[a]
		if n.imports == nil && a.Elem != "" && a.Key == "" { // a single index may be an element's
			n.imports = w.imports[addr.Instance{Block: a.Block, Key: addr.StringKey(a.Elem)}]
		}
	}
}

// matchByImport matches a node by its import. c is the node's collection, or nil for an object
// looked up by path. It returns false for a node without an import.
func (w *World) matchByImport(n *Node, c *Collection) bool {
	if n.imports == nil || n.superseded != (addr.Instance{}) {
		return false
	}
	k, id := n.Kind(), strings.Trim(n.imports.ID, "/")
	switch {
	case k.Holds == schema.One:
		w.refuseImport(n, "Import not needed", "there is always exactly one %s, and hew finds it without an import. "+
			"Remove the import block.", k.Name)
	case c != nil && isNumber(id):
		if o, ok := c.Find(id); ok {
			w.recordImport(n, o)
		} else {
			n.blockImport()
		}
	case c != nil:
		w.pickImport(n, c, id)
	case isNumber(id):
		w.lookupImport(n, schema.Ask{Kind: k, ID: id})
	case k.Tree != nil:
		w.lookupImport(n, schema.Ask{Kind: k, Key: id})
	default:
		w.refuseImport(n, "Invalid import", "%q is not a valid import id for a %s. Use its numeric id.", id, k.Name)
	}
	return true
}

func isNumber(id string) bool {
	_, err := strconv.ParseUint(id, 10, 64)
	return err == nil
}

// lookupImport looks up the object to import outside its collection.
func (w *World) lookupImport(n *Node, ask schema.Ask) {
	r, ok := w.Lookup(ask)
	if !ok {
		return
	}
	o, why := ObjectOf(n.Kind(), &schema.Ref{ID: ask.ID, Path: ask.Key}, r)
	switch {
	case r.State == schema.Absent:
		n.blockImport()
	case why != "":
		n.Block(why)
	default:
		w.recordImport(n, o)
	}
}

// pickImport finds the object that OWNER:KEY names. OWNER must be the declared owner.
func (w *World) pickImport(n *Node, c *Collection, id string) {
	k := n.Kind()
	if k.Owner() == nil {
		w.chooseImport(n, c, id, c.lookupName(k, id))
		return
	}
	owner, name, both := strings.Cut(id, ":")
	both = both && !strings.HasPrefix(name, "//")           // else id is a URL without an owner
	single := slices.Contains(k.Match.Keys, k.Owner().Name) // one per owner, named by the owner alone
	if !both && !single {
		w.refuseImport(n, "Invalid import", "%q is not a valid import id for a %s. Use its numeric id, or OWNER:KEY "+
			"such as %s:%s.", id, k.Name, n.owner, exampleKey(n))
		return
	}
	switch same, known := w.namesOwner(n, owner); {
	case !known:
		return
	case !same:
		w.refuseImport(n, "Import owner mismatch", "the import names %s %s, but the resource declares %s. An import "+
			"cannot move an object: change one of the two.", k.Owner().RefKind(), owner, n.owner)
		return
	}
	found := c.lookupName(k, name)
	if single && name == "" {
		found = c.AllIndexes()
	}
	w.chooseImport(n, c, name, found)
}

// chooseImport matches one of the objects with the given name, using the other declared attributes
// that identify objects of the kind.
func (w *World) chooseImport(n *Node, c *Collection, name string, found []int) {
	if len(found) > 1 && len(n.Kind().Match.Also) > 0 {
		found = slices.DeleteFunc(slices.Clone(found),
			func(i int) bool { return !n.Kind().Match.Fits(n.want.Object, c.objs[i]) })
	}
	switch k := n.Kind(); {
	case len(found) == 0:
		n.blockImport()
	case len(found) > 1 && k.Match.Twins == schema.Ambiguous:
		n.Block(fmt.Sprintf("%d live objects are named %s (ids %s); import one of them by its id", len(found), name,
			joinIDs(c, found)))
	default:
		w.recordImport(n, c.objs[slices.MinFunc(found,
			func(i, j int) int { return compareIDs(c.objs[i].ID, c.objs[j].ID) })])
	}
}

// exampleKey returns the node's key to show in an example.
func exampleKey(n *Node) string {
	if t := KeyTitle(n.want.Object); t != "" {
		return t
	}
	return "KEY"
}

// namesOwner reports whether a text is the id or path of the declared owner. known is false until
// the owner has been looked up.
func (w *World) namesOwner(n *Node, text string) (same, known bool) {
	kind := w.Kind(n.Kind().Owner().RefKind())
	if target := w.Target(kind.Name, n.owner); target != nil && strings.EqualFold(target.Title(), text) {
		return true, true // its live path, if the plan renames it
	}
	if n.owner.Path == "" {
		r, ok := w.Lookup(AskFor(kind, n.owner))
		if !ok {
			return false, false
		}
		if o, why := ObjectOf(kind, n.owner, r); why == "" {
			w.LearnRef(n.owner, kind, o)
		}
	}
	return text == n.owner.ID || strings.EqualFold(text, n.owner.Path), true
}

// recordImport matches n to the imported object, unless the ledger has the object at another
// address.
func (w *World) recordImport(n *Node, o schema.Object) {
	for at, e := range w.Ledger.Entries {
		if e.ID == o.ID && at != n.want.Addr && w.Kinds.Resource(e.Kind) == o.Kind &&
			(o.Kind.Tree != nil || e.Collection == n.coll.String()) {
			w.refuseImport(n, "Object already managed", "%s is id %s, which the ledger already has as %s. If the "+
				"address has changed, add a moved block; otherwise remove the import block.", n.imports.ID, o.ID, at)
			return
		}
	}
	n.note = "import of " + strings.TrimSuffix(n.imports.ID, ":")
	w.recordMatch(n, o)
}

func (n *Node) blockImport() {
	n.Block(fmt.Sprintf("%s %s does not exist; correct the import id, or remove the import block to create a new one",
		n.Kind().Name, n.imports.ID))
}

func (w *World) refuseImport(n *Node, summary, format string, args ...any) {
	w.diags = append(
		w.diags, mistake(n.imports.DeclRange, summary, "%s: %s", n.want.Addr, fmt.Sprintf(format, args...)),
	)
	n.Block("its import block is invalid")
}

// CheckImports returns errors for imports whose target is not declared, and adds a note for each
// import that the ledger overrules.
func (w *World) CheckImports() (diags hcl.Diagnostics) {
	used := map[*config.Import]bool{}
	for _, n := range w.all {
		used[n.imports] = true
		if im := n.imports; im != nil && isNumber(im.ID) && n.entryID() != "" && n.live.ID == n.entryID() &&
			im.ID != n.live.ID && n.from == (addr.Instance{}) {
			w.Note("Ignored the import of %s: the ledger already has it with id %s.", n.want.Addr, n.live.ID)
		}
	}
	for i := range w.res.Imports {
		im := &w.res.Imports[i]
		if used[w.imports[im.To]] || w.InBlocked(im.To) {
			continue
		}
		detail := fmt.Sprintf("%s is not declared: its block has no such instance. Correct the address, or remove "+
			"the import block.", im.To)
		if len(w.instancesIn(im.To.Block)) > 0 && w.isElement(im.To) {
			detail = fmt.Sprintf("%s stands for several objects, which hew finds without an import. Remove the import "+
				"block, or name one of them: %s[\"…\"].", im.To, im.To)
		}
		diags = append(diags, mistake(im.DeclRange, "Import target not declared", "%s", detail))
	}
	return diags
}
