package reconcile

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"

	"hew/reconcile/addr"
	"hew/reconcile/config"
	"hew/schema"
)

// An import says which live object a declared one is, where its key does not
// tell: it has another name, or a twin. The ledger knows better once it knows
// the object; what an import names and nobody finds is never created instead.

// requested takes in what the import blocks say.
func (w *world) requested() {
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

// bring places a node by its import; c is its collection, nil for things with a
// path and where it is the whole instance. It returns false for a node without one.
func (w *world) bring(n *node, c *collection) bool {
	if n.imports == nil || n.superseded != (addr.Instance{}) {
		return false
	}
	k, id := n.kind(), strings.Trim(n.imports.ID, "/")
	switch {
	case k.Holds == schema.One:
		w.refuse(n, "Import of what is always there", "there is always one %s, which is found by itself. Remove the import block.", k.Name)
	case c != nil && isNumber(id):
		if o, ok := c.find(id); ok {
			w.imported(n, o)
		} else {
			n.nothing()
		}
	case c != nil:
		w.pick(n, c, id)
	case isNumber(id):
		w.fetch(n, schema.Ask{Kind: k, ID: id})
	case k.Tree != nil:
		w.fetch(n, schema.Ask{Kind: k, Key: id})
	default:
		w.refuse(n, "Invalid import", "a %s is imported by its id, a number, and %q is none.", k.Name, id)
	}
	return true
}

func isNumber(id string) bool {
	_, err := strconv.ParseUint(id, 10, 64)
	return err == nil
}

// fetch looks up the object to import by itself.
func (w *world) fetch(n *node, ask schema.Ask) {
	r, ok := w.look(ask)
	if !ok {
		return
	}
	o, why := there(n.kind(), &schema.Ref{ID: ask.ID, Path: ask.Key}, r)
	switch {
	case r.State == schema.Absent:
		n.nothing()
	case why != "":
		n.block(why)
	default:
		w.imported(n, o)
	}
}

// pick finds the object that OWNER:KEY names, where the owner has to be the
// declared one.
func (w *world) pick(n *node, c *collection, id string) {
	k := n.kind()
	if k.Owner() == nil {
		w.choose(n, c, id, c.called(k, id))
		return
	}
	owner, name, both := strings.Cut(id, ":")
	both = both && !strings.HasPrefix(name, "//")           // that would be a url, and no owner
	single := slices.Contains(k.Match.Keys, k.Owner().Name) // one in its owner, and named by that
	if !both && !single {
		w.refuse(n, "Invalid import", "a %s is imported by its id, a number, or as OWNER:KEY, as in %s:%s, and %q is neither.", k.Name, n.owner, orKey(n), id)
		return
	}
	switch same, known := w.same(n, owner); {
	case !known:
		return
	case !same:
		w.refuse(n, "Import from another owner", "the import names %s %s, and the resource declares %s. An import moves nothing: correct one of the two.", k.Owner().RefKind(), owner, n.owner)
		return
	}
	found := c.called(k, name)
	if single && name == "" {
		found = c.everything()
	}
	w.choose(n, c, name, found)
}

// choose takes the object to import from those of that name, and with what else
// is declared to tell them apart.
func (w *world) choose(n *node, c *collection, name string, found []int) {
	if len(found) > 1 && len(n.kind().Match.Also) > 0 {
		found = slices.DeleteFunc(slices.Clone(found), func(i int) bool { return !n.kind().Match.Fits(n.want.Object, c.objs[i]) })
	}
	switch k := n.kind(); {
	case len(found) == 0:
		n.nothing()
	case len(found) > 1 && k.Match.Twins == schema.Ambiguous:
		n.block(fmt.Sprintf("%d live objects are called %s (ids %s); import one of them by its id", len(found), name, ids(c, found)))
	default:
		w.imported(n, c.objs[slices.MinFunc(found, func(i, j int) int { return compareIDs(c.objs[i].ID, c.objs[j].ID) })])
	}
}

// called are the objects with that text as their key, or as their id.
func (c *collection) called(k *schema.Kind, name string) []int {
	if a := k.Attr(k.Called); a != nil {
		if found := c.match(a, keyTexts(a, cty.StringVal(name))); len(found) > 0 {
			return found
		}
	}
	if found := c.named(k, name); len(found) > 0 {
		return found
	}
	if i, ok := c.byID[name]; ok {
		return []int{i}
	}
	return nil
}

// orKey is the key of a declared object for an example.
func orKey(n *node) string {
	if t := keyTitle(n.want.Object); t != "" {
		return t
	}
	return "KEY"
}

// same tells whether a text names the declared owner, by its id or path; known
// is false until the owner has been looked up.
func (w *world) same(n *node, text string) (same, known bool) {
	kind := w.kind(n.kind().Owner().RefKind())
	if target := w.node(kind.Name, n.owner); target != nil && strings.EqualFold(target.title(), text) {
		return true, true // its path as it is, where it is renamed
	}
	if n.owner.Path == "" {
		r, ok := w.look(askFor(kind, n.owner))
		if !ok {
			return false, false
		}
		if o, why := there(kind, n.owner, r); why == "" {
			w.learn(n.owner, kind, o)
		}
	}
	return text == n.owner.ID || strings.EqualFold(text, n.owner.Path), true
}

// named are the objects with that text as their key.
func (c *collection) named(k *schema.Kind, name string) []int {
	for _, key := range k.Match.Keys {
		a := k.Attr(key)
		texts := []string{"name:" + strings.ToLower(name), "id:" + name}
		if a.RefKind() == "" {
			v := cty.StringVal(name)
			if to, err := convert.Convert(v, a.Type); err == nil {
				v = to
			}
			texts = []string{schema.Encode(a.Canonical(v))}
		}
		if found := c.match(a, texts); len(found) > 0 {
			return found
		}
	}
	return nil
}

func (c *collection) everything() []int {
	all := make([]int, len(c.objs))
	for i := range all {
		all[i] = i
	}
	return all
}

// imported takes the object for the node's own, unless it is another one's.
func (w *world) imported(n *node, o schema.Object) {
	for at, e := range w.led.Entries {
		if e.ID == o.ID && at != n.want.Addr && w.kinds.Resource(e.Kind) == o.Kind && (o.Kind.Tree != nil || e.Collection == n.coll.String()) {
			w.refuse(n, "Import of a managed object", "%s is id %s, which the ledger has as %s. Where that has another address now, say so with a moved block; else remove the import.", n.imports.ID, o.ID, at)
			return
		}
	}
	n.note = "import of " + strings.TrimSuffix(n.imports.ID, ":")
	w.match(n, o)
}

func (n *node) nothing() {
	n.block(fmt.Sprintf("there is no %s %s to import; correct the id, or remove the import block to have one created", n.kind().Name, n.imports.ID))
}

func (w *world) refuse(n *node, summary, format string, args ...any) {
	w.diags = append(w.diags, mistake(n.imports.Decl, summary, "%s: %s", n.want.Addr, fmt.Sprintf(format, args...)))
	n.block("its import is in error")
}

// unimported refuses imports that lead to no object of the configuration, and
// notes those that the ledger has overruled.
func (w *world) unimported() (diags hcl.Diagnostics) {
	used := map[*config.Import]bool{}
	for _, n := range w.all {
		used[n.imports] = true
		if im := n.imports; im != nil && isNumber(im.ID) && n.entryID() != "" && n.live.ID == n.entryID() && im.ID != n.live.ID && n.from == (addr.Instance{}) {
			w.note("The import of %s is passed over: the ledger has it as %s already.", n.want.Addr, n.live.ID)
		}
	}
	for i := range w.res.Imports {
		im := &w.res.Imports[i]
		if used[w.imports[im.To]] || w.hidden(im.To) {
			continue
		}
		detail := fmt.Sprintf("%s is to be imported and is not declared: its block has no such key.", im.To)
		if len(w.within(im.To.Block)) > 0 && w.element(im.To) {
			detail = fmt.Sprintf("%s stands for several objects, which are found by themselves. Remove the import, or name one of them: %s[\"…\"].", im.To, im.To)
		}
		diags = append(diags, mistake(im.Decl, "Import of nothing", "%s", detail))
	}
	return diags
}
