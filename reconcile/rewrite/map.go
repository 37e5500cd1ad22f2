package rewrite

import (
	"maps"
	"slices"

	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

// setObject changes an object constructor to the wanted fields.
func (r *rewriter) setObject(e *hclsyntax.ObjectConsExpr, wants map[string]cty.Value) (why string) {
	b, keys, why := r.objectElements(e)
	if why != "" {
		return why
	}
	for i, item := range e.Items {
		want, is := wants[keys[i]]
		delete(wants, keys[i])
		switch {
		case is && !want.IsNull():
			why = r.set(item.ValueExpr, want)
		case r.keepOtherKeys:
		default:
			if was, _ := literalValue(item.ValueExpr); was == cty.NilVal || !was.IsNull() {
				b.removed[i] = true
			}
		}
		if why != "" {
			return why
		}
	}
	for _, key := range slices.Sorted(maps.Keys(wants)) {
		if !wants[key].IsNull() {
			b.added = append(b.added, keyLike(e, r.src, key)+" = "+oneLine(wants[key]))
		}
	}
	return r.changeElements(b)
}

// objectElements returns the outline of an object constructor and its keys.
func (r *rewriter) objectElements(e *hclsyntax.ObjectConsExpr) (b elements, keys []string, why string) {
	b = elements{open: e.OpenRange.Start.Byte, close: e.SrcRange.End.Byte - 1, removed: map[int]bool{}}
	for _, item := range e.Items {
		key, why := literalValue(item.KeyExpr)
		if why != "" || key.IsNull() || key.Type() != cty.String {
			return b, nil, "one of its keys is an expression"
		}
		keys = append(keys, key.AsString())
		b.items = append(b.items, span{item.KeyExpr.Range().Start.Byte, item.ValueExpr.Range().End.Byte})
	}
	return b, keys, ""
}

// keyLike returns a key in the style of the other keys, with quotes or without.
func keyLike(e *hclsyntax.ObjectConsExpr, src []byte, key string) string {
	for _, item := range e.Items {
		if src[item.KeyExpr.Range().Start.Byte] != '"' {
			return objectKey(key)
		}
	}
	if len(e.Items) > 0 {
		return quote(key)
	}
	return objectKey(key)
}
