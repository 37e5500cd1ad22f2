package config

import (
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/ext/tryfunc"
	"github.com/hashicorp/hcl/v2/ext/typeexpr"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
	"github.com/zclconf/go-cty/cty/function/stdlib"

	"hew/schema"
)

// impure holds the functions that hew leaves out, each with what to use.
var impure = map[string]string{
	"bcrypt":        "Hash outside and pass the result in as a variable.",
	"plantimestamp": "Pass the time in as a variable.",
	"timestamp":     "Pass the time in as a variable.",
	"uuid":          "Pass the identifier in as a variable, or use sha256() of something that identifies the object.",
}

// pure is what expressions can call, apart from the functions that read files.
var pure = map[string]function.Function{
	// numbers
	"abs": stdlib.AbsoluteFunc, "ceil": stdlib.CeilFunc, "floor": stdlib.FloorFunc, "log": stdlib.LogFunc, "max": stdlib.MaxFunc,
	"min": stdlib.MinFunc, "parseint": stdlib.ParseIntFunc, "pow": stdlib.PowFunc, "range": rangeFunc, "signum": stdlib.SignumFunc,
	// texts
	"chomp": stdlib.ChompFunc, "format": stdlib.FormatFunc, "formatlist": stdlib.FormatListFunc, "indent": stdlib.IndentFunc,
	"join": stdlib.JoinFunc, "lower": stdlib.LowerFunc, "regex": stdlib.RegexFunc, "regexall": stdlib.RegexAllFunc, "replace": replaceFunc,
	"split": stdlib.SplitFunc, "strrev": stdlib.ReverseFunc, "substr": stdlib.SubstrFunc, "title": stdlib.TitleFunc, "trim": stdlib.TrimFunc,
	"trimprefix": stdlib.TrimPrefixFunc, "trimspace": stdlib.TrimSpaceFunc, "trimsuffix": stdlib.TrimSuffixFunc, "upper": stdlib.UpperFunc,
	"startswith": textTest(strings.HasPrefix), "endswith": textTest(strings.HasSuffix), "strcontains": textTest(strings.Contains),
	"basename": text(path.Base), "dirname": text(path.Dir),
	// collections
	"chunklist": stdlib.ChunklistFunc, "coalesce": stdlib.CoalesceFunc, "coalescelist": stdlib.CoalesceListFunc, "compact": stdlib.CompactFunc,
	"concat": stdlib.ConcatFunc, "contains": stdlib.ContainsFunc, "distinct": stdlib.DistinctFunc, "element": stdlib.ElementFunc,
	"flatten": stdlib.FlattenFunc, "index": stdlib.IndexFunc, "keys": stdlib.KeysFunc, "length": lengthFunc, "lookup": stdlib.LookupFunc,
	"merge": stdlib.MergeFunc, "one": oneFunc, "reverse": stdlib.ReverseListFunc, "setintersection": stdlib.SetIntersectionFunc,
	"setproduct": stdlib.SetProductFunc, "setsubtract": stdlib.SetSubtractFunc, "setunion": stdlib.SetUnionFunc, "slice": stdlib.SliceFunc,
	"sort": stdlib.SortFunc, "values": stdlib.ValuesFunc, "zipmap": stdlib.ZipmapFunc,
	// codes
	"base64decode": fallible(decode64), "base64encode": text(func(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) }),
	"csvdecode": stdlib.CSVDecodeFunc, "jsondecode": stdlib.JSONDecodeFunc, "jsonencode": stdlib.JSONEncodeFunc,
	"md5":    text(func(s string) string { b := md5.Sum([]byte(s)); return hex.EncodeToString(b[:]) }),
	"sha1":   text(func(s string) string { b := sha1.Sum([]byte(s)); return hex.EncodeToString(b[:]) }),
	"sha256": text(func(s string) string { b := sha256.Sum256([]byte(s)); return hex.EncodeToString(b[:]) }),
	"sha512": text(func(s string) string { b := sha512.Sum512([]byte(s)); return hex.EncodeToString(b[:]) }),
	// dates
	"formatdate": stdlib.FormatDateFunc, "timeadd": stdlib.TimeAddFunc,
	// types and errors
	"can": tryfunc.CanFunc, "convert": typeexpr.ConvertFunc, "try": tryfunc.TryFunc, "tobool": stdlib.MakeToFunc(cty.Bool),
	"tolist": stdlib.MakeToFunc(cty.List(cty.DynamicPseudoType)), "tomap": stdlib.MakeToFunc(cty.Map(cty.DynamicPseudoType)),
	"tonumber": stdlib.MakeToFunc(cty.Number), "toset": stdlib.MakeToFunc(cty.Set(cty.DynamicPseudoType)), "tostring": stdlib.MakeToFunc(cty.String),
	"sensitive": sensitiveFunc(true), "nonsensitive": sensitiveFunc(false),
}

