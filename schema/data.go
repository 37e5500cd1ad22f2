package schema

import (
	"net/url"
	"strings"

	"github.com/zclconf/go-cty/cty"
)

// Data says what a data source reads. Of names the kind of the objects: a
// resource, else the source itself.
type Data struct {
	Of string
	// Single is set for one object, found by the first stated of Keys ("id" by id, any
	// other as Ask.Key), or the only one of its kind. Its attributes are the answer.
	Single bool
	Keys   []string
	// Otherwise, the answer is the objects of Owner's collection: as ids, if the source
	// has that attribute, as Names, as By, which maps each name to its id, and as Rows,
	// a list of objects with the attributes that its type names. Each of them may be "".
	// If the bool argument Recursive is true, the collection is Deep instead, which
	// holds everything below the owner, or what it inherits, also of the kind Above.
	Owner, Names, By       string
	Rows                   string
	Recursive, Deep, Above string
	Filters                []Filter
	// Top is the collection if no owner is stated, and TopDeep that with everything
	// below.
	Top, TopDeep string
	// Else takes over if Owner is not stated: a source with another owner.
	Else *Data
	// Named is the argument that lists objects by name, each of which must exist.
	// Search is the argument that the host searches by, in the collection Top.
	Named, Search string
}

// Filter keeps the objects that fit a stated argument. It takes live and declared
// objects alike, so it looks only at the attributes that it Reads. If lists do not
// show those, the host filters by the parameter Asks, and Match is for declared
// objects alone.
type Filter struct {
	Arg   string
	Reads []string
	Match func(o Object, arg cty.Value) bool
	Asks  string
}

// For returns what a source reads with the arguments of o.
func (d *Data) For(o Object) *Data {
	if d.Else != nil && !Stated(o, d.Owner) {
		return d.Else.For(o)
	}
	return d
}

// In returns the collection that the source lists for the owner of that id, or at
// the top if it is "". The kind is the one that Of names.
func (d *Data) In(of *Kind, owner string, recursive bool) Collection {
	switch {
	case owner == "" && recursive:
		return expand(d.TopDeep, "")
	case owner == "":
		return expand(d.Top, "")
	case recursive:
		return expand(d.Deep, owner)
	}
	return of.In(owner)
}

// Found returns the collection that the host searches by the text.
func (d *Data) Found(text string) Collection {
	c := expand(d.Top, "")
	c.Query = strings.TrimPrefix(c.Query+"&"+url.Values{d.Search: {text}}.Encode(), "&")
	return c
}
