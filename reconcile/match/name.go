package match

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"hew/schema"
	"hew/schema/urlmask"
)

// KeyTitle returns an object's natural key as shown to users and stored in the ledger: a URL
// without its secrets, whatever the kind.
func KeyTitle(o schema.Object) string {
	return urlmask.RedactText(formatKey(o, (*schema.Attr).Published))
}

// showsWholeKey reports whether the title of an object tells it from all others: nothing of its
// key is left out.
func showsWholeKey(o schema.Object) bool {
	return KeyTitle(o) == formatKey(o, (*schema.Attr).Canonical)
}

// formatKey returns an object's natural key, with the attribute's value in the given form.
func formatKey(o schema.Object, form func(*schema.Attr, cty.Value) cty.Value) string {
	if t := o.Kind.Tree; t != nil {
		return schema.Text(o.Get(t.Full))
	}
	if o.Kind.Holds == schema.One && o.Kind.Owner() == nil {
		return "instance"
	}
	for _, name := range o.Kind.Match.Keys {
		v := o.Get(name)
		if schema.IsSecret(v) || slices.ContainsFunc(o.Kind.Match.Also,
			func(also string) bool { return schema.IsSecret(o.Get(also)) }) {
			return "(secret)" // titles appear in the ledger and in plans
		}
		if r := schema.AsRef(v); r != nil {
			return r.String()
		}
		if t := schema.Text(form(o.Kind.Attr(name), v)); t != "" {
			return strings.Join(append([]string{t}, o.Kind.Match.Beside(o)...), ":")
		}
	}
	return o.ID
}

// UndeclaredTitle returns the title of a live object that nobody declared: KeyTitle without the
// secrets that a URL may have in its path and parameters, which no configuration shows.
func UndeclaredTitle(o schema.Object) string { return urlmask.Conceal(KeyTitle(o)) }

// siblingName returns the name by which other objects in the same owner refer to an object.
func siblingName(o schema.Object) string {
	if o.Kind.Called != "" {
		return schema.Text(o.Get(o.Kind.Called))
	}
	return KeyTitle(o)
}

// Title returns the title of a declared object: its live path, else its declared path, else its
// key.
func (n *Node) Title() string {
	if n.Kind().Tree == nil {
		return KeyTitle(n.want.Object)
	}
	if full := schema.Text(n.live.Get(n.Kind().Tree.Full)); full != "" {
		return full
	}
	return n.Path()
}

func liveTitle(o schema.Object, n *Node) string {
	if t := n.Title(); n.Kind().Tree != nil && t != "" {
		return t
	}
	return "id " + o.ID
}

// OwnerTitle returns the title of the owner of a declaration, or "" if it has none.
func (w *World) OwnerTitle(d *Declaration) string {
	if d.owner == nil {
		return ""
	}
	return w.refTitle(OwnerKind(d.Kind()), d.owner)
}

// OwnerTitleAt returns the title of the owner of a collection, or "" if it has none.
func (w *World) OwnerTitleAt(k *schema.Kind, coll schema.Collection) string {
	id := OwnerID(k, coll)
	if id == "" {
		return ""
	}
	ref := w.Ref(k.Owner().RefKind(), schema.Ref{ID: id})
	w.nameRef(k.Owner().RefKind(), ref)
	return w.refTitle(k.Owner().RefKind(), ref)
}

// refTitle returns the path that the configuration declares for the target of a reference or, for
// drift, the one that it has: after a rename by hand, the declared path can be another object's.
func (w *World) refTitle(kind string, r *schema.Ref) string {
	if n := w.Target(kind, r); w.drift && n != nil && n.Kind().Tree != nil {
		return n.Title()
	}
	return r.String()
}

// NameRefs fills in the paths and names of references by id whose targets were read.
func (w *World) NameRefs() {
	names := map[string]map[string]string{}
	for id, ref := range w.refs {
		w.nameRef(id.kind, ref)
		if ref.ID != "" && ref.Path == "" && w.Kind(id.kind).Owner() == nil {
			if names[id.kind] == nil {
				names[id.kind] = w.namesByID(id.kind)
			}
			ref.Path = names[id.kind][ref.ID]
		}
	}
}

// namesByID returns the names of objects of a kind as other live objects refer to them, by id:
// members name their users.
func (w *World) namesByID(kind string) map[string]string {
	names := map[string]string{}
	for _, c := range w.colls {
		for i := range c.query.Kind.Attrs {
			a := &c.query.Kind.Attrs[i]
			if a.RefKind() != kind {
				continue
			}
			for _, o := range c.objs {
				for _, r := range schema.Refs(o.Get(a.Name)) {
					if r.Path != "" {
						names[r.ID] = r.Path
					}
				}
			}
		}
	}
	return names
}

func (w *World) nameRef(kind string, ref *schema.Ref) {
	if ref.ID == "" || ref.Path != "" || w.Kind(kind).Tree == nil {
		return
	}
	full := w.Kind(kind).Tree.Full
	if r := w.found[askKey{RefKey: ByID(kind, ref.ID)}]; len(r.Objects) > 0 {
		ref.Path = schema.Text(r.Objects[0].Get(full))
		return
	}
	for _, c := range w.colls {
		if c.query.Kind.Name != kind {
			continue
		}
		if o, ok := c.Find(ref.ID); ok {
			ref.Path = schema.Text(o.Get(full))
			return
		}
	}
}

// Unreadable returns why the collection of an owner could not be read.
func Unreadable(k *schema.Kind, owner *schema.Ref, s schema.State, err error) string {
	what := k.Name
	if owner != nil {
		what += " of " + owner.String()
	}
	return unreadable(k, what, s, err)
}

// UnreadableObject returns why an object, given by id or path, could not be read.
func UnreadableObject(k *schema.Kind, ref *schema.Ref, s schema.State, err error) string {
	return unreadable(k, k.Name+" "+ref.String(), s, err)
}

func unreadable(k *schema.Kind, what string, s schema.State, err error) string {
	switch {
	case s == schema.OwnerAbsent:
		return what + " cannot be listed: the owner does not exist (404)"
	case s == schema.Unsupported && k.Gated:
		return fmt.Sprintf("%s is not supported by this instance", k.Name)
	case s == schema.Forbidden:
		switch {
		case err == nil && k.Need == "":
			return "the token cannot read " + what
		case err == nil:
			return fmt.Sprintf("the token cannot read %s; requires %s", what, k.Need)
		}
		return fmt.Sprintf("the token cannot read %s: %v", what, err) // err says what it requires
	}
	return fmt.Sprintf("%s could not be read: %v", what, err)
}

func joinIDs(c *Collection, at []int) string {
	texts := make([]string, len(at))
	for i, j := range at {
		texts[i] = c.objs[j].ID
	}
	return strings.Join(texts, ", ")
}

// showKey returns a key value, in its canonical form, as shown to users.
func showKey(a *schema.Attr, v cty.Value) string {
	if r := schema.AsRef(v); r != nil {
		return strconv.Quote(r.String())
	}
	if schema.IsSecret(v) {
		return "(secret)"
	}
	return schema.Encode(a.Published(v))
}

// showAttr returns an attribute of a live object as shown to users.
func showAttr(o schema.Object, attr string) string {
	a := o.Kind.Attr(attr)
	v := a.Published(o.Get(attr))
	if a.Show != nil {
		return a.Show(v)
	}
	return schema.Encode(a.Canonical(v))
}