// functions is pure and what reads from fsys.
func functions(fsys fs.FS) map[string]function.Function {
	all := maps.Clone(pure)
	all["file"] = fallible(func(name string) (string, error) { return readText(fsys, name) })
	all["fileexists"] = function.New(&function.Spec{Params: []function.Parameter{{Name: "path", Type: cty.String}}, Type: function.StaticReturnType(cty.Bool),
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
			info, err := fs.Stat(fsys, path.Clean(args[0].AsString()))
			return cty.BoolVal(err == nil && info.Mode().IsRegular()), nil
		}})
	inner := maps.Clone(all) // a template cannot call templatefile: it might never end
	all["templatefile"] = templateFunc(fsys, inner)
	return all
}

func functionNames(m map[string]function.Function) []string { return slices.Sorted(maps.Keys(m)) }

func readText(fsys fs.FS, name string) (string, error) {
	clean := path.Clean(name)
	if !fs.ValidPath(clean) {
		return "", fmt.Errorf("%s lies outside of the configuration's directory; files are read from within it alone", name)
	}
	b, err := fs.ReadFile(fsys, clean)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", fmt.Errorf("there is no file %s in the configuration's directory", name)
	case err != nil:
		return "", err
	case !utf8.Valid(b):
		return "", fmt.Errorf("%s is not UTF-8 text", name)
	}
	return string(b), nil
}

func templateFunc(fsys fs.FS, inner map[string]function.Function) function.Function {
	render := func(args []cty.Value) (cty.Value, error) {
		src, err := readText(fsys, args[0].AsString())
		if err != nil {
			return cty.DynamicVal, err
		}
		expr, diags := hclsyntax.ParseTemplate(plain([]byte(src)), args[0].AsString(), hcl.InitialPos)
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

// text and its siblings make functions of strings.
func text(f func(string) string) function.Function {
	return fallible(func(s string) (string, error) { return f(s), nil })
}

func fallible(f func(string) (string, error)) function.Function {
	return function.New(&function.Spec{
		Params: []function.Parameter{{Name: "str", Type: cty.String}},
		Type:   function.StaticReturnType(cty.String), RefineResult: notNull,
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
			s, err := f(args[0].AsString())
			return cty.StringVal(s), err
		},
	})
}

func textTest(f func(s, part string) bool) function.Function {
	return function.New(&function.Spec{
		Params: []function.Parameter{{Name: "str", Type: cty.String}, {Name: "part", Type: cty.String}},
		Type:   function.StaticReturnType(cty.Bool), RefineResult: notNull,
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
			return cty.BoolVal(f(args[0].AsString(), args[1].AsString())), nil
		},
	})
}

func notNull(b *cty.RefinementBuilder) *cty.RefinementBuilder { return b.NotNull() }

func decode64(s string) (string, error) {
	b, err := base64.StdEncoding.DecodeString(s)
	if err == nil && !utf8.Valid(b) {
		err = errors.New("the decoded bytes are not UTF-8 text")
	}
	return string(b), err
}

