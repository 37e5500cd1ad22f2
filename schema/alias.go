package schema

import (
	"maps"
	"slices"
	"strings"

	"github.com/zclconf/go-cty/cty"
)

// Alias is a kind under the name that another tool has for it. A block of that
// name is of the kind, takes and shows what the other tool calls its attributes,
// and keeps its name: in addresses, messages and the ledger. What it stands for
// on the host goes by the kind alone.
type Alias struct {
	// Type is the name, "data." before that of a data source.
	Type string
	// Kind is what it is a name of. It is nil for what the other tool has and hew
	// does not manage.
	Kind *Kind
	// Note says what is different about it, or what to do where there is no kind.
	Note string
	// Names are what all attributes are called: those of the other tool that are
	// different first, then the kind's own that are called alike.
	Names []Naming
	// Fixed are the attributes that the name itself says: the slug of an integration.
	Fixed map[string]cty.Value
	// ID is what the other tool has for an id, attributes in braces:
	// "{project}:{key}". It is "" where that is the host's number.
	ID string
	// By names an argument whose value, as it stands, says which of the Cases a block
	// is: another kind each. Kind is that of the first then.
	By    string
	Cases map[string]*Alias
	// Blocks are nested blocks as the other tool calls them and their arguments.
	Blocks []Block
}

// Naming is what the other tool calls an attribute, and how it writes the value.
type Naming struct {
	Name string
	// Attr is the attribute; "" where there is none, and Note says why. Of what
	// stands Beside it is the kind.
	Attr string
	// Part is what this is within an attribute that several make together: the
	// key in a map, or what the alias's Whole takes apart.
	Part string
	// Shape is how it is written, and Fields are what a block holds.
	Shape  Shape
	Fields []Naming
	// In makes the attribute's value of the other tool's, Out the reverse; nil
	// where they are the same. What they are given is known and not null; to Out
	// what is within it may be neither, and marked.
	In  func(cty.Value) (cty.Value, error)
	Out func(cty.Value) cty.Value
	// Default is what the other tool takes where nothing is stated, if that is not
	// what the host takes. Of names the argument to make it of, by In.
	Default cty.Value
	Of      string
	// Whole makes one value of parts by name, those left out being null.
	Whole func(parts map[string]cty.Value) (cty.Value, error)
	// Shown: it can be referred to and not stated. Secret: never shown.
	Shown, Secret bool
	// Way says in words how the value is written there.
	Way string
	// Refused: to leave it out would come to something else than was meant, so that
	// it is an error. Others without an attribute are a note.
	Refused bool
	Note    string
	// Alike: the kind calls it the same. Old: the other tool has called it so
	// before, and calls it what the kind does now.
	Alike, Old bool
}

// Shape is how something is written.
type Shape uint8

// An Argument is written with an equals sign, Single and Repeated are nested
// blocks: an object, or a list of them. Beside is a block that is an object of
// a kind of its own.
const (
	Argument Shape = iota
	Single
	Repeated
	Beside
)

// NewAlias completes the names by those that are alike. Names of the kind that
// the other tool has another one for are not among them.
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

// CaseOf makes one alias of those that an argument tells apart.
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

// Naming returns what is called so, or nil.
func (a *Alias) Naming(name string) *Naming {
	if i := a.index(name); i >= 0 {
		return &a.Names[i]
	}
	return nil
}

// For returns the first name that states the attribute, or nil.
func (a *Alias) For(attr string) *Naming {
	i := slices.IndexFunc(a.Names, func(n Naming) bool { return n.Attr == attr && !n.Shown && !n.Old && n.Shape != Beside })
	if i < 0 {
		return nil
	}
	return &a.Names[i]
}

// Written is what a block of that name calls an attribute: what states it, or the
// attribute itself where several names do together, or there is no alias.
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

// Parts are the attributes that an id is made of.
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

// Fill makes an id of the texts of its parts.
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
