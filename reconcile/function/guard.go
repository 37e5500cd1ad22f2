package function

import (
	"errors"
	"fmt"

	"github.com/hashicorp/hcl/v2/ext/customdecode"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"

	"hew/schema"
)

// guard wraps a function so that its errors never show a secret argument, and so that an
// unknown result has the marks of all arguments, without identifying any of their origins.
// The result has the type that f returns. The elements of arguments count as work.
func guard(f function.Function, work *Work) function.Function {
	outer := &function.Spec{
		Params: f.Params(), VarParam: f.VarParam(),
		Type: function.StaticReturnType(cty.DynamicPseudoType),
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
			if work.addArguments(args) {
				return cty.NilVal, work.Err()
			}
			v, err := callConverted(f, args)
			if err != nil {
				return cty.NilVal, redactError(err, args)
			}
			if !v.IsKnown() && !changesSecrecy(f) {
				v = inheritMarks(v, args)
			}
			return v, nil
		},
	}
	for i := range outer.Params {
		acceptAny(&outer.Params[i])
	}
	if outer.VarParam != nil {
		acceptAny(outer.VarParam)
	}
	return function.New(outer)
}

// acceptAny makes a parameter accept any value, so that f checks it: even conversion
// errors would show keys of maps.
func acceptAny(p *function.Parameter) {
	if !p.Type.IsCapsuleType() { // expressions and types are not values
		p.Type = cty.DynamicPseudoType
	}
	p.AllowNull, p.AllowUnknown, p.AllowDynamicType, p.AllowMarked = true, true, true, true
}

// callConverted converts the arguments and calls f, as HCL does for functions that it
// calls directly.
func callConverted(f function.Function, args []cty.Value) (cty.Value, error) {
	params := f.Params()
	converted := make([]cty.Value, len(args))
	for i, a := range args {
		p := f.VarParam()
		if i < len(params) {
			p = &params[i]
		}
		v, err := schema.Convert(a, p.Type)
		if err != nil {
			return cty.NilVal, function.NewArgError(i, err)
		}
		converted[i] = v
	}
	return f.Call(converted)
}

// Derivable is a mark that changes on values made of the marked one: they have the mark
// that Derived returns.
type Derivable interface{ Derived() any }

// inheritMarks adds the marks of all arguments to v.
func inheritMarks(v cty.Value, args []cty.Value) cty.Value {
	for _, a := range args {
		for m := range marksOf(a) {
			if d, ok := m.(Derivable); ok {
				m = d.Derived()
			}
			v = v.Mark(m)
		}
	}
	return v
}

// changesSecrecy reports whether the purpose of a function is to change the mark of a
// secret.
func changesSecrecy(f function.Function) bool { return f == nonsensitive || f == issensitive }

// marksOf returns the marks on a value and inside it. For an expression argument they are
// those of its value.
func marksOf(v cty.Value) cty.ValueMarks {
	v, marks := v.UnmarkDeep()
	if v.Type().Equals(customdecode.ExpressionClosureType) && v.IsKnown() {
		inner, _ := customdecode.ExpressionClosureFromVal(v).Value()
		return marksOf(inner)
	}
	return marks
}

var errSecret = errors.New(
	"the details are hidden, because one of the arguments is sensitive. Check the value at its source")

// redactable is an error that can leave out its details.
type redactable interface{ redacted() error }

// redactError returns an error without secrets.
func redactError(err error, args []cty.Value) error {
	secret := false
	for _, a := range args {
		secret = secret || schema.IsSecret(a)
	}
	var at function.ArgError
	var panicked function.PanicError
	var c redactable
	switch {
	case secret && errors.As(err, &c) && !schema.IsSecret(args[0]):
		return c.redacted()
	case secret && errors.As(err, &at):
		return function.NewArgError(at.Index, errSecret)
	case secret:
		return errSecret
	case errors.As(err, &panicked): // leave out the stack
		return fmt.Errorf("%v", panicked.Value)
	}
	return err
}
