package match

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"hew/schema"
)

// KeyTitle returns an object's natural key for people.
func KeyTitle(o schema.Object) string {
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
			return "(secret)" // the ledger keeps titles, and plans show them
		}
		if r := schema.AsRef(v); r != nil {
			return r.String()
		}
		if t := shownKey(o.Kind.Attr(name), v); t != "" {
			return strings.Join(append([]string{t}, o.Kind.Match.Beside(o)...), ":")
		}
	}
	return o.ID
}

// siblingName returns what others in the owner call an object.
func siblingName(o schema.Object) string {
	if o.Kind.Called != "" {
		return schema.Text(o.Get(o.Kind.Called))
	}
	return KeyTitle(o)
}

// shownKey returns the text of a key as people may read it: a URL without the
// credentials in it.
func shownKey(a *schema.Attr, v cty.Value) string {
	if a.HasSecretPart() {
		v = a.Canonical(v)
	}
	return schema.Text(v)
}

// Title names a declared object: by its path, live if it has one, else by its
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

// OwnerTitle names the owner of what s declares, "" where it has none.
func (s *Seeker) OwnerTitle() string {
	if s.owner == nil {
		return ""
	}
	return s.owner.String()
}

// OwnerTitle names the owner of a collection that no node is in.
func (w *World) OwnerTitle(k *schema.Kind, coll schema.Collection) string {
	id := OwnerID(k, coll)
	if id == "" {
		return ""
	}
	ref := w.Ref(k.Owner().RefKind(), schema.Ref{ID: id})
	w.nameRef(k.Owner().RefKind(), ref)
	return ref.String()
}

// NameRefs finds the paths and names of things that were referred to by id and
// that some reading has shown.
func (w *World) NameRefs() {
	names := map[string]map[string]string{}
	for id, ref := range w.refs {
		w.nameRef(id.kind, ref)
		if ref.ID != "" && ref.Path == "" && w.Kind(id.kind).Owner() == nil {
			if names[id.kind] == nil {
				names[id.kind] = w.mentioned(id.kind)
			}
			ref.Path = names[id.kind][ref.ID]
		}
	}
}

// mentioned returns the names, by id, under which live objects refer to things of a
// kind: members name users.
func (w *World) mentioned(kind string) map[string]string {
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
	if r := w.found[lookup{Thing: ByID(kind, ref.ID)}]; len(r.Objects) > 0 {
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

// Unreadable says why a collection or object could not be read, in the words
// of the provider's error.
func Unreadable(k *schema.Kind, owner *schema.Ref, s schema.State, err error) string {
	of := ""
	if owner != nil {
		of = " of " + owner.String()
	}
	switch {
	case s == schema.OwnerAbsent:
		return fmt.Sprintf("%s%s cannot be listed: the owner is not there (404)", k.Name, of)
	case s == schema.Unsupported && k.Gated:
		return fmt.Sprintf("%s is not supported by this instance", k.Name)
	case s == schema.Forbidden:
		return fmt.Sprintf("the token may not read %s%s; it takes %s (%v)", k.Name, of, k.Need, err)
	}
	return fmt.Sprintf("%s%s could not be read: %v", k.Name, of, err)
}

func joinIDs(c *Collection, at []int) string {
	texts := make([]string, len(at))
	for i, j := range at {
		texts[i] = c.objs[j].ID
	}
	return strings.Join(texts, ", ")
}

// showKey returns a key value for people.
func showKey(v cty.Value) string {
	if r := schema.AsRef(v); r != nil {
		return strconv.Quote(r.String())
	}
	if schema.IsSecret(v) {
		return "(secret)"
	}
	return schema.Encode(v)
}

// showAttr returns an attribute of a live object for people.
func showAttr(o schema.Object, attr string) string {
	a, v := o.Kind.Attr(attr), o.Get(attr)
	if a.Show != nil {
		return a.Show(v)
	}
	return schema.Encode(a.Canonical(v))
}
