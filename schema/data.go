package schema

import "github.com/zclconf/go-cty/cty"

// Data says what a data source reads. Of names the kind of the objects: a
// resource, else the source itself.
type Data struct {
	Of string
	// Single: one object, found by the first stated of Keys ("id" by id, any
	// other as Ask.Key). Its attributes are the answer.
	Single bool
	Keys   []string
	// Else the objects of Owner's collection answer as ids, paths and By, the
	// attribute that maps path to id. The boolean argument Recursive, once
	// true, takes the collection Deep instead, which holds everything below
	// the owner.
	Owner, By       string
	Recursive, Deep string
	Filters         []Filter
}

// Filter keeps the objects that fit a stated argument. Live and declared
// objects go through it alike, so it asks the host for nothing and looks only
// at the attributes it Reads.
type Filter struct {
	Arg   string
	Reads []string
	Match func(o Object, arg cty.Value) bool
}

// In returns the collection that the source lists for an owner of the given
// id, of being the kind that Of names.
func (d *Data) In(of *Kind, owner string, recursive bool) Collection {
	if recursive {
		return expand(d.Deep, owner)
	}
	return of.In(owner)
}
