package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"hew/reconcile/report/prose"
	"hew/schema"
)

// Long values are not printed twice: only what differs between them is. The
// limits are in columns, and say from where on an arrow reads badly.
const (
	longText = 40
	LongLine = 60
	longList = 100 // that stands alone, without an arrow
	wide     = 80  // of a value that has a place of its own
	manyNew  = 25  // elements of something new that are printed
)

// difference is a change of value for people: on one line where that reads
// well, else a summary and the lines below it.
type difference struct {
	Value string
	Words Words // that value holds with their marks
	Body  []DiffLine
	Arrow Arrow // where value is one
}

// Arrow is a change from one value to another, as far as each goes on a line.
type Arrow struct{ From, To string }

func (a Arrow) String() string { return a.From + " -> " + a.To }

// with is the difference that is an arrow, and what else is to be said of it.
func (a Arrow) with(remark string) difference {
	return difference{Value: a.String() + remark, Arrow: a}
}

// differenceOf renders the change of an attribute.
func differenceOf(a *schema.Attr, before, after cty.Value) difference {
	if a.Show != nil {
		return Arrow{spell(a, before), spell(a, after)}.with("")
	}
	return compareValues(before, after)
}

func compareValues(before, after cty.Value) difference {
	arrow := Arrow{Literal(before), Literal(after)}
	if x, y, ok := texts(before, after); ok {
		return textDifference(x, y, arrow)
	}
	listed, lists := iterable(before), iterable(after)
	switch {
	case keyed(before) && keyed(after):
		return fieldDifference(before.AsValueMap(), after.AsValueMap(), arrow)
	case prose.Columns(arrow.String()) <= LongLine:
	case listed && lists && before.LengthInt() > 0 && after.LengthInt() > 0:
		x, y := entries(before), entries(after)
		lines := DiffTokens(x, y)
		sum := tally(lines, "element")
		if slices.Equal(slices.Sorted(slices.Values(x)), slices.Sorted(slices.Values(y))) {
			sum = prose.Count(len(y), "element") + " in another order"
		}
		return difference{Value: sum, Body: fold(lines, 0)}
	case lists && after.LengthInt() > 0: // from nothing, or from a secret
		return difference{Value: Literal(before) + " -> " + prose.Count(after.LengthInt(), "element"), Body: elements('+', after, 0)}
	case listed:
		return difference{Value: prose.Count(before.LengthInt(), "element") + " -> " + Literal(after), Body: elements('-', before, 0)}
	}
	return arrow.with("")
}

// fieldDifference compares maps and objects key by key.
func fieldDifference(before, after map[string]cty.Value, arrow Arrow) difference {
	keys := map[string]bool{}
	for _, fields := range []map[string]cty.Value{before, after} {
		for k, v := range fields {
			keys[k] = keys[k] || !isNull(v)
		}
	}
	var lines []DiffLine
	for _, k := range slices.Sorted(maps.Keys(keys)) {
		x, had := before[k]
		y, has := after[k]
		switch {
		case !keys[k]: // null or not there, which is the same
		case !had:
			lines = append(lines, element('+', label(k), y, 0)...)
		case !has:
			lines = append(lines, element('-', label(k), x, 0)...)
		case alike(x, y):
			lines = append(lines, DiffLine{Op: ' ', Text: label(k) + Literal(x)})
		default:
			d := compareValues(x, y)
			if schema.IsSecret(x) && schema.IsSecret(y) {
				d = difference{Value: Secret}
			}
			head := DiffLine{Op: '~', Text: label(k) + d.Value, Label: label(k), Words: d.Words, Arrow: d.Arrow}
			if d.Body != nil {
				head.Text = heading(label(k), d.Value)
			}
			lines = append(lines, head)
			for _, l := range d.Body {
				l.Depth++
				lines = append(lines, l)
			}
		}
	}
	if !slices.ContainsFunc(lines, func(l DiffLine) bool { return l.Op != ' ' }) {
		return arrow.with("") // a form of the same
	}
	return difference{Value: tally(lines, "element"), Body: fold(lines, 0)}
}

