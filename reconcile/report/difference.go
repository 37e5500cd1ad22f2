package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2/hclsyntax"

	"hew/reconcile/report/prose"
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

// Arrow is a change from one value to another, each shortened to one line.
type Arrow struct{ From, To string }

// String returns the change as it is printed: from -> to.
func (a Arrow) String() string { return a.From + " -> " + a.To }

// with returns the difference that is an arrow, and what else is to be said of it.
func (a Arrow) with(remark string) difference {
	return difference{Value: a.String() + remark, Arrow: a}
}

// difference renders the change of an argument.
func (p Path) difference() difference {
	if p.AfterText != "" {
		return Arrow{p.BeforeText, p.AfterText}.with("")
	}
	return compareValues(p.before(), p.after())
}

func (p Path) before() Value { return Value{plain: p.Before, secret: p.BeforeSecret} }
func (p Path) after() Value  { return Value{p.After, p.Unknown, p.AfterSecret} }

func compareValues(before, after Value) difference {
	arrow := Arrow{before.Literal(), after.Literal()}
	if x, y, ok := texts(before, after); ok {
		return textDifference(x, y, arrow)
	}
	had, has := before.size(), after.size()
	switch {
	case before.fields() != nil && after.fields() != nil:
		return fieldDifference(before, after, arrow)
	case prose.Columns(arrow.String()) <= LongLine:
	case had > 0 && has > 0:
		x, y := before.entries(), after.entries()
		lines := DiffTokens(x, y)
		sum := tally(lines, "element")
		if slices.Equal(slices.Sorted(slices.Values(x)), slices.Sorted(slices.Values(y))) {
			sum = prose.Count(len(y), "element") + " reordered"
		}
		return difference{Value: sum, Body: fold(lines, 0)}
	case has > 0: // from nothing, or from a secret
		return difference{Value: arrow.From + " -> " + prose.Count(has, "element"), Body: elements('+', after, 0)}
	case had >= 0:
		return difference{Value: prose.Count(had, "element") + " -> " + arrow.To, Body: elements('-', before, 0)}
	}
	return arrow.with("")
}

// fieldDifference compares maps and objects key by key.
func fieldDifference(before, after Value, arrow Arrow) difference {
	keys := map[string]bool{}
	for _, v := range []Value{before, after} {
		for k, e := range v.elements() {
			keys[k] = keys[k] || !e.isNull()
		}
	}
	var lines []DiffLine
	for _, k := range slices.Sorted(maps.Keys(keys)) {
		_, had := before.fields()[k]
		_, has := after.fields()[k]
		x, y := before.field(k), after.field(k)
		switch {
		case !keys[k]: // null or not there, which is the same
		case !had:
			lines = append(lines, element('+', label(k), y, 0)...)
		case !has:
			lines = append(lines, element('-', label(k), x, 0)...)
		case alike(x, y):
			lines = append(lines, DiffLine{Op: ' ', Text: label(k) + x.Literal()})
		default:
			d := compareValues(x, y)
			if x.isSecret() && y.isSecret() {
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

// alike reports whether two elements are known to be the same. Secrets never are.
func alike(x, y Value) bool {
	return !x.isSecret() && !y.isSecret() && x.isKnown() && y.isKnown() && x.Literal() == y.Literal()
}

// stated renders the value of something new.
func (p Path) stated() difference {
	v := p.after()
	switch s, isText := p.After.(string); {
	case p.Secret:
		return difference{Value: Secret}
	case p.AfterText != "":
		return difference{Value: p.AfterText}
	case isText && v.isKnown() && multiline(s):
		lines := signed('+', heredoc(s))
		return difference{Value: prose.Count(len(lines), "line"), Body: lines}
	}
	plain := v.Literal()
	if n := v.size(); prose.Columns(plain) > longList && n >= 0 {
		lines := elements('+', v, 0)
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

// elements returns the lines of a collection that is added or removed as a whole.
func elements(op rune, v Value, depth int) []DiffLine {
	var lines []DiffLine
	for k, e := range v.elements() {
		name := ""
		if v.fields() != nil {
			name = label(k)
		}
		lines = append(lines, element(op, name, e, depth)...)
	}
	return lines
}

// element returns the line of one element, and where that would be long, a line for
// each thing in it.
func element(op rune, name string, v Value, depth int) []DiffLine {
	text := name + v.Literal()
	if v.size() < 0 || prose.Columns(text) <= LongLine {
		return []DiffLine{{Op: op, Text: text, Depth: depth, Label: name}}
	}
	head := DiffLine{Op: op, Text: heading(name, prose.Count(v.size(), "element")), Depth: depth, Label: name}
	return append([]DiffLine{head}, elements(op, v, depth+1)...)
}

// label returns what stands before an element that has a key.
func label(key string) string {
	if hclsyntax.ValidIdentifier(key) {
		return key + " = "
	}
	return prose.Quote(key) + " = "
}

// heading returns the line above the elements of something that has a label.
func heading(label, sum string) string {
	if name, ok := strings.CutSuffix(label, " = "); ok {
		return name + ": " + sum
	}
	return sum
}

// texts returns two strings, null as "", if both values are known strings and
// not both null.
func texts(before, after Value) (x, y string, ok bool) {
	read := func(v Value) (string, bool) {
		text, isText := v.plain.(string)
		return text, isText && v.unknown == nil || v.isNull()
	}
	x, okX := read(before)
	y, okY := read(after)
	return x, y, okX && okY && cmp.Or(x, y) != ""
}
