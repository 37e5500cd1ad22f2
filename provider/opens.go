package provider

import (
	"slices"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"hew/schema"
)

// Opens says which changes of the attribute give somebody more access or weaken a rule,
// by the canonical values before and after. Before is null for a new object.
func Opens(f func(before, after cty.Value) bool) Option { return func(a *Attr) { a.Opens = f } }

// OpensIf marks a bool that opens something when it becomes the given value.
func OpensIf(open bool) Option {
	return Opens(becomes(open))
}

// becomes returns a comparison that is true where a bool becomes the given value.
func becomes(open bool) func(before, after cty.Value) bool {
	to := cty.BoolVal(open)
	return func(before, after cty.Value) bool { return after.RawEquals(to) && !before.RawEquals(to) }
}

// OpensAlong marks a value that opens something when it moves along the words, which
// begin with the strictest. Numbers are written as such. Of a new object, only the last
// word opens something.
func OpensAlong(words ...string) Option {
	return Opens(func(before, after cty.Value) bool {
		to := slices.Index(words, wordOf(after))
		if before.IsNull() {
			return to == len(words)-1
		}
		from := slices.Index(words, wordOf(before))
		return from >= 0 && to > from
	})
}

// OpensRising marks a level, such as an access level, that opens something when it
// rises, also from nothing.
func OpensRising(a *Attr) {
	a.Opens = func(before, after cty.Value) bool {
		return isNumber(after) && (before.IsNull() && after.AsBigFloat().Sign() > 0 || isLess(before, after))
	}
}

// OpensFalling marks a number that opens something when it falls.
func OpensFalling(a *Attr) {
	a.Opens = ofExisting(func(before, after cty.Value) bool { return isLess(after, before) })
}

// OpensRaised marks a limit that opens something when it rises, or becomes 0, which is
// no limit.
func OpensRaised(a *Attr) {
	a.Opens = ofExisting(func(before, after cty.Value) bool {
		none := cty.Zero
		return !before.RawEquals(none) && isNumber(after) && (after.RawEquals(none) || isLess(before, after))
	})
}

// OpensGrowing marks a set that opens something when an element is added to it.
func OpensGrowing(a *Attr) { a.Opens = ofExisting(grows) }

// OpensShrinking marks a set of what is forbidden, which opens something when an element
// is removed from it.
func OpensShrinking(a *Attr) {
	a.Opens = ofExisting(func(before, after cty.Value) bool { return grows(after, before) })
}

// OpensGranting is [OpensGrowing] for a set whose elements open something in a new
// object as well.
func OpensGranting(a *Attr) { a.Opens = grows }

// OpensNarrowing marks the set of what a rule applies to, where an empty one is
// everything: it opens something when it becomes smaller.
func OpensNarrowing(a *Attr) { a.Opens = ofExisting(narrows) }

// OpensAllowing marks the set of what a rule lets through, where an empty one is
// everything: it opens something when an element is added, or when it is emptied.
func OpensAllowing(a *Attr) {
	a.Opens = ofExisting(func(before, after cty.Value) bool { return narrows(after, before) })
}

// OpensEmptied marks the regular expression of a rule, which opens something when it is
// emptied. What another expression lets through cannot be told.
func OpensEmptied(a *Attr) {
	a.Opens = ofExisting(func(before, after cty.Value) bool { return wordOf(before) != "" && wordOf(after) == "" })
}

// OpensFilled marks the regular expression of what a rule lets through, which opens something when
// there was none.
func OpensFilled(a *Attr) {
	a.Opens = ofExisting(func(before, after cty.Value) bool { return wordOf(before) == "" && wordOf(after) != "" })
}

// OpensLater marks a day on which access ends. It opens something when it is put off or
// dropped.
func OpensLater(a *Attr) {
	a.Opens = ofExisting(func(before, after cty.Value) bool {
		from, to := wordOf(before), wordOf(after)
		return from != "" && (to == "" || to > from)
	})
}

// ofExisting limits a comparison to objects that exist: a new one opens nothing.
func ofExisting(opens func(before, after cty.Value) bool) func(before, after cty.Value) bool {
	return func(before, after cty.Value) bool { return !before.IsNull() && opens(before, after) }
}

// grows reports whether a set has an element after that it lacks before.
func grows(before, after cty.Value) bool {
	return !containsAll(setElements(before), setElements(after))
}

// narrows reports whether a set loses an element. An empty set means everything.
func narrows(before, after cty.Value) bool {
	from, to := setElements(before), setElements(after)
	return len(to) > 0 && (len(from) == 0 || !containsAll(to, from))
}

// setElements returns the elements of a set as references. A string is a list whose
// elements are separated by commas or line breaks.
func setElements(v cty.Value) (list []*schema.Ref) {
	switch {
	case v.IsNull():
	case v.Type() == cty.String:
		for _, word := range strings.FieldsFunc(v.AsString(), func(r rune) bool { return r == ',' || r == '\n' }) {
			list = append(list, &schema.Ref{ID: strings.TrimSpace(word)})
		}
	case schema.Refs(v) != nil:
		return schema.Refs(v)
	case v.CanIterateElements():
		for _, item := range v.Elements() {
			list = append(list, &schema.Ref{ID: wordOf(item)})
		}
	}
	return list
}

// containsAll reports whether a list has all elements of another.
func containsAll(list, of []*schema.Ref) bool {
	return !slices.ContainsFunc(of, func(r *schema.Ref) bool { return !slices.ContainsFunc(list, r.Same) })
}

// wordOf returns a string as it is, and anything else in its canonical text. Null is "".
func wordOf(v cty.Value) string {
	switch {
	case v.IsNull():
		return ""
	case v.Type() == cty.String:
		return v.AsString()
	}
	return schema.Encode(v)
}

func isNumber(v cty.Value) bool { return !v.IsNull() && v.Type() == cty.Number }

func isLess(x, y cty.Value) bool { return isNumber(x) && isNumber(y) && x.LessThan(y).True() }

// The options of attributes that several kinds have.
var (
	opensToViewers    = OpensAlong("private", "internal", "public")
	opensFeature      = OpensAlong("disabled", "private", "enabled", "public")
	opensByProtection = OpensAlong("2", "4", "3", "1", "0") // levels of default_branch_protection
)
