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

// An import says which live object a declared one is, where its key does not
// tell: it has another name, or a twin. The ledger knows better once it knows
// the object; what an import names and nobody finds is never created instead.

// declareImports takes in what the import blocks say.
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

// placeByImport places a node by its import; c is its collection, nil for things with a
// path and where it is the whole instance. It returns false for a node without one.
func (w *World) placeByImport(n *Node, c *Collection) bool {
	if n.imports == nil || n.superseded != (addr.Instance{}) {
		return false
	}
	k, id := n.Kind(), strings.Trim(n.imports.ID, "/")
	switch {
	case k.Holds == schema.One:
		w.refuseImport(n, "Import of what is always there", "there is always one %s, which is found by itself. Remove "+
			"the import block.", k.Name)
	case c != nil && isNumber(id):
		if o, ok := c.Find(id); ok {
			w.matchImport(n, o)
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
		w.refuseImport(n, "Invalid import", "a %s is imported by its id, a number, and %q is none.", k.Name, id)
	}
	return true
}

func isNumber(id string) bool {
	_, err := strconv.ParseUint(id, 10, 64)
	return err == nil
}

// lookupImport looks up the object to import by itself.
func (w *World) lookupImport(n *Node, ask schema.Ask) {
	r, ok := w.Look(ask)
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
		w.matchImport(n, o)
	}
}

// pickImport finds the object that OWNER:KEY names, whose owner has to be the
// declared one.
func (w *World) pickImport(n *Node, c *Collection, id string) {
	k := n.Kind()
	if k.Owner() == nil {
		w.chooseImport(n, c, id, c.lookupName(k, id))
		return
	}
	owner, name, both := strings.Cut(id, ":")
	both = both && !strings.HasPrefix(name, "//")           // that would be a url, and no owner
	single := slices.Contains(k.Match.Keys, k.Owner().Name) // one in its owner, and named by that
	if !both && !single {
		w.refuseImport(n, "Invalid import", "a %s is imported by its id, a number, or as OWNER:KEY, as in %s:%s, and "+
			"%q is neither.", k.Name, n.owner, exampleKey(n), id)
		return
	}
	switch same, known := w.namesOwner(n, owner); {
	case !known:
		return
	case !same:
		w.refuseImport(n, "Import from another owner", "the import names %s %s, and the resource declares %s. An "+
			"import moves nothing: correct one of the two.", k.Owner().RefKind(), owner, n.owner)
		return
	}
	found := c.lookupName(k, name)
	if single && name == "" {
		found = c.AllIndexes()
	}
	w.chooseImport(n, c, name, found)
}

// chooseImport takes the object to import from those of that name, and with what else
// is declared to tell them apart.
func (w *World) chooseImport(n *Node, c *Collection, name string, found []int) {
	if len(found) > 1 && len(n.Kind().Match.Also) > 0 {
		found = slices.DeleteFunc(slices.Clone(found),
			func(i int) bool { return !n.Kind().Match.Fits(n.want.Object, c.objs[i]) })
	}
	switch k := n.Kind(); {
	case len(found) == 0:
		n.blockImport()
	case len(found) > 1 && k.Match.Twins == schema.Ambiguous:
		n.Block(fmt.Sprintf("%d live objects are called %s (ids %s); import one of them by its id", len(found), name,
			joinIDs(c, found)))
	default:
		w.matchImport(n, c.objs[slices.MinFunc(found,
			func(i, j int) int { return compareIDs(c.objs[i].ID, c.objs[j].ID) })])
	}
}

// exampleKey returns the key of a declared object for an example.
func exampleKey(n *Node) string {
	if t := KeyTitle(n.want.Object); t != "" {
		return t
	}
	return "KEY"
}

// namesOwner reports whether a text names the declared owner, by its id or path; known
// is false until the owner has been looked up.
func (w *World) namesOwner(n *Node, text string) (same, known bool) {
	kind := w.Kind(n.Kind().Owner().RefKind())
	if target := w.Target(kind.Name, n.owner); target != nil && strings.EqualFold(target.Title(), text) {
		return true, true // its path as it is, where it is renamed
	}
	if n.owner.Path == "" {
		r, ok := w.Look(AskFor(kind, n.owner))
		if !ok {
			return false, false
		}
		if o, why := ObjectOf(kind, n.owner, r); why == "" {
			w.LearnRef(n.owner, kind, o)
		}
	}
	return text == n.owner.ID || strings.EqualFold(text, n.owner.Path), true
}

// matchImport takes the object for the node's own, unless it is another one's.
func (w *World) matchImport(n *Node, o schema.Object) {
	for at, e := range w.Ledger.Entries {
		if e.ID == o.ID && at != n.want.Addr && w.Kinds.Resource(e.Kind) == o.Kind &&
			(o.Kind.Tree != nil || e.Collection == n.coll.String()) {
			w.refuseImport(n, "Import of a managed object", "%s is id %s, which the ledger has as %s. Where that has "+
				"another address now, say so with a moved block; else remove the import.", n.imports.ID, o.ID, at)
			return
		}
	}
	n.note = "import of " + strings.TrimSuffix(n.imports.ID, ":")
	w.match(n, o)
}

func (n *Node) blockImport() {
	n.Block(fmt.Sprintf("there is no %s %s to import; correct the id, or remove the import block to have one created",
		n.Kind().Name, n.imports.ID))
}

func (w *World) refuseImport(n *Node, summary, format string, args ...any) {
	w.diags = append(w.diags, mistake(n.imports.Decl, summary, "%s: %s", n.want.Addr, fmt.Sprintf(format, args...)))
	n.Block("its import is in error")
}

// CheckImports refuses imports that lead to no object of the configuration, and
// notes those that the ledger has overruled.
func (w *World) CheckImports() (diags hcl.Diagnostics) {
	used := map[*config.Import]bool{}
	for _, n := range w.all {
		used[n.imports] = true
		if im := n.imports; im != nil && isNumber(im.ID) && n.entryID() != "" && n.live.ID == n.entryID() &&
			im.ID != n.live.ID && n.from == (addr.Instance{}) {
			w.Note("The import of %s is passed over: the ledger has it as %s already.", n.want.Addr, n.live.ID)
		}
	}
	for i := range w.res.Imports {
		im := &w.res.Imports[i]
		if used[w.imports[im.To]] || w.InBlocked(im.To) {
			continue
		}
		detail := fmt.Sprintf("%s is to be imported and is not declared: its block has no such key.", im.To)
		if len(w.instancesIn(im.To.Block)) > 0 && w.isElement(im.To) {
			detail = fmt.Sprintf("%s stands for several objects, which are found by themselves. Remove the import, or "+
				"name one of them: %s[\"…\"].", im.To, im.To)
		}
		diags = append(diags, mistake(im.Decl, "Import of nothing", "%s", detail))
	}
	return diags
}