var rangeFunc = function.New(&function.Spec{
	VarParam: &function.Parameter{Name: "numbers", Type: cty.Number},
	Type:     function.StaticReturnType(cty.List(cty.Number)), RefineResult: notNull,
	Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
		n := make([]float64, len(args))
		for i := range args {
			n[i], _ = args[i].AsBigFloat().Float64()
		}
		start, end, step := 0.0, 0.0, 1.0
		switch len(n) {
		case 1:
			end = n[0]
		case 2:
			start, end = n[0], n[1]
		case 3:
			start, end, step = n[0], n[1], n[2]
		default:
			return cty.NilVal, errors.New("takes one to three numbers: end; start and end; start, end and step")
		}
		if len(n) < 3 && end < start {
			step = -1
		}
		const most = 1_000_000 // a slip of the keyboard, not a configuration
		size := math.Ceil((end - start) / step)
		if step == 0 || size > most || math.IsNaN(size) {
			return cty.NilVal, fmt.Errorf("would have more than %d items", most)
		}
		var items []cty.Value
		for i := range int(max(size, 0)) {
			items = append(items, cty.NumberFloatVal(start+float64(i)*step))
		}
		if items == nil {
			return cty.ListValEmpty(cty.Number), nil
		}
		return cty.ListVal(items), nil
	},
})

var lengthFunc = function.New(&function.Spec{
	Params: []function.Parameter{{Name: "value", Type: cty.DynamicPseudoType, AllowDynamicType: true, AllowUnknown: true}},
	Type:   function.StaticReturnType(cty.Number), RefineResult: notNull,
	Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
		switch t := args[0].Type(); {
		case t == cty.String:
			return stdlib.Strlen(args[0])
		case t.IsObjectType():
			return cty.NumberIntVal(int64(len(t.AttributeTypes()))), nil
		case t == cty.DynamicPseudoType:
			return cty.UnknownVal(cty.Number), nil
		}
		return stdlib.Length(args[0])
	},
})

var oneFunc = function.New(&function.Spec{
	Params: []function.Parameter{{Name: "list", Type: cty.DynamicPseudoType}},
	Type: func(args []cty.Value) (cty.Type, error) {
		switch t := args[0].Type(); {
		case t.IsListType() || t.IsSetType():
			return t.ElementType(), nil
		case t.IsTupleType() && t.Length() == 1:
			return t.TupleElementType(0), nil
		case t.IsTupleType() && t.Length() == 0:
			return cty.DynamicPseudoType, nil
		}
		return cty.NilType, errors.New("takes a list or set of one item or none")
	},
	Impl: func(args []cty.Value, t cty.Type) (cty.Value, error) {
		switch items := args[0].AsValueSlice(); len(items) {
		case 0:
			return cty.NullVal(t), nil
		case 1:
			return items[0], nil
		}
		return cty.NilVal, errors.New("takes a list or set of one item or none")
	},
})

// replaceFunc takes a regular expression where the pattern stands between
// slashes.
var replaceFunc = function.New(&function.Spec{
	Params: []function.Parameter{{Name: "str", Type: cty.String}, {Name: "pattern", Type: cty.String}, {Name: "by", Type: cty.String}},
	Type:   function.StaticReturnType(cty.String), RefineResult: notNull,
	Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
		if p := args[1].AsString(); len(p) > 1 && p[0] == '/' && p[len(p)-1] == '/' {
			return stdlib.RegexReplace(args[0], cty.StringVal(p[1:len(p)-1]), args[2])
		}
		return stdlib.Replace(args[0], args[1], args[2])
	},
})

func sensitiveFunc(secret bool) function.Function {
	return function.New(&function.Spec{
		Params: []function.Parameter{{Name: "value", Type: cty.DynamicPseudoType, AllowMarked: true, AllowUnknown: true, AllowNull: true, AllowDynamicType: true}},
		Type:   func(args []cty.Value) (cty.Type, error) { return args[0].Type(), nil },
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
			if secret {
				return args[0].Mark(schema.Secret), nil
			}
			v, marks := args[0].Unmark()
			marks = maps.Clone(marks)
			delete(marks, schema.Secret)
			return v.WithMarks(marks), nil
		},
	})
}
