package schema

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// validate returns an error for each name in a kind that refers to nothing. Code that walks the
// tables relies on them.
func (c Catalog) validate() error {
	var wrong []error
	for _, kinds := range []map[string]*Kind{c.Resources, c.Sources} {
		for _, k := range kinds {
			v := validator{catalog: c, kind: k}
			v.attributes()
			v.places()
			v.sets()
			for d := k.Data; d != nil; d = d.Else {
				v.data(d)
			}
			wrong = append(wrong, v.wrong...)
		}
	}
	slices.SortFunc(wrong, func(a, b error) int { return strings.Compare(a.Error(), b.Error()) })
	return errors.Join(wrong...)
}

// validator gathers what is wrong with one kind.
type validator struct {
	catalog Catalog
	kind    *Kind
	wrong   []error
}

func (v *validator) fail(format string, args ...any) {
	v.wrong = append(v.wrong, fmt.Errorf("kind %q: %s", v.kind.Name, fmt.Sprintf(format, args...)))
}

// has fails for each name that is neither "" nor an attribute's.
func (v *validator) has(field string, names ...string) {
	for _, name := range names {
		if name != "" && v.kind.Attr(name) == nil {
			v.fail("%s names the attribute %q, which is not in the table", field, name)
		}
	}
}

// refers fails for each name that is not a reference's.
func (v *validator) refers(field, name string) {
	v.has(field, name)
	if a := v.kind.Attr(name); a != nil && a.RefKind() == "" {
		v.fail("%s names the attribute %q, which is not a reference", field, name)
	}
}

// knows returns the named kind, and fails if there is none.
func (v *validator) knows(field, name string) *Kind {
	k := v.catalog.Named(name)
	if k == nil && name != "" {
		v.fail("%s names the kind %q, which is not in the catalogue", field, name)
	}
	return k
}

func (v *validator) attributes() {
	seen := map[string]bool{}
	for i := range v.kind.Attrs {
		a := &v.kind.Attrs[i]
		if a.Name == "" || seen[a.Name] {
			v.fail("the table has two rows named %q, or one without a name", a.Name)
		}
		seen[a.Name] = true
		v.knows(a.Name, a.RefKind())
		if a.Ref != nil && a.Ref.Kind == "" {
			v.fail("%s has options of a reference, and names no kind", a.Name)
		}
		if m, is := a.Mask.(SecretPart); is && m.Whole == nil {
			v.fail("%s masks a part of its value, and has no form with that part", a.Name)
		}
		v.has(a.Name, slices.Concat([]string{a.Instead, a.SkippedBy()}, a.SentWith())...)
	}
}

func (v *validator) places() {
	k := v.kind
	if strings.Contains(k.Collection, "{") {
		switch owner := k.Owner(); {
		case owner == nil:
			v.fail("the collection %q takes an attribute that is not in the table", k.Collection)
		case owner.RefKind() == "":
			v.fail("the collection %q takes the attribute %q, which is not a reference", k.Collection, owner.Name)
		}
	}
	v.has("Match", k.Match.Attrs()...)
	v.has("Called", k.Called)
	v.has("Visible", k.Visible)
	v.has("Frozen", k.Frozen)
	v.knows("Strict", k.Under())
	if k.Strict != nil && k.Strict.Looser == nil {
		v.fail("Strict has no Looser")
	}
	v.refers("Shared", k.Shared)
	if m := k.Members; m != nil {
		v.refers("Members", m.Who)
		v.has("Members", m.Email, m.Level)
		if m.Level == "" && (m.Least > 0 || m.Owner > 0 || m.Inherited != "") {
			v.fail("Members names levels, and no attribute that holds them")
		}
	}
	if t := k.Tree; t != nil {
		v.has("Tree", t.Owner, t.Segment, t.Full)
	}
	for _, b := range k.Blocks {
		for _, name := range b.Of {
			v.has("Blocks", name)
		}
	}
}

func (v *validator) sets() {
	s := v.kind.Set
	if s == nil {
		return
	}
	v.has("Set", s.Attr, s.Exclusive)
	element := v.catalog.Resources[s.Element]
	if element == nil {
		v.fail("Set names the kind %q, which is not in the catalogue", s.Element)
		return
	}
	for _, name := range []string{s.Key, s.Mail} {
		if name != "" && element.Attr(name) == nil {
			v.fail("Set names the attribute %q, which %s does not have", name, s.Element)
		}
	}
}

func (v *validator) data(d *Data) {
	of := v.knows("Data", d.Of)
	v.knows("Data", d.Above)
	v.has("Data", slices.Concat(d.Keys, []string{d.Owner, d.Recursive, d.Names, d.By, d.Rows, d.Named, d.Search})...)
	for _, f := range d.Filters {
		v.has("Data", f.Arg)
		for _, name := range f.Reads {
			if of != nil && of.Attr(name) == nil {
				v.fail("a filter reads the attribute %q, which %s does not have", name, d.Of)
			}
		}
	}
}