// alike tells whether two elements are the same for all that may be said of
// them: secrets never are.
func alike(x, y cty.Value) bool {
	return !schema.IsSecret(x) && !schema.IsSecret(y) && x.IsWhollyKnown() && y.IsWhollyKnown() && Literal(x) == Literal(y)
}

// stated renders the value of something new.
func stated(a *schema.Attr, v cty.Value) difference {
	if _, s, ok := texts(cty.NullVal(cty.String), v); ok && !a.Secret && a.Show == nil && multiline(s) {
		lines := signed('+', heredoc(s))
		return difference{Value: prose.Count(len(lines), "line"), Body: lines}
	}
	plain := spell(a, v)
	if prose.Columns(plain) > longList && iterable(v) {
		lines := elements('+', v, 0)
		n := v.LengthInt()
		if n > manyNew {
			lines = firstOf(lines, manyNew)
			lines = append(lines, DiffLine{Op: '…', Text: fmt.Sprintf("%d more", n-manyNew)})
		}
		return difference{Value: prose.Count(n, "element"), Body: lines}
	}
	return difference{Value: plain}
}

// firstOf cuts lines off after a number of elements.
func firstOf(lines []DiffLine, n int) []DiffLine {
	for i, l := range lines {
		if l.Depth > 0 {
			continue
		}
		if n--; n < 0 {
			return lines[:i:i]
		}
	}
	return lines
}

// elements are the lines of a collection of which all comes or goes.
func elements(op rune, v cty.Value, depth int) []DiffLine {
	var lines []DiffLine
	for k, e := range v.Elements() {
		name := ""
		if keyed(v) {
			name = label(k.AsString())
		}
		lines = append(lines, element(op, name, e, depth)...)
	}
	return lines
}

// element is the line of one element, and where that would be long, a line for
// each thing in it.
func element(op rune, name string, v cty.Value, depth int) []DiffLine {
	text := name + Literal(v)
	if !iterable(v) || prose.Columns(text) <= LongLine {
		return []DiffLine{{Op: op, Text: text, Depth: depth, Label: name}}
	}
	head := DiffLine{Op: op, Text: heading(name, prose.Count(v.LengthInt(), "element")), Depth: depth, Label: name}
	return append([]DiffLine{head}, elements(op, v, depth+1)...)
}

// label is what stands before an element that has a key.
func label(key string) string {
	if hclsyntax.ValidIdentifier(key) {
		return key + " = "
	}
	return prose.Quote(key) + " = "
}

// heading is the line above the elements of something that has a label.
func heading(label, sum string) string {
	if name, ok := strings.CutSuffix(label, " = "); ok {
		return name + ": " + sum
	}
	return sum
}

// texts returns two strings, null as "", if both values are known strings and
// not both null.
func texts(before, after cty.Value) (x, y string, ok bool) {
	read := func(v cty.Value) (string, bool) {
		switch {
		case v == cty.NilVal || v.IsMarked() || !v.IsKnown():
			return "", false
		case v.IsNull():
			return "", true
		case v.Type() != cty.String:
			return "", false
		}
		return v.AsString(), true
	}
	x, okX := read(before)
	y, okY := read(after)
	return x, y, okX && okY && cmp.Or(x, y) != ""
}

func iterable(v cty.Value) bool {
	return v != cty.NilVal && !v.IsMarked() && v.IsKnown() && !v.IsNull() && v.CanIterateElements()
}

// keyed tells whether a value is a map or an object whose elements can be told.
func keyed(v cty.Value) bool {
	return iterable(v) && (v.Type().IsObjectType() || v.Type().IsMapType())
}

func isNull(v cty.Value) bool { return v == cty.NilVal || v.IsKnown() && v.IsNull() }
