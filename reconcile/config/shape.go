package config

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"hew/reconcile/didyoumean"
	"hew/schema"
)

// shape has the keys that objects in a value may have. HCL and cty silently drop or
// overwrite keys that do not fit, so literals are checked in the source, and all other
// values when they are known.
type shape struct {
	fields map[string]*shape // nil for any keys
	elem   *shape            // of the elements of maps, lists and sets
	fold   func(string) string
	secret bool
	hidden []string // keys with secret values
}

// shape returns the attribute's shape, or nil if any value fits.
func (l *loader) shape(k *schema.Kind, a *schema.Attr) *shape {
	s, ok := l.shapes[a]
	if !ok {
		s = shapeOf(l.kinds, k, a)
		l.shapes[a] = s
	}
	return s
}

func shapeOf(kinds schema.Catalog, k *schema.Kind, a *schema.Attr) *shape {
	if k.Set == nil || k.Set.Attr != a.Name {
		return attrShape(a)
	}
	elem := kinds.Resources[k.Set.Element]
	s := &shape{elem: &shape{fields: map[string]*shape{}}, fold: keyFolder(elem.Attr(k.Set.Key))}
	for e := range elem.Arguments() {
		if e != elem.Owner() && e.Name != k.Set.Key {
			f := typeShape(e.Type)
			if e.IsSecret() {
				f = &shape{secret: true}
			}
			s.elem.fields[e.Name] = f
		}
	}
	return s
}

// keyFolder returns a function that makes keys for the same object equal. Names on the
// host ignore case.
func keyFolder(key *schema.Attr) func(string) string {
	return func(s string) string {
		if v := key.Canonical(cty.StringVal(s)); v.IsKnown() && !v.IsNull() && v.Type() == cty.String {
			s = v.AsString()
		}
		if key.RefKind() != "" {
			s = strings.ToLower(s)
		}
		return s
	}
}

// attrShape returns the shape of an attribute's own values.
func attrShape(a *schema.Attr) *shape {
	s := typeShape(a.Type)
	if s != nil {
		s.hidden = a.HiddenKeys()
	}
	return s
}

func typeShape(t cty.Type) *shape {
	switch {
	case t == cty.NilType || t.IsPrimitiveType() || t == cty.DynamicPseudoType:
		return nil
	case t.IsObjectType():
		s := &shape{fields: map[string]*shape{}}
		for name, ft := range t.AttributeTypes() {
			s.fields[name] = typeShape(ft)
		}
		return s
	case t.IsCollectionType():
		return &shape{elem: typeShape(t.ElementType())}
	}
	return nil
}

func (s *shape) keys() []string { return slices.Sorted(maps.Keys(s.fields)) }

// checkLiteral checks the object literals in an expression: unknown keys, duplicate keys,
// and keys that differ only by case.
func (l *loader) checkLiteral(e hcl.Expression, s *shape, k *schema.Kind) {
	if p, ok := e.(*hclsyntax.ParenthesesExpr); ok {
		e = p.Expression
	}
	if items, diags := hcl.ExprList(e); !diags.HasErrors() {
		for _, item := range items {
			l.checkLiteral(item, s.element(), k)
		}
		return
	}
	pairs, diags := hcl.ExprMap(e)
	if diags.HasErrors() {
		return
	}
	seen := map[string]hcl.KeyValuePair{}
	for _, pair := range pairs {
		key, ok := literalKey(pair.Key)
		if !ok {
			l.checkLiteral(pair.Value, s.element(), k)
			continue
		}
		l.checkLiteralItem(pair, key, seen, s, k)
	}
}

func (l *loader) checkLiteralItem(pair hcl.KeyValuePair, key string, seen map[string]hcl.KeyValuePair, s *shape,
	k *schema.Kind) {
	at := pair.Key.Range()
	folded := key
	if s != nil && s.fold != nil {
		folded = s.fold(key)
	}
	if first, ok := seen[folded]; ok {
		l.reportDuplicateKey(first.Key, key, at)
		return
	}
	seen[folded] = pair
	if s == nil || s.fields == nil {
		if s != nil && len(s.hidden) > 0 { // the key may be a misspelt one of those
			l.mask(pair.Value)
		}
		l.checkLiteral(pair.Value, s.element(), k)
		return
	}
	inner, known := s.fields[key]
	if !known {
		l.fail(at, "Unsupported object key", "%s", s.unknownKeyDetail(key, k))
		return
	}
	if inner != nil && inner.secret {
		l.mask(pair.Value)
	}
	l.checkLiteral(pair.Value, inner, k)
}

// checkDuplicateKeys reports duplicate keys of any map, of which HCL keeps the last.
func (r *report) checkDuplicateKeys(pairs []hcl.KeyValuePair) {
	seen := map[string]hcl.Expression{}
	for _, pair := range pairs {
		key, ok := literalKey(pair.Key)
		if first := seen[key]; ok && first != nil {
			r.reportDuplicateKey(first, key, pair.Key.Range())
		} else if ok {
			seen[key] = pair.Key
		}
	}
}

func (r *report) reportDuplicateKey(first hcl.Expression, key string, at hcl.Range) {
	if was, _ := literalKey(first); was != key {
		r.fail(at, "Duplicate key",
			"%q is the same key as %q at %s. Remove one of the two.", key, was, FormatRange(first.Range()))
	} else {
		r.fail(at, "Duplicate key", "%q is already set at %s. Remove one of the two.", key, FormatRange(first.Range()))
	}
}

func (s *shape) unknownKeyDetail(key string, k *schema.Kind) string {
	if k != nil && k.Attr(key) != nil {
		return fmt.Sprintf("%s is an argument of %s itself. Move the line out of the braces.", key, k.Name)
	}
	return fmt.Sprintf(
		"%q is not expected here.%s Expected: %s.", key, didyoumean.Hint(key, s.keys()), orList(s.keys()))
}

func (s *shape) element() *shape {
	if s == nil {
		return nil
	}
	return s.elem
}

func literalKey(e hcl.Expression) (string, bool) {
	v, diags := e.Value(nil)
	if diags.HasErrors() || v.Type() != cty.String || v.IsNull() || !v.IsKnown() {
		return "", false
	}
	return v.AsString(), true
}

// check returns an error for the first key in v that the shape does not have. It does not
// name keys that are made of secrets.
func (s *shape) check(v cty.Value, k *schema.Kind) error { return s.findUnknownKey(v, k, false) }

func (s *shape) findUnknownKey(v cty.Value, k *schema.Kind, secret bool) error {
	secret = secret || v.HasMark(schema.Secret)
	v, _ = v.Unmark()
	t := v.Type()
	if s == nil || v.IsNull() || !v.IsKnown() || !(t.IsObjectType() || t.IsCollectionType() || t.IsTupleType()) {
		return nil
	}
	for key, ev := range v.Elements() {
		inner := s.elem
		if s.fields != nil && (t.IsObjectType() || t.IsMapType()) {
			name := key.AsString()
			f, ok := s.fields[name]
			switch {
			case !ok && secret:
				return fmt.Errorf(
					"one of the keys, which is sensitive, is not expected here. Expected: %s", orList(s.keys()))
			case !ok:
				return errors.New(s.unknownKeyDetail(name, k))
			}
			inner = f
		}
		if err := inner.findUnknownKey(ev, k, secret); err != nil {
			return err
		}
	}
	return nil
}
