package schema

import (
	"maps"
	"slices"
	"strings"

	"github.com/zclconf/go-cty/cty"
)

// Alias is another tool's name for a kind. A block of that name is of the kind,
// takes and shows the other tool's names of attributes, and keeps its name in
// addresses, messages and the ledger. Its object on the host depends on the kind
// alone.
type Alias struct {
	// Type is the name, with "data." before that of a data source.
	Type string
	// Kind is nil for a type that hew does not manage.
	Kind *Kind
	// Note says what differs, or what to do if there is no kind.
	Note string
	// Names are the names of all attributes: first those that differ, then those that
	// are the same.
	Names []Naming
	// Fixed are the attributes that the type itself sets: the slug of an integration.
	Fixed map[string]cty.Value
	// ID is the other tool's id, with attributes in braces: "{project}:{key}". "" is
	// the host's id.
	ID string
	// By names the argument whose literal value selects one of the Cases, each of
	// another kind. Kind is that of the first then.
	By    string
	Cases map[string]*Alias
	// Blocks are nested blocks, with the other tool's names of their arguments.
	Blocks []Block
}

// Naming is the other tool's name of an attribute, and its form of the value.
type Naming struct {
	Name string
	// Attr is the attribute, or "" if there is none, and Note says why. For the shape
	// Beside it is the kind.
	Attr string
	// Part names a part of an attribute that several names set together: the key in a
	// map, or a part that Whole takes.
	Part string
	// Shape is how it is written. Fields are the arguments of a block.
	Shape  Shape
	Fields []Naming
	// In converts the other tool's value to the attribute's, and Out converts back. Nil
	// keeps the value. Values are known and not null; elements of those for Out may be
	// unknown, null or marked.
	In  func(cty.Value) (cty.Value, error)
	Out func(cty.Value) cty.Value
	// Default is the other tool's default, if it differs from the host's. Of names the
	// argument to derive it from, by In.
	Default cty.Value
	Of      string
	// Whole combines parts by name into one value. Missing parts are null.
	Whole func(parts map[string]cty.Value) (cty.Value, error)
	// Shown is set if it can be referred to, but not stated. Secret is never shown.
	Shown, Secret bool
	// Way says in words how the other tool writes the value.
	Way string
	// Refused makes it an error, as ignoring it would change the meaning. Other names
	// without an attribute are a note.
	Refused bool
	Note    string
	// Alike is set if the kind has the same name. Old is a former name of the other
	// tool, which now uses that of the kind.
	Alike, Old bool
}

// Shape is how something is written.
type Shape uint8

// Argument is written with an equals sign. Single and Repeated are nested blocks, for
// an object or a list of them. Beside is a nested block that is an object of a kind
// of its own.
const (
	Argument Shape = iota
	Single
	Repeated
	Beside
)

// NewAlias returns the alias with the names that are the same in both tools added.
func NewAlias(a Alias) *Alias {
	if a.Kind == nil {
		return &a
	}
	if i := a.index("id"); i < 0 && a.ID != "-" {
		at := a.Kind.Attr("id")
		stated := at != nil && at.Mode != Computed && !a.renamed("id")
		a.Names = append(a.Names, Naming{Name: "id", Attr: "id", Out: asText, Shown: !stated, Alike: true})
	}
	for i := range a.Names {
		a.complete(&a.Names[i])
	}
	for i := range a.Kind.Attrs {
		name := a.Kind.Attrs[i].Name
		if _, fixed := a.Fixed[name]; a.index(name) < 0 && !a.renamed(name) || fixed && a.index(name) < 0 {
			a.Names = append(a.Names, Naming{Name: name, Attr: name, Shown: fixed, Alike: true})
		}
	}
	return &a
}

// CaseOf combines the aliases that an argument selects from into one.
func CaseOf(typ string, cases map[string]*Alias) *Alias {
	a := &Alias{Type: typ, Cases: cases}
	for _, name := range slices.Sorted(maps.Keys(cases)) {
		if a.Kind == nil {
			a.Kind, a.By = cases[name].Kind, cases[name].By
		}
	}
	return a
}

// complete adds to a block what its object has besides, by the same names, or
// makes it one of the kind's own blocks.
func (a *Alias) complete(n *Naming) {
	if n.Shape != Single && n.Shape != Repeated {
		return
	}
	if own := a.Kind.Block(n.Attr); own != nil {
		of := map[string]string{}
		for arg, attr := range own.Of {
			name := arg
			for _, f := range n.Fields {
				if f.Attr == arg {
					name = f.Name
				}
			}
			of[name] = attr
		}
		a.Blocks = append(a.Blocks, Block{Name: n.Name, Of: of})
		return
	}
	at := a.Kind.Attr(n.Attr)
	if at == nil || at.Type == cty.NilType {
		return
	}
	t := at.Type
	if t.IsCollectionType() {
		t = t.ElementType()
	}
	if !t.IsObjectType() {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(t.AttributeTypes())) {
		if slices.ContainsFunc(n.Fields, func(f Naming) bool { return f.Attr == name }) {
			continue
		}
		f := Naming{Name: name, Attr: name, Alike: true}
		if t.AttributeType(name) == cty.Bool { // which is never nothing on a host
			f.Default = cty.False
		}
		n.Fields = append(n.Fields, f)
	}
}

// renamed reports whether the other tool has another name for an attribute.
func (a *Alias) renamed(attr string) bool {
	return slices.ContainsFunc(a.Names, func(n Naming) bool {
		return n.Attr == attr && n.Name != attr && !n.Shown && !n.Old && n.Shape != Beside
	})
}

func (a *Alias) index(name string) int {
	return slices.IndexFunc(a.Names, func(n Naming) bool { return n.Name == name })
}

// Naming returns the attribute of that name, or nil.
func (a *Alias) Naming(name string) *Naming {
	if i := a.index(name); i >= 0 {
		return &a.Names[i]
	}
	return nil
}

// For returns the first name that states the attribute, or nil.
func (a *Alias) For(attr string) *Naming {
	i := slices.IndexFunc(a.Names, func(n Naming) bool {
		return n.Attr == attr && !n.Shown && !n.Old &&
			n.Shape != Beside
	})
	if i < 0 {
		return nil
	}
	return &a.Names[i]
}

// Written returns the name that a block uses for an attribute. It is the attribute's
// own if several names set it together, or if there is no alias.
func (a *Alias) Written(attr string) string {
	if a == nil {
		return attr
	}
	if n := a.For(attr); n != nil && n.Part == "" {
		return n.Name
	}
	for _, b := range a.Blocks {
		for _, field := range slices.Sorted(maps.Keys(b.Of)) {
			if b.Of[field] == attr {
				return b.Name + "." + field
			}
		}
	}
	return attr
}

// Parts returns the attributes that an id consists of.
func (a *Alias) Parts() (names []string) {
	for rest := a.ID; ; {
		_, after, found := strings.Cut(rest, "{")
		if !found {
			return names
		}
		var name string
		name, rest, _ = strings.Cut(after, "}")
		names = append(names, name)
	}
}

// Fill returns the id with the given texts as its parts.
func (a *Alias) Fill(text func(attr string) string) string {
	id := a.ID
	for _, name := range a.Parts() {
		id = strings.Replace(id, "{"+name+"}", text(name), 1)
	}
	return id
}

// asText is a number as text; whatever else stays what it is.
func asText(v cty.Value) cty.Value {
	if v.Type() != cty.Number {
		return v
	}
	return cty.StringVal(v.AsBigFloat().Text('f', -1))
}
