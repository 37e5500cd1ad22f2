package reconcile

import (
	"fmt"
	"sort"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"hew/reconcile/config"
	"hew/schema"
)

// answer is what a data source says, or why it cannot.
type answer struct {
	node   *node
	values map[string]cty.Value
	done   bool
}

// answer works out every data source that can be answered by now. Sources over
// collections answer for the planned world: what is live, plus what is
// declared, minus what will be deleted.
func (w *world) answer() {
	for i := range w.res.Sources {
		d := &w.res.Sources[i]
		a := w.data[d.Addr]
		if a == nil {
			a = &answer{node: &node{ref: &schema.Ref{}}}
			w.data[d.Addr] = a
		}
		if a.done {
			continue
		}
		a.node.want = *d
		if !w.resolve(a.node) || a.node.settled() {
			continue
		}
		if d.Object.Kind.Data.Single {
			a.values, a.done = w.single(a.node)
		} else {
			a.values, a.done = w.members(a.node)
		}
		if a.done {
			w.stale[d.Addr.Block] = true
		}
	}
}

// single finds the one object a source names.
func (w *world) single(n *node) (map[string]cty.Value, bool) {
	k := n.kind()
	of := w.kind(k.Data.Of)
	ask := schema.Ask{Kind: of}
	for _, name := range k.Data.Keys {
		v := n.want.Object.Get(name)
		if v.IsNull() {
			continue
		}
		r, ok := schema.RefOf(v)
		if !ok {
			return nil, false
		}
		if declared := w.byAddr(of.Name, w.ref(of.Name, r)); declared != nil && declared.status != matched {
			return w.planned(k, declared)
		}
		ask.ID, ask.Key = r.ID, r.Path
		if name != "id" && r.Path == "" {
			ask.ID, ask.Key = "", r.ID // a user may be called 42
		}
		break
	}
	for i := range k.Attrs {
		ask.Keep = append(ask.Keep, k.Attrs[i].Name)
	}
	reading, ok := w.look(ask)
	if !ok {
		return nil, false
	}
	switch reading.State {
	case schema.Present, schema.Moved, schema.Archived, schema.PendingDeletion:
		values := map[string]cty.Value{}
		for a, v := range reading.Objects[0].Value.All() {
			values[a.Name] = plainRef(v)
		}
		return values, true
	case schema.Absent:
		n.block(fmt.Sprintf("there is no %s %q on the host", of.Name, ask.Key+ask.ID))
	default:
		n.block(unreadable(of, &schema.Ref{ID: ask.ID, Path: ask.Key}, reading.State, reading.Err))
	}
	return nil, false
}

// planned answers for a thing that is declared and not there yet.
func (w *world) planned(k *schema.Kind, declared *node) (map[string]cty.Value, bool) {
	if declared.status != missing {
		return nil, false
	}
	values := map[string]cty.Value{}
	for i := range k.Attrs {
		a := &k.Attrs[i]
		values[a.Name] = config.Origin(declared.want.Addr, cty.UnknownVal(a.Type))
		if v, ok := declared.want.Object.Value.Get(a.Name); ok && a.Ref == "" {
			values[a.Name] = v
		}
	}
	return values, true
}

// members lists what an owner has, and will have.
func (w *world) members(n *node) (map[string]cty.Value, bool) {
	d := n.kind().Data
	of := w.kind(d.Of)
	if !w.findOwner(n, n.kind().Attr(d.Owner), 0) {
		return nil, false
	}
	deep := d.Recursive != "" && isTrue(n.want.Object.Get(d.Recursive))
	var c *collection
	if n.owner.ID != "" {
		if c = w.list(of, d.In(of, n.owner.ID, deep)); c == nil {
			return nil, false
		}
		if c.state != schema.Present {
			n.block(unreadable(of, n.owner, c.state, c.err))
			return nil, false
		}
	}
	byPath := map[string]cty.Value{}
	for _, m := range w.order {
		if m.kind() != of || !under(m, n.owner, deep) {
			continue
		}
		switch {
		case !m.settled():
			return nil, false
		case m.status == missing && fits(d, n.want.Object, m.want.Object):
			byPath[m.path()] = config.Origin(m.want.Addr, cty.UnknownVal(cty.Number))
		case m.live.ID != "" && fits(d, n.want.Object, m.live):
			byPath[m.path()] = idValue(m.live.ID)
		}
	}
	if c != nil {
		for i := range c.objs {
			o := &c.objs[i]
			id := identityOf(of, c.query.Collection, o.ID)
			if w.claims[id] == nil && !w.leaves[id] && o.State != schema.PendingDeletion && fits(d, n.want.Object, *o) {
				byPath[text(o.Get(of.Tree.Full))] = idValue(o.ID)
			}
		}
	}
	return listed(d, byPath), true
}

// listed spreads path → id over the three attributes of a list source.
func listed(d *schema.Data, byPath map[string]cty.Value) map[string]cty.Value {
	paths := make([]string, 0, len(byPath))
	for p := range byPath {
		paths = append(paths, p)
	}
	sort.Strings(paths)
	if len(paths) == 0 {
		return map[string]cty.Value{"paths": cty.ListValEmpty(cty.String), "ids": cty.ListValEmpty(cty.Number), d.By: cty.MapValEmpty(cty.Number)}
	}
	names, ids := make([]cty.Value, len(paths)), make([]cty.Value, len(paths))
	for i, p := range paths {
		names[i], ids[i] = cty.StringVal(p), byPath[p]
	}
	return map[string]cty.Value{"paths": cty.ListVal(names), "ids": cty.ListVal(ids), d.By: cty.MapVal(byPath)}
}

// under tells whether a declared thing will be the owner's: directly, or at
// any depth.
func under(m *node, owner *schema.Ref, deep bool) bool {
	path, above := strings.ToLower(m.path()), strings.ToLower(owner.Path)+"/"
	if !strings.HasPrefix(path, above) {
		return false
	}
	return deep || !strings.Contains(path[len(above):], "/")
}

// fits applies the source's stated filters.
func fits(d *schema.Data, args, o schema.Object) bool {
	for _, f := range d.Filters {
		if arg := args.Get(f.Arg); !arg.IsNull() && !f.Match(o, arg) {
			return false
		}
	}
	return true
}

func isTrue(v cty.Value) bool {
	v, _ = v.Unmark()
	return !v.IsNull() && v.IsKnown() && v.Type() == cty.Bool && v.True()
}

func idValue(id string) cty.Value {
	if v, err := cty.ParseNumberVal(id); err == nil {
		return v
	}
	return cty.StringVal(id)
}

// plainRef shows a reference to expressions as its id.
func plainRef(v cty.Value) cty.Value {
	r := schema.AsRef(v)
	switch {
	case r == nil:
		return v
	case r.ID != "":
		return idValue(r.ID)
	}
	return cty.UnknownVal(cty.Number)
}
