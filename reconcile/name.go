package reconcile

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"hew/schema"
)

// Keys, and names for people.

// key is the natural key within a collection: of a thing with a path its last
// segment, for the owner above it may be on its way to another path.
func key(o schema.Object) (*schema.Attr, cty.Value, bool) {
	if t := o.Kind.Tree; t != nil {
		return schema.ByKey(t.Segment).Key(o)
	}
	return o.Kind.Match.Key(o)
}

// keyTexts are the texts under which a key value is found: a reference is
// found by its id and by its name.
func keyTexts(a *schema.Attr, v cty.Value) []string {
	r := schema.AsRef(v)
	if r == nil {
		return []string{schema.Encode(a.Canonical(v))}
	}
	var texts []string
	if r.ID != "" {
		texts = append(texts, "id:"+r.ID)
	}
	if r.Path != "" {
		texts = append(texts, "name:"+strings.ToLower(r.Path))
	}
	return texts
}

// keyTitle is an object's natural key for people.
func keyTitle(o schema.Object) string {
	if t := o.Kind.Tree; t != nil {
		return schema.Text(o.Get(t.Full))
	}
	if o.Kind.Holds == schema.One && o.Kind.Owner() == nil {
		return "instance"
	}
	for _, name := range o.Kind.Match.Keys {
		v := o.Get(name)
		if schema.IsSecret(v) || slices.ContainsFunc(o.Kind.Match.Also, func(also string) bool { return schema.IsSecret(o.Get(also)) }) {
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

// nameBeside is what others in the owner call an object.
func nameBeside(o schema.Object) string {
	if o.Kind.Called != "" {
		return schema.Text(o.Get(o.Kind.Called))
	}
	return keyTitle(o)
}

// shownKey is the text of a key as people may read it: a URL without the
// credentials in it.
func shownKey(a *schema.Attr, v cty.Value) string {
	if a.HasSecretPart() {
		v = a.Canonical(v)
	}
	return schema.Text(v)
}

// title names a declared object: by its path, live if it has one, else by its
// key.
func (n *node) title() string {
	if n.kind().Tree == nil {
		return keyTitle(n.want.Object)
	}
	if full := schema.Text(n.live.Get(n.kind().Tree.Full)); full != "" {
		return full
	}
	return n.path()
}

func titleOf(o schema.Object, n *node) string {
	if t := n.title(); n.kind().Tree != nil && t != "" {
		return t
	}
	return "id " + o.ID
}

// ownerTitle names the owner of what s declares, "" where it has none.
func (s *seeker) ownerTitle() string {
	if s.owner == nil {
		return ""
	}
	return s.owner.String()
}

// ownerOf names the owner of a collection that no node is in.
func (w *world) ownerOf(k *schema.Kind, coll schema.Collection) string {
	id := ownerID(k, coll)
	if id == "" {
		return ""
	}
	ref := w.ref(k.Owner().RefKind(), schema.Ref{ID: id})
	w.nameRef(k.Owner().RefKind(), ref)
	return ref.String()
}

// nameRefs finds the paths and names of things that were referred to by id and
// that some reading has shown.
func (w *world) nameRefs() {
	names := map[string]map[string]string{}
	for id, ref := range w.refs {
		w.nameRef(id.kind, ref)
		if ref.ID != "" && ref.Path == "" && w.kind(id.kind).Owner() == nil {
			if names[id.kind] == nil {
				names[id.kind] = w.mentioned(id.kind)
			}
			ref.Path = names[id.kind][ref.ID]
		}
	}
}

// mentioned are the names, by id, under which live objects refer to things of a
// kind: members name users.
func (w *world) mentioned(kind string) map[string]string {
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

func (w *world) nameRef(kind string, ref *schema.Ref) {
	if ref.ID == "" || ref.Path != "" || w.kind(kind).Tree == nil {
		return
	}
	full := w.kind(kind).Tree.Full
	if r := w.found[lookup{thing: byID(kind, ref.ID)}]; len(r.Objects) > 0 {
		ref.Path = schema.Text(r.Objects[0].Get(full))
		return
	}
	for _, c := range w.colls {
		if c.query.Kind.Name != kind {
			continue
		}
		if o, ok := c.find(ref.ID); ok {
			ref.Path = schema.Text(o.Get(full))
			return
		}
	}
}

// unreadable says why a collection or object could not be read, in the words
// of the provider's error.
func unreadable(k *schema.Kind, owner *schema.Ref, s schema.State, err error) string {
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

func ids(c *collection, at []int) string {
	texts := make([]string, len(at))
	for i, j := range at {
		texts[i] = c.objs[j].ID
	}
	return strings.Join(texts, ", ")
}

// plain is a key value for people.
func plain(v cty.Value) string {
	if r := schema.AsRef(v); r != nil {
		return strconv.Quote(r.String())
	}
	if schema.IsSecret(v) {
		return "(secret)"
	}
	return schema.Encode(v)
}

// shown is an attribute of a live object for people.
func shown(o schema.Object, attr string) string {
	a, v := o.Kind.Attr(attr), o.Get(attr)
	if a.Show != nil {
		return a.Show(v)
	}
	return schema.Encode(a.Canonical(v))
}
