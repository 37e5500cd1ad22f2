package config

import (
	"errors"
	"fmt"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"hew/reconcile/addr"
	"hew/reconcile/didyoumean"
	"hew/schema"
	"hew/schema/pattern"
)

// convertArgument converts what an expression returned to a value of the attribute.
// unknown holds, by [Part], the declared instances that unknown parts of the value will
// refer to.
func (d *decoder) convertArgument(a *schema.Attr, raw cty.Value,
	from *instanceSet) (v cty.Value, unknown map[string]addr.Instance, err error) {
	if a.ManyRefs() {
		return d.resolveReferences(a, raw, from)
	}
	v, self := stripOrigins(raw, from)
	if a.RefKind() != "" {
		if self == nil && !v.IsKnown() {
			self = elementOrigin(d.probeOrigins(a), 0)
			from.addOptional(self)
		}
		if v, self, err = d.resolveReference(a, v, raw, self, from); err != nil {
			return v, nil, err
		}
	}
	if k := d.node.block.Kind; k.Set != nil && k.Set.Attr == a.Name && d.node.block.Addr.Mode == addr.Resource {
		return v, nil, nil // expandSet checks each entry
	}
	if v, err = convertValue(a, v, attrShape(a)); err == nil && a.RefKind() != "" && self != nil && !v.IsWhollyKnown() {
		unknown = map[string]addr.Instance{a.Name: *self}
	}
	return v, unknown, err
}

// convertValue converts v to the attribute's type, checks it if it is known, and marks
// secrets. A null of any type states nothing.
func convertValue(a *schema.Attr, v cty.Value, s *shape) (cty.Value, error) {
	if v.IsNull() {
		return cty.NullVal(cty.DynamicPseudoType), nil
	}
	secret := schema.IsSecret(v)
	if secret && (a.RefKind() != "" || a.Named) {
		return v, errSensitive
	}
	if err := s.check(v, nil); err != nil {
		return v, err
	}
	if a.Partial() {
		v = joinLists(v)
	}
	if a.Type != cty.NilType {
		out, err := schema.Convert(v, a.Type)
		if err != nil {
			return v, typeError(v.Type(), a.Type, err)
		}
		v = out
	}
	if err := checkComplete(v); err != nil {
		return v, err
	}
	v = markHidden(a, v)
	if err := checkMask(a, v); err != nil {
		return v, err
	}
	if a.Accepts.Check != nil && v.IsWhollyKnown() {
		if err := a.Accepts.Check(a.Complete(v)); err != nil {
			if secret || a.IsSecret() {
				// the reason may quote the value
				err = errors.New(strings.TrimSpace("the sensitive value is not valid. " + a.Accepts.Doc))
			} else if hint := suggestWord(a, v); hint != "" {
				err = fmt.Errorf("%w.%s", err, hint)
			}
			return v, err
		}
	}
	if a.IsSecret() && !v.HasMark(schema.Secret) {
		v = v.Mark(schema.Secret)
	}
	return v, nil
}

// suggestWord returns the word that a misspelt value probably stands for, as a sentence to
// append.
func suggestWord(a *schema.Attr, v cty.Value) string {
	v, _ = v.Unmark()
	if v.Type() != cty.String || len(a.Accepts.Words) == 0 {
		return ""
	}
	return didyoumean.Hint(v.AsString(), a.Accepts.Words)
}

// joinLists replaces each list in a map of strings with a string that joins its elements
// with commas, and drops nulls.
func joinLists(v cty.Value) cty.Value {
	bare, marks := v.Unmark()
	if t := bare.Type(); !bare.IsKnown() || bare.IsNull() || !t.IsObjectType() && !t.IsMapType() {
		return v
	}
	items := map[string]cty.Value{}
	for key, item := range bare.AsValueMap() {
		inner, own := item.UnmarkDeep()
		list, err := schema.Convert(inner, cty.List(cty.String))
		switch {
		case inner.IsNull():
			continue
		case err != nil || !inner.CanIterateElements() && inner.IsKnown():
		case !list.IsWhollyKnown():
			item = cty.UnknownVal(cty.String).WithMarks(own)
		default:
			var texts []string
			for _, text := range list.AsValueSlice() {
				if !text.IsNull() {
					texts = append(texts, text.AsString())
				}
			}
			item = cty.StringVal(strings.Join(texts, ",")).WithMarks(own)
		}
		items[key] = item
	}
	return cty.ObjectVal(items).WithMarks(marks)
}

// markHidden marks the values of the map's hidden keys as secret.
func markHidden(a *schema.Attr, v cty.Value) cty.Value {
	bare, marks := v.Unmark()
	if len(a.HiddenKeys()) == 0 || !bare.IsKnown() || bare.IsNull() || bare.LengthInt() == 0 {
		return v
	}
	items := bare.AsValueMap()
	for key, item := range items {
		if a.Hides(key, item) {
			items[key] = item.Mark(schema.Secret)
		}
	}
	return cty.MapVal(items).WithMarks(marks)
}

// maskText matches what is shown in the place of a secret, by hew, hosts and Terraform.
var maskText = pattern.Lazy(`(?i)^\s*(\[?(\*{3,}|•{3,})\]?|` +
	`[(<\[](secret|sensitive|sensitive value|masked|redacted|filtered)[)>\]])\s*$`)

// checkMask refuses a mask as the value of a secret: it was copied from a page or a plan, and would
// replace the secret.
func checkMask(a *schema.Attr, v cty.Value) error {
	isMask := func(v cty.Value) bool {
		v, _ = v.Unmark()
		return v.Type() == cty.String && v.IsKnown() && !v.IsNull() && maskText().MatchString(v.AsString())
	}
	bare, _ := v.Unmark()
	switch {
	case a.IsSecret() && isMask(v):
		return errMask
	case len(a.HiddenKeys()) == 0 || !bare.IsKnown() || bare.IsNull() || !bare.CanIterateElements():
		return nil
	}
	for key, item := range bare.AsValueMap() {
		if schema.IsSecret(item) && isMask(item) {
			return fmt.Errorf("%s: %w", key, errMask)
		}
	}
	return nil
}

var errMask = errors.New("the value is what pages and plans show in the place of a secret, not a secret. Write the " +
	"secret itself, or leave the argument out to keep the one that is set")

var errSensitive = errors.New(
	"must not be sensitive, because plans, logs and the ledger show it. If it is not a secret, use nonsensitive()")

var errNullElement = errors.New(
	"must not have a null element. Remove it, or filter it out: [for x in LIST : x if x != null]")

// checkComplete reports values that no host can store: infinite numbers, and nulls in
// lists and sets.
func checkComplete(v cty.Value) error {
	v, _ = v.Unmark()
	t := v.Type()
	switch {
	case v.IsNull() || !v.IsKnown():
	case t == cty.Number && v.AsBigFloat().IsInf():
		return errors.New("must be a finite number; the expression divides by zero")
	case t.IsCollectionType() || t.IsObjectType() || t.IsTupleType():
		row := t.IsListType() || t.IsSetType()
		for _, item := range v.Elements() {
			if row && item.IsKnown() && item.IsNull() {
				return errNullElement
			}
			if err := checkComplete(item); err != nil {
				return err
			}
		}
	}
	return nil
}
