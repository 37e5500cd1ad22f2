package rewrite

import (
	"maps"
	"slices"

	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

// entries changes an object that is written key by key.
func (r *rewriting) entries(e *hclsyntax.ObjectConsExpr, wants map[string]cty.Value) (why string) {
	b, keys, why := r.object(e)
	if why != "" {
		return why
	}
	for i, item := range e.Items {
		want, is := wants[keys[i]]
		delete(wants, keys[i])
		switch {
		case is && !want.IsNull():
			why = r.set(item.ValueExpr, want)
		case r.partial:
		default:
			if was, _ := constant(item.ValueExpr); was == cty.NilVal || !was.IsNull() {
				b.gone[i] = true
			}
		}
		if why != "" {
			return why
		}
	}
	for _, key := range slices.Sorted(maps.Keys(wants)) {
		if !wants[key].IsNull() {
			b.come = append(b.come, quotedLike(e, r.src, key)+" = "+inline(wants[key]))
		}
	}
	return r.alter(b)
}

// object is the outline of an object, and its keys.
func (r *rewriting) object(e *hclsyntax.ObjectConsExpr) (b bracket, keys []string, why string) {
	b = bracket{open: e.OpenRange.Start.Byte, close: e.SrcRange.End.Byte - 1, gone: map[int]bool{}}
	for _, item := range e.Items {
		key, why := constant(item.KeyExpr)
		if why != "" || key.IsNull() || key.Type() != cty.String {
			return b, nil, "one of its keys is an expression"
		}
		keys = append(keys, key.AsString())
		b.items = append(b.items, span{item.KeyExpr.Range().Start.Byte, item.ValueExpr.Range().End.Byte})
	}
	return b, keys, ""
}

// quotedLike writes a key as those beside it are written, in quotes or without.
func quotedLike(e *hclsyntax.ObjectConsExpr, src []byte, key string) string {
	for _, item := range e.Items {
		if src[item.KeyExpr.Range().Start.Byte] != '"' {
			return label(key)
		}
	}
	if len(e.Items) > 0 {
		return quoted(key)
	}
	return label(key)
}
