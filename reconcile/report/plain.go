package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/zclconf/go-cty/cty"

	"hew/reconcile/report/prose"
	"hew/schema"
)

// Value is a value in JSON's own types, as a document has it. Null stands for what is null, secret
// or not known yet; the parts say where it is secret or unknown. References are texts of a type of
// their own.
type Value struct {
	plain           any
	unknown, secret parts
}

// parts says which parts of a value have a property: nil for none, true for all of it, else the
// shape of the value down to these parts. Objects omit the other parts, lists have false for them.
type parts any

// A reference to an object: by its path, which is written as a text, or by its address or id, which
// are not.
type (
	pathReference string
	bareReference string
)

// ValueOf returns the form of a value that documents have.
func ValueOf(v cty.Value) Value {
	switch {
	case v == cty.NilVal:
		return Value{}
	case v.IsMarked():
		return Value{secret: true}
	case !v.IsKnown():
		return Value{unknown: true}
	case v.IsNull():
		return Value{}
	}
	if r := schema.AsRef(v); r != nil {
		if r.Path != "" {
			return Value{plain: pathReference(r.Path)}
		}
		p := Value{plain: bareReference(r.String())}
		if r.ID == "" {
			p.unknown = true
		}
		return p
	}
	switch {
	case keyed(v):
		fields, unknown, secrets := map[string]any{}, map[string]any{}, map[string]any{}
		for k, e := range v.Elements() {
			p := ValueOf(e)
			fields[k.AsString()] = p.plain
			if p.unknown != nil {
				unknown[k.AsString()] = p.unknown
			}
			if p.secret != nil {
				secrets[k.AsString()] = p.secret
			}
		}
		return Value{fields, fieldParts(unknown), fieldParts(secrets)}
	case iterable(v):
		list, unknown, secrets := []any{}, []any{}, []any{}
		for _, e := range v.Elements() {
			p := ValueOf(e)
			list = append(list, p.plain)
			unknown = append(unknown, p.unknown)
			secrets = append(secrets, p.secret)
		}
		return Value{list, listParts(unknown), listParts(secrets)}
	}
	switch v.Type() {
	case cty.String:
		return Value{plain: v.AsString()}
	case cty.Bool:
		return Value{plain: v.True()}
	}
	return Value{plain: json.Number(v.AsBigFloat().Text('f', -1))} // there is no other type
}

func iterable(v cty.Value) bool {
	return v != cty.NilVal && !v.IsMarked() && v.IsKnown() && !v.IsNull() && v.CanIterateElements()
}

// keyed reports whether a value is a map or an object with known elements.
func keyed(v cty.Value) bool {
	return iterable(v) && (v.Type().IsObjectType() || v.Type().IsMapType())
}

func isNull(v cty.Value) bool { return v == cty.NilVal || v.IsKnown() && v.IsNull() }

func fieldParts(fields map[string]any) parts {
	if len(fields) == 0 {
		return nil
	}
	return fields
}

func listParts(list []any) parts {
	some := false
	for i, p := range list {
		some = some || p != nil
		if p == nil {
			list[i] = false
		}
	}
	if !some {
		return nil
	}
	return list
}

// PlainValue returns a value in JSON's own types, and whether any of it is unknown.
func PlainValue(v cty.Value) (value any, unknown bool) {
	p := ValueOf(v)
	return p.plain, p.unknown != nil
}

// referring turns the strings of a value that was read into references, for an argument that has
// references.
func referring(plain any, unknown parts) any {
	switch v := plain.(type) {
	case string:
		if unknown == true {
			return bareReference(v)
		}
		switch r, ok := schema.RefOf(cty.StringVal(v)); {
		case ok && r.Path != "":
			return pathReference(v)
		case ok:
			return bareReference(v)
		}
	case []any:
		for i := range v {
			v[i] = referring(v[i], partAt(unknown, i))
		}
	case map[string]any:
		for k := range v {
			v[k] = referring(v[k], partOf(unknown, k))
		}
	}
	return plain
}

func partAt(p parts, i int) parts {
	if list, ok := p.([]any); ok && i < len(list) && list[i] != false {
		return list[i]
	}
	return nil
}

func partOf(p parts, key string) parts {
	fields, _ := p.(map[string]any)
	return fields[key]
}

// WriteJSON writes a document for people to read as well: indented, with < unescaped and without
// control characters for terminals.
func WriteJSON(w io.Writer, doc any) error {
	text, err := compactJSON(doc)
	if err != nil {
		return err
	}
	return writeCompact(w, text)
}

// compactJSON returns a document on one line.
func compactJSON(doc any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(doc)
	return b.Bytes(), err
}

// writeCompact writes what compactJSON made, as writeJSON does.
func writeCompact(w io.Writer, text []byte) error {
	var b bytes.Buffer
	b.Grow(2 * len(text))
	if err := json.Indent(&b, text, "", "  "); err != nil {
		return err
	}
	_, err := w.Write(escaped(b.Bytes()))
	return err
}

// escaped writes characters that do not print as JSON's \u: encoding/json does
// so for the first few only.
func escaped(document []byte) []byte {
	strange := func(r rune) bool { return r != '\n' && prose.Unprintable(r) }
	foreign := func(b byte) bool { return b >= 0x7f }
	if !slices.ContainsFunc(document, foreign) || !bytes.ContainsFunc(document, strange) {
		return document
	}
	out := make([]byte, 0, len(document))
	for _, r := range string(document) {
		switch {
		case !strange(r):
			out = utf8.AppendRune(out, r)
		case r > 0xFFFF:
			high, low := utf16.EncodeRune(r)
			out = fmt.Appendf(out, `\u%04x\u%04x`, high, low)
		default:
			out = fmt.Appendf(out, `\u%04x`, r)
		}
	}
	return out
}
