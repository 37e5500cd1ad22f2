package pull

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"hew/schema"
)

// newItems returns the objects of a list that can be declared, in the order of their blocks. The
// others go into the summary.
func (p *puller) newItems(f *listing) []*item {
	var all []*item
	for _, o := range f.objects {
		if o.Note != "" && o.State != schema.Archived {
			p.out.omitUnmanaged(f.container, o)
			continue
		}
		it, why := p.listedItem(o)
		if why != "" {
			p.out.omitObject(f.container, o.Kind, keyText(o)+" in "+f.container.String(), why)
			continue
		}
		all = append(all, it)
	}
	// Objects with a higher-ranking key come first: those without it are identified by an attribute
	// that may be equal in both.
	slices.SortStableFunc(all, func(a, b *item) int {
		return cmp.Or(cmp.Compare(a.keyRank(), b.keyRank()),
			cmp.Compare(strings.ToLower(a.title()), strings.ToLower(b.title())), compareIDs(a.obj.ID, b.obj.ID))
	})
	if f.kind.Holds == schema.One { // it always exists, so a block that states nothing is useless
		all = slices.DeleteFunc(all, func(it *item) bool { return it.hasOnlyOwner() })
	}
	return p.removeAmbiguous(f, all)
}

// listedItem returns the item of an object, or why the object cannot be declared.
func (p *puller) listedItem(o schema.Object) (*item, string) {
	if o.State == schema.PendingDeletion {
		return nil, "it is marked for deletion"
	}
	it, why := newItem(o)
	if why != "" {
		return nil, why
	}
	if id := (objectID{o.Kind.Name, o.ID}); o.Kind.Shared != "" {
		if p.sharedSeen[id] {
			return nil, "it is already declared in another block"
		}
		p.sharedSeen[id] = true
	}
	return it, ""
}

// removeAmbiguous removes objects that hew could not tell apart by what is stated.
func (p *puller) removeAmbiguous(f *listing, all []*item) []*item {
	k := p.element(f.kind)
	if k.Holds != schema.Many || k.Match.Alike {
		return all
	}
	times, seen := map[string]int{}, map[string]bool{}
	for _, it := range all {
		times[it.identity()]++
	}
	return slices.DeleteFunc(all, func(it *item) bool {
		key := it.identity()
		repeated := seen[key]
		seen[key] = true
		switch {
		case key == "":
			p.out.omitObject(f.container, k, it.title()+" in "+f.container.String(),
				"it has no attribute that identifies it")
			return true
		case times[key] == 1 || k.Match.Twins == schema.Lowest && !repeated:
			return false
		}
		p.out.omitObject(f.container, k, it.title()+" in "+f.container.String(),
			fmt.Sprintf("%d objects have the same %s, so hew cannot tell them apart", times[key], identityAttr(it)))
		return true
	})
}

// identity returns what hew recognises the object by, as text, "" if there is nothing.
func (it *item) identity() string {
	want := it.desired()
	a, v, ok := want.Kind.Match.Key(want)
	if a == nil {
		return ""
	}
	if !ok { // the value is in a variable
		return "id " + it.obj.ID
	}
	text := schema.Encode(v)
	if r := schema.AsRef(v); r != nil {
		text = cmp.Or(r.ID, r.Path)
	}
	return fmt.Sprintf("%s %s %q", a.Name, text, want.Kind.Match.Beside(want))
}

// identityAttr returns the name of the attribute in identity.
func identityAttr(it *item) string {
	want := it.desired()
	a, _, _ := want.Kind.Match.Key(want)
	return a.Name
}

// keyRank returns the index of the first key of the kind that the item states.
func (it *item) keyRank() int {
	return slices.IndexFunc(it.obj.Kind.Match.Keys, it.states)
}

// compareIDs compares decimal numbers.
func compareIDs(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b)) }
