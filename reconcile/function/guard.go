package function

import (
	"errors"
	"fmt"

	"github.com/hashicorp/hcl/v2/ext/customdecode"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
	"github.com/zclconf/go-cty/cty/function"

	"hew/schema"
)

// guard keeps what functions of libraries do not promise to keep: errors never
// tell what is in a secret argument, and what is not known yet carries the
// marks of all that it may come from, though it identifies none of that. The
// result has the type that f gives it.
func guard(f function.Function) function.Function {
	outer := &function.Spec{
		Params: f.Params(), VarParam: f.VarParam(),
		Type: function.StaticReturnType(cty.DynamicPseudoType),
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
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

// acceptAny lets everything through to the function within, which decides: even
// errors of conversion name keys of maps.
func acceptAny(p *function.Parameter) {
	if !p.Type.IsCapsuleType() { // those are expressions and types, not values
		p.Type = cty.DynamicPseudoType
	}
	p.AllowNull, p.AllowUnknown, p.AllowDynamicType, p.AllowMarked = true, true, true, true
}

// callConverted does for f what HCL does for functions that are called directly.
func callConverted(f function.Function, args []cty.Value) (cty.Value, error) {
	params := f.Params()
	converted := make([]cty.Value, len(args))
	for i, a := range args {
		p := f.VarParam()
		if i < len(params) {
			p = &params[i]
		}
		v, err := convert.Convert(a, p.Type)
		if err != nil {
			return cty.NilVal, function.NewArgError(i, err)
		}
		converted[i] = v
	}
	return f.Call(converted)
}

// Derivable is a mark that says of a value what is not so of whatever is made of
// it: that has what Derived returns for its mark.
type Derivable interface{ Derived() any }

// inheritMarks gives v the marks of all arguments.
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

// changesSecrecy tells of the functions whose very purpose is another mark.
func changesSecrecy(f function.Function) bool { return f == nonsensitive || f == issensitive }

// marksOf gathers the marks on a value and in it; of an expression passed as
// such, those of what it evaluates to.
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

// redactable is an error that knows how to say less.
type redactable interface{ redacted() error }

// redactError makes of an error one that people may read.
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
	case errors.As(err, &panicked): // without its stack
		return fmt.Errorf("%v", panicked.Value)
	}
	return err
}
