package reconcile_test

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/zclconf/go-cty/cty"

	"hew/schema"
)

func (h *host) write(verb string, o schema.Object, attrs []string) error {
	h.requests++
	line := verb + " " + o.Kind.Name + " " + keyOf(o)
	if line == h.last {
		h.last = ""
		h.interrupt()
	}
	if msg := h.fail[line]; msg != "" {
		for _, known := range []error{schema.ErrUnknown, schema.ErrUnseen} {
			if msg == known.Error() {
				return known
			}
		}
		return errors.New(msg)
	}
	for _, a := range attrs {
		line += " " + a
	}
	h.log = append(h.log, line)
	return nil
}

func keyOf(o schema.Object) string {
	if t := o.Kind.Tree; t != nil {
		return fmt.Sprint(plainValue(o.Get(t.Full)))
	}
	for _, k := range o.Kind.Match.Keys {
		if v := o.Get(k); !v.IsNull() {
			return fmt.Sprint(plainValue(v))
		}
	}
	return o.ID
}

func (h *host) Create(_ context.Context, o schema.Object) (schema.Object, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	path := o.Kind.In(ownerOf(o)).Path
	for _, it := range h.lists[path] {
		if there := h.object(o.Kind, path, it, allNames(o.Kind)); keyOf(there) == keyOf(o) &&
			o.Kind.Match.Fits(o, there) && !o.Kind.Match.Alike && len(o.Kind.Unique) > 0 || h.taken(o) != "" {
			return schema.Object{}, schema.ErrExists
		}
	}
	lost := h.write("create", o, nil)
	if lost != nil && !errors.Is(lost, schema.ErrUnknown) && !errors.Is(lost, schema.ErrUnseen) {
		return schema.Object{}, lost
	}
	h.next++
	it := item{"id": h.next}
	for a, v := range o.Value.All() {
		if a != o.Kind.Owner() && !v.IsNull() {
			it[a.Name] = plainValue(v)
		}
	}
	if t := o.Kind.Tree; t != nil && t.Owner != "" && it["name"] == nil {
		it["name"] = it[t.Segment]
	}
	if o.Kind.Name == "page" {
		it["id"] = it["title"]
	}
	if o.Kind.Name == "group_member" {
		if r := schema.AsRef(o.Get("user")); r != nil {
			it["id"] = r.ID
		} else {
			it["id"], it["state"] = it["email"], "invited"
		}
	}
	h.lists[path] = append(h.lists[path], it)
	if errors.Is(lost, schema.ErrUnknown) {
		return schema.Object{}, lost
	}
	made := h.object(o.Kind, path, it, allNames(o.Kind))
	if a := o.Kind.Attr("token"); a != nil && a.Mode == schema.Computed && lost == nil {
		made.Value.Set(a, cty.StringVal(fmt.Sprintf("of %s %d", o.Kind.Name, h.next)).Mark(schema.Secret)) // shown once
	}
	return made, lost
}

func (h *host) Update(_ context.Context, from schema.Object, list []schema.Assign) (schema.Object, error) {
	to, changed := schema.Assigned(from, list)
	h.mu.Lock()
	defer h.mu.Unlock()
	slices.Sort(changed)
	if taken := h.taken(to); taken != "" {
		return schema.Object{}, fmt.Errorf("400 %s has already been taken", taken)
	}
	if err := h.write("update", to, changed); err != nil {
		return schema.Object{}, err
	}
	for path, items := range h.lists {
		for _, it := range items {
			if fmt.Sprint(it["id"]) == from.ID && holds(to.Kind, path) {
				for _, name := range changed {
					it[name] = plainValue(to.Get(name))
				}
				if to.Kind.Name == "page" {
					it["id"] = it["title"]
				}
				if owner := to.Kind.Owner(); owner != nil && to.Kind.Tree != nil &&
					slices.Contains(changed, owner.Name) {
					h.lists[path] = slices.DeleteFunc(h.lists[path],
						func(o item) bool { return fmt.Sprint(o["id"]) == from.ID })
					delete(it, owner.Name)
					path = to.Kind.In(ownerOf(to)).Path
					h.lists[path] = append(h.lists[path], it)
				}
				if t := to.Kind.Tree; t != nil {
					it[t.Full] = plainValue(to.Get(t.Full))
				}
				return h.object(to.Kind, path, it, allNames(to.Kind)), nil
			}
		}
	}
	return schema.Object{}, fmt.Errorf("404")
}

func (h *host) Delete(_ context.Context, o schema.Object) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if err := h.write("delete", o, nil); err != nil {
		return err
	}
	path := o.Kind.In(ownerOf(o)).Path
	if o.Kind.Soft && h.softly {
		for _, it := range h.lists[path] {
			if fmt.Sprint(it["id"]) == o.ID {
				it["state"] = "pending deletion"
			}
		}
		return nil
	}
	h.lists[path] = slices.DeleteFunc(h.lists[path], func(it item) bool { return fmt.Sprint(it["id"]) == o.ID })
	return nil
}

// taken returns a path or unique name of an object that another one has.
func (h *host) taken(o schema.Object) string {
	for path, items := range h.lists {
		for _, it := range items {
			if !holds(o.Kind, path) || fmt.Sprint(it["id"]) == o.ID {
				continue
			}
			there := h.object(o.Kind, path, it, allNames(o.Kind))
			if t := o.Kind.Tree; t != nil && there.Get(t.Full).IsWhollyKnown() &&
				schema.Text(there.Get(t.Full)) == schema.Text(o.Get(t.Full)) {
				return schema.Text(o.Get(t.Full))
			}
			for _, name := range o.Kind.UniqueNames(o) {
				if path == o.Kind.In(ownerOf(o)).Path && slices.Contains(o.Kind.UniqueNames(there), name) {
					return name
				}
			}
		}
	}
	return ""
}

// ownerOf is the id of what the object is in, "" at the top.
func ownerOf(o schema.Object) string {
	if a := o.Kind.Owner(); a != nil {
		if r := schema.AsRef(o.Get(a.Name)); r != nil {
			return r.ID
		}
	}
	return ""
}

func allNames(k *schema.Kind) (names []string) {
	for i := range k.Attrs {
		names = append(names, k.Attrs[i].Name)
	}
	return names
}
