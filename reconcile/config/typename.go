package config

import (
	"errors"
	"fmt"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"hew/reconcile/didyoumean"
)

// typeName returns a type in the words of error messages.
func typeName(t cty.Type) string {
	switch {
	case t == cty.String:
		return "a string"
	case t == cty.Number:
		return "a number"
	case t == cty.Bool:
		return "a bool"
	case t.IsObjectType():
		return "an object"
	case t.IsTupleType() && t.Length() > 0:
		return fmt.Sprintf("a list of %d", t.Length())
	case t.IsTupleType(), t.IsListType() && t.ElementType() == cty.DynamicPseudoType:
		return "a list"
	case t == cty.DynamicPseudoType, t == cty.NilType:
		return "a value of any type"
	case t.IsListType():
		return "a list of " + pluralTypeName(t.ElementType())
	case t.IsSetType():
		return "a set of " + pluralTypeName(t.ElementType())
	case t.IsMapType():
		return "a map of " + pluralTypeName(t.ElementType())
	}
	return "a " + t.FriendlyName()
}

func pluralTypeName(t cty.Type) string {
	switch one := typeName(t); {
	case t == cty.Bool:
		return "bools"
	case t == cty.DynamicPseudoType:
		return "any type"
	default:
		_, noun, _ := strings.Cut(one, " ")
		noun, of, more := strings.Cut(noun, " of ")
		if more {
			return noun + "s of " + of
		}
		return noun + "s"
	}
}

// typeError returns why a value does not convert from one type to another. err, from the
// conversion, says where in the value.
func typeError(have, want cty.Type, err error) error {
	switch {
	case have != cty.DynamicPseudoType && typeForm(have) != typeForm(want):
		return fmt.Errorf("must be %s, not %s", typeName(want), typeName(withoutLength(have)))
	case want.IsPrimitiveType() && have == cty.String:
		return fmt.Errorf("must be %s; this string cannot be converted", typeName(want))
	}
	var inside cty.PathError
	if errors.As(err, &inside) {
		if path := (Ignore{Path: inside.Path}).String(); path != "" && !strings.Contains(err.Error(), "element ") {
			return fmt.Errorf("must be %s: %s: %w", typeName(want), strings.TrimPrefix(path, "."), err)
		}
	}
	return fmt.Errorf("must be %s: %w", typeName(want), err)
}

// withoutLength returns the type of a literal list without its length.
func withoutLength(t cty.Type) cty.Type {
	if t.IsTupleType() {
		return cty.EmptyTuple
	}
	return t
}

// typeForm returns whether a type is of single values, of sequences, or of named values.
func typeForm(t cty.Type) string {
	switch {
	case t.IsTupleType() || t.IsListType() || t.IsSetType():
		return "row"
	case t.IsObjectType() || t.IsMapType():
		return "named"
	}
	return "one"
}

// typeWords are the words in type constraints.
var typeWords = []string{"any", "bool", "list", "map", "number", "object", "optional", "set", "string", "tuple"}

// explainType adds a suggestion to HCL's errors about type constraints.
func explainType(diags hcl.Diagnostics, source func(hcl.Range) string) hcl.Diagnostics {
	for _, d := range diags {
		if d.Subject == nil || d.Summary != "Invalid type specification" {
			continue
		}
		word := strings.Trim(source(*d.Subject), `"`)
		switch hint := didyoumean.Hint(word, typeWords); {
		case hint != "":
			d.Detail += hint
		default:
			d.Detail += " Supported types are string, number, bool, any, and list(…), set(…), map(…), tuple([…]) " +
				"and object({…}) of these."
		}
	}
	return diags
}
