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

// plain is a value in JSON's own types. Null stands for what is null, secret or
// not known yet; the other two fields say where it is one of the latter.
type plain struct {
	value           any
	unknown, secret parts
}

// parts tells which parts of a value something is true of: nil for none, true
// for all of it, else the shape of the value down to such parts. Objects leave
// out the others, lists have false for them.
type parts any

// plainOf is the plain form of a value.
func plainOf(v cty.Value) plain {
	switch {
	case v == cty.NilVal:
		return plain{}
	case v.IsMarked():
		return plain{secret: true}
	case !v.IsKnown():
		return plain{unknown: true}
	case v.IsNull():
		return plain{}
	}
	if r := schema.AsRef(v); r != nil {
		p := plain{value: r.String()}
		if r.ID == "" && r.Path == "" {
			p.unknown = true
		}
		return p
	}
	switch {
	case keyed(v):
		fields, unknown, secrets := map[string]any{}, map[string]any{}, map[string]any{}
		for k, e := range v.Elements() {
			p := plainOf(e)
			fields[k.AsString()] = p.value
			if p.unknown != nil {
				unknown[k.AsString()] = p.unknown
			}
			if p.secret != nil {
				secrets[k.AsString()] = p.secret
			}
		}
		return plain{fields, fieldParts(unknown), fieldParts(secrets)}
	case iterable(v):
		list, unknown, secrets := []any{}, []any{}, []any{}
		for _, e := range v.Elements() {
			p := plainOf(e)
			list = append(list, p.value)
			unknown = append(unknown, p.unknown)
			secrets = append(secrets, p.secret)
		}
		return plain{list, listParts(unknown), listParts(secrets)}
	}
	switch v.Type() {
	case cty.String:
		return plain{value: v.AsString()}
	case cty.Bool:
		return plain{value: v.True()}
	}
	return plain{value: json.Number(v.AsBigFloat().Text('f', -1))} // there is no other type
}

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

// PlainValue is a value in JSON's own types, and whether any of it is unknown.
func PlainValue(v cty.Value) (value any, unknown bool) {
	p := plainOf(v)
	return p.value, p.unknown != nil
}

// valueOf reads a plain value back. Lists come as tuples and maps as objects,
// which print alike; a text is a reference where the attribute holds those.
func valueOf(p plain, refers bool) (cty.Value, error) {
	switch text, isText := p.value.(string); {
	case p.secret == true:
		return cty.StringVal("").Mark(schema.Secret), nil
	case p.unknown == true && isText:
		return schema.RefVal(&schema.Ref{Addr: text}), nil
	case p.unknown == true:
		return cty.DynamicVal, nil
	case isText && refers:
		if r, ok := schema.RefOf(cty.StringVal(text)); ok {
			return schema.RefVal(&r), nil
		}
	}
	switch v := p.value.(type) {
	case nil:
		return cty.NullVal(cty.DynamicPseudoType), nil
	case bool:
		return cty.BoolVal(v), nil
	case json.Number:
		return cty.ParseNumberVal(v.String())
	case string:
		return cty.StringVal(v), nil
	case []any:
		all := make([]cty.Value, len(v))
		for i, e := range v {
			var err error
			if all[i], err = valueOf(plain{e, partAt(p.unknown, i), partAt(p.secret, i)}, refers); err != nil {
				return cty.NilVal, err
			}
		}
		return cty.TupleVal(all), nil
	case map[string]any:
		fields := make(map[string]cty.Value, len(v))
		for k, e := range v {
			var err error
			if fields[k], err = valueOf(plain{e, partOf(p.unknown, k), partOf(p.secret, k)}, refers); err != nil {
				return cty.NilVal, err
			}
		}
		return cty.ObjectVal(fields), nil
	}
	return cty.NilVal, fmt.Errorf("a value of type %T", p.value)
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

// WriteJSON writes a document for people to read as well: indented, < as it is,
// and nothing in it that a terminal would obey.
func WriteJSON(w io.Writer, doc any) error {
	text, err := compactJSON(doc)
	if err != nil {
		return err
	}
	return writeCompact(w, text)
}

// compactJSON is a document on one line.
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
