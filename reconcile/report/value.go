package report

import (
	"encoding/json"
	"iter"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"hew/reconcile/report/prose"
	"hew/schema"
)

// Replacements for values that cannot be shown.
const (
	// Secret stands for what may not be shown.
	Secret  = "(secret)"
	unknown = "(known after apply)"
)

// spell writes the value of an argument as configuration would, so that what
// people read in a plan can be pasted into a file. Secrets and unknown values are
// shown as such.
func spell(a *schema.Attr, v cty.Value) string {
	switch {
	case a.IsSecret() || v.IsMarked():
		return Secret
	case v.IsKnown() && !v.IsNull() && a.Show != nil && !schema.IsSecret(v):
		return prose.Clean(a.Show(v))
	}
	return ValueOf(v).Literal()
}

// Literal returns the HCL form of a value.
func (v Value) Literal() string {
	if v.secret == true {
		return Secret
	}
	switch p := v.plain.(type) {
	case bareReference:
		return prose.Clean(string(p))
	case pathReference:
		return prose.Quote(string(p))
	}
	if v.unknown == true {
		if text, ok := v.plain.(string); ok { // the address of an object to be created
			return prose.Clean(text)
		}
		return unknown
	}
	switch p := v.plain.(type) {
	case bool:
		return strconv.FormatBool(p)
	case json.Number:
		return numeral(p)
	case string:
		if plainText(p) {
			return `"` + p + `"`
		}
		return prose.Quote(p)
	case map[string]any:
		if fields := v.entries(); len(fields) > 0 {
			return "{ " + strings.Join(fields, ", ") + " }"
		}
		return "{}"
	case []any:
		return "[" + strings.Join(v.entries(), ", ") + "]"
	}
	return "null"
}

// numeral returns a number without zeros at its end and without an exponent.
func numeral(n json.Number) string {
	if !strings.ContainsAny(n.String(), ".eE") {
		return n.String()
	}
	v, err := cty.ParseNumberVal(n.String())
	if err != nil {
		return prose.Clean(n.String())
	}
	return v.AsBigFloat().Text('f', -1)
}

// plainText reports whether a text is written in HCL as it is, as most are.
func plainText(s string) bool {
	for _, r := range []byte(s) {
		if r < ' ' || r > '~' || strings.IndexByte("\"\\$%", r) >= 0 {
			return false
		}
	}
	return true
}

// isSecret reports whether any of a value may not be shown.
func (v Value) isSecret() bool { return v.secret != nil }

// isNull reports whether the value is known to be null.
func (v Value) isNull() bool { return v.plain == nil && v.secret != true && v.unknown != true }

// isKnown reports whether the whole value is known. The address of an object to be created counts
// as known.
func (v Value) isKnown() bool {
	if v.unknown == nil {
		return true
	}
	switch v.plain.(type) {
	case bareReference, string:
		return true
	}
	for _, e := range v.elements() {
		if !e.isKnown() {
			return false
		}
	}
	return v.unknown != true
}

// fields returns the elements of a value that has keys, else nil.
func (v Value) fields() map[string]any {
	fields, _ := v.plain.(map[string]any)
	return fields
}

// size returns the number of elements of a value, or -1 if it is not a collection.
func (v Value) size() int {
	switch p := v.plain.(type) {
	case map[string]any:
		return len(p)
	case []any:
		return len(p)
	}
	return -1
}

// elements yields the elements of a list or a map, whose keys are sorted; a list has "".
func (v Value) elements() iter.Seq2[string, Value] {
	return func(yield func(string, Value) bool) {
		switch p := v.plain.(type) {
		case []any:
			for i, e := range p {
				if !yield("", Value{e, partAt(v.unknown, i), partAt(v.secret, i)}) {
					return
				}
			}
		case map[string]any:
			for _, k := range slices.Sorted(maps.Keys(p)) {
				if !yield(k, v.field(k)) {
					return
				}
			}
		}
	}
}

func (v Value) field(key string) Value {
	return Value{v.fields()[key], partOf(v.unknown, key), partOf(v.secret, key)}
}

// entries returns the elements of a collection in HCL, "key = value" for those
// that have keys.
func (v Value) entries() []string {
	all := make([]string, 0, max(0, v.size()))
	for k, e := range v.elements() {
		if v.fields() != nil {
			all = append(all, label(k)+e.Literal())
		} else {
			all = append(all, e.Literal())
		}
	}
	return all
}

// Pretty is Literal for a place with room, which begins at a column: over several lines where one
// would be long.
func (v Value) Pretty(indent int) string {
	plain := v.Literal()
	margin := strings.Repeat(" ", indent)
	text, isText := v.plain.(string)
	switch {
	case v.size() >= 0 && indent+prose.Columns(plain) > wide:
		var b strings.Builder
		b.WriteString(plain[:1] + "\n")
		for k, e := range v.elements() {
			b.WriteString(margin + "  ")
			if v.fields() != nil {
				b.WriteString(label(k) + e.Pretty(indent+2) + "\n")
			} else {
				b.WriteString(e.Pretty(indent+2) + ",\n")
			}
		}
		return b.String() + margin + plain[len(plain)-1:]
	case isText && v.unknown != true && multiline(text) && strings.HasSuffix(text, "\n"):
		return "<<-EOT\n" + margin + "  " + strings.Join(heredoc(text), "\n"+margin+"  ") + "\n" + margin + "EOT"
	}
	return plain
}

// heredoc writes a text as the lines of an HCL heredoc, where only template
// introducers are escaped.
func heredoc(s string) []string {
	lines := strings.Split(strings.TrimSuffix(s, "\n"), "\n")
	for i, l := range lines {
		l = strings.NewReplacer("${", "$${", "%{", "%%{").Replace(l)
		lines[i] = prose.Clean(l)
	}
	return lines
}

// Literal returns the value of an output as configuration would write it.
func (o Output) Literal() string { return o.shown().Literal() }

// Pretty returns Literal for a place with room, which begins at a column.
func (o Output) Pretty(indent int) string { return o.shown().Pretty(indent) }

func (o Output) shown() Value {
	if o.Sensitive {
		return Value{secret: true}
	}
	return Value{o.Value, o.Unknown, o.Secret}
}
