package pull

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"hew/schema"
)

// items are the objects of a list that can be declared, in the order of their
// blocks. What is left out is told.
func (p *puller) items(f *reading) []*item {
	var all []*item
	for _, o := range f.objects {
		if o.Note != "" && o.State != schema.Archived {
			p.out.skip(f.at, o)
			continue
		}
		it, why := p.item(o)
		if why != "" {
			p.out.left(f.at, o.Kind, f.at.String()+" "+keyText(o), why)
			continue
		}
		all = append(all, it)
	}
	// What is known by a name that only some have comes first: the others are known
	// by what they may have in common with it.
	slices.SortStableFunc(all, func(a, b *item) int {
		return cmp.Or(cmp.Compare(a.rank(), b.rank()), cmp.Compare(strings.ToLower(a.title()), strings.ToLower(b.title())), compareIDs(a.obj.ID, b.obj.ID))
	})
	if f.kind.Holds == schema.One { // it is there anyway
		all = slices.DeleteFunc(all, func(it *item) bool { return it.bare() })
	}
	return p.distinct(f, all)
}

// item is an object as it is declared, or why it is not.
func (p *puller) item(o schema.Object) (*item, string) {
	if o.State == schema.PendingDeletion {
		return nil, "it is marked for deletion"
	}
	it, why := stated(o)
	if why != "" {
		return nil, why
	}
	if id := (thing{o.Kind.Name, o.ID}); o.Kind.Shared != "" {
		if p.shared[id] {
			return nil, "it is written where it was met first"
		}
		p.shared[id] = true
	}
	return it, ""
}

// distinct leaves out what nobody could tell apart by what is stated.
func (p *puller) distinct(f *reading, all []*item) []*item {
	k := p.element(f.kind)
	if k.Holds != schema.Many || k.Match.Alike {
		return all
	}
	times, met := map[string]int{}, map[string]bool{}
	for _, it := range all {
		times[it.key()]++
	}
	return slices.DeleteFunc(all, func(it *item) bool {
		key := it.key()
		again := met[key]
		met[key] = true
		switch {
		case key == "":
			p.out.left(f.at, k, f.at.String()+" "+it.title(), "nothing tells it from others")
			return true
		case times[key] == 1 || k.Match.Twins == schema.Lowest && !again:
			return false
		}
		p.out.left(f.at, k, f.at.String()+" "+it.title(), fmt.Sprintf("there are %d of that %s", times[key], keyName(it)))
		return true
	})
}

// key is what the object is recognised by, as text, "" for nothing.
func (it *item) key() string {
	want := it.want()
	a, v, ok := want.Kind.Match.Key(want)
	if a == nil {
		return ""
	}
	if !ok { // a variable has it
		return "id " + it.obj.ID
	}
	text := schema.Encode(v)
	if r := schema.AsRef(v); r != nil {
		text = cmp.Or(r.ID, r.Path)
	}
	return fmt.Sprintf("%s %s %q", a.Name, text, want.Kind.Match.Beside(want))
}

func keyName(it *item) string {
	want := it.want()
	a, _, _ := want.Kind.Match.Key(want)
	return a.Name
}

// rank is the place of the key that an object is known by, among those of its
// kind.
func (it *item) rank() int {
	return slices.IndexFunc(it.obj.Kind.Match.Keys, it.says)
}

// compareIDs sorts numbers by size.
func compareIDs(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b)) }
