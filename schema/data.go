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
	// Single: one object, found by the first stated of Keys ("id" by id, any
	// other as Ask.Key), or the only one of its kind. Its attributes are the
	// answer.
	Single bool
	Keys   []string
	// Else the objects of Owner's collection answer as ids, if the source has such
	// an attribute, as Names ("" for none), as By, the attribute that maps each name
	// to its id ("" where names say little), and as Rows, a list of the objects as
	// far as its type names their attributes. The boolean argument Recursive, once
	// true, takes the collection Deep instead, which holds everything below the
	// owner, or what it has from above: objects of the kind Above, too.
	Owner, Names, By       string
	Rows                   string
	Recursive, Deep, Above string
	Filters                []Filter
	// Top is the collection where no owner is stated, with everything below where
	// TopDeep is taken instead.
	Top, TopDeep string
	// Else is for a source with another owner, where that is the one stated.
	Else *Data
	// Named is an argument that lists the objects by name, each of which has to be
	// there; Search one that the host searches by, in the collection Top.
	Named, Search string
}

// Filter keeps the objects that fit a stated argument. Live and declared
// objects go through it alike, so it asks the host for nothing and looks only
// at the attributes it Reads. What lists do not show of their objects the host
// filters by itself, by the parameter Asks; what is only declared has to Match.
type Filter struct {
	Arg   string
	Reads []string
	Match func(o Object, arg cty.Value) bool
	Asks  string
}

// For returns what is read for a source as it is stated.
func (d *Data) For(o Object) *Data {
	if d.Else != nil && !Stated(o, d.Owner) {
		return d.Else.For(o)
	}
	return d
}

// In returns the collection that the source lists for an owner of the given
// id, of being the kind that Of names; without an id what is at the top.
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
