package config

import (
	"errors"
	"fmt"
	"io/fs"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
)

// readText reads a text file. Like those of the
// configuration itself it says the same however it was checked out.
func readText(dir directory, name string) (string, error) {
	b, err := dir.read(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", fmt.Errorf("there is no file %s in the configuration's directory", name)
	case err != nil:
		return "", err
	case !utf8.Valid(b):
		return "", fmt.Errorf("%s is not UTF-8 text", name)
	}
	return string(plain(b)), nil
}

func templateFunc(dir directory, inner map[string]function.Function) function.Function {
	render := func(args []cty.Value) (cty.Value, error) {
		src, err := readText(dir, args[0].AsString())
		if err != nil {
			return cty.DynamicVal, err
		}
		expr, diags := hclsyntax.ParseTemplate([]byte(src), args[0].AsString(), hcl.InitialPos)
		if diags.HasErrors() {
			return cty.DynamicVal, diags
		}
		if t := args[1].Type(); !t.IsObjectType() && !t.IsMapType() || args[1].IsNull() {
			return cty.DynamicVal, errors.New("the second argument holds the template's variables: { name = value }")
		}
		v, diags := expr.Value(&hcl.EvalContext{Variables: args[1].AsValueMap(), Functions: inner})
		if diags.HasErrors() {
			return cty.DynamicVal, diags
		}
		return v, nil
	}
	return function.New(&function.Spec{
		Params: []function.Parameter{{Name: "path", Type: cty.String}, {Name: "vars", Type: cty.DynamicPseudoType}},
		Type: func(args []cty.Value) (cty.Type, error) {
			if !args[0].IsKnown() || !args[1].IsWhollyKnown() {
				return cty.DynamicPseudoType, nil
			}
			v, err := render(args)
			return v.Type(), err
		},
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
			if !args[1].IsWhollyKnown() {
				return cty.DynamicVal, nil
			}
			return render(args)
		},
	})
}

func existsFunc(dir directory) function.Function {
	return function.New(&function.Spec{
		Params: []function.Parameter{{Name: "path", Type: cty.String}},
		Type:   function.StaticReturnType(cty.Bool), RefineResult: notNull,
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
			name, err := dir.within(args[0].AsString())
			if err != nil {
				return cty.NilVal, err
			}
			info, err := fs.Stat(dir.fs, name)
			return cty.BoolVal(err == nil && info.Mode().IsRegular()), nil
		},
	})
}
