// Package function has the functions that expressions can call. table.go lists them all;
// the files are named after the groups: number.go, string.go and so on. Functions come
// from libraries where those are right. guard.go wraps all of them so that errors show no
// secrets and unknown results keep their origin, limit.go rejects arguments that would use
// up all memory, and absent.go says why hew lacks some of Terraform's functions.
package function

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"

	"hew/reconcile/didyoumean"
	"hew/reconcile/file"
)

// entry is a function: its name, its implementation, and a sentence for the documentation.
type entry struct {
	name string
	f    function.Function
	doc  string
}

// group is a group of functions in the documentation.
type group struct {
	name    string
	entries []entry
}

// table returns all functions, in groups.
func table(dir file.Dir, now time.Time, work *Work) []group {
	groups := []group{
		{
			"numeric",
			numericFuncs,
		}, {"string", stringFuncs}, {"collection", collectionFuncs}, {"encoding", encodingFuncs},
		{
			"filesystem",
			fileFuncs(dir),
		}, {"date and time", timeFuncs(now)}, {"hash", slices.Concat(hashFuncs, fileHashFuncs(dir))},
		{"network", networkFuncs}, {"type", typeFuncs},
	}
	inner := Table{}
	inner.add(groups, work)
	inner["templatefile"], inner["templatestring"] = nestedTemplate, nestedTemplate
	return append(groups, group{"template", templateFuncs(dir, inner)})
}

func (t Table) add(groups []group, work *Work) {
	for _, g := range groups {
		for _, e := range g.entries {
			t[e.name] = guard(e.f, work)
		}
	}
}

// Table has functions by name, as HCL looks them up.
type Table map[string]function.Function

// New returns all functions. They read files from dir. now is the result of plantimestamp;
// the zero value means the time of the call. Calls fail once work is exceeded.
func New(dir file.Dir, now time.Time, work *Work) Table {
	all := Table{}
	all.add(table(dir, now, work), work)
	return all
}

// Check returns an error if a call names no function, and nil otherwise.
func (t Table) Check(call *hclsyntax.FunctionCallExpr) *hcl.Diagnostic {
	if _, ok := t[call.Name]; ok {
		return nil
	}
	d := &hcl.Diagnostic{Severity: hcl.DiagError, Subject: &call.NameRange}
	if why := absence(call.Name); why != "" {
		d.Summary, d.Detail = "Unsupported function", why
	} else {
		d.Summary = "Call to unknown function"
		hint := didyoumean.Hint(call.Name, slices.Sorted(maps.Keys(t)))
		d.Detail = fmt.Sprintf("There is no function named %q.%s", call.Name, hint)
	}
	return d
}

func param(name string, t cty.Type) function.Parameter {
	return function.Parameter{Name: name, Type: t}
}

// staticFunc returns a function with a result of a fixed type. Its arguments are known,
// not null and without marks.
func staticFunc(result cty.Type, f func(args []cty.Value) (cty.Value, error),
	params ...function.Parameter) function.Function {
	return function.New(&function.Spec{
		Params: params, Type: function.StaticReturnType(result), RefineResult: notNull,
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) { return f(args) },
	})
}

func notNull(b *cty.RefinementBuilder) *cty.RefinementBuilder { return b.NotNull() }

// pureStringFunc returns a function of one string.
func pureStringFunc(f func(string) string) function.Function {
	return stringFunc("str", func(s string) (string, error) { return f(s), nil })
}

func stringFunc(name string, f func(string) (string, error)) function.Function {
	return staticFunc(cty.String, func(args []cty.Value) (cty.Value, error) {
		s, err := f(args[0].AsString())
		return cty.StringVal(s), err
	}, param(name, cty.String))
}

// predicateFunc returns a function that tests two strings.
func predicateFunc(f func(s, part string) bool, names ...string) function.Function {
	return staticFunc(cty.Bool, func(args []cty.Value) (cty.Value, error) {
		return cty.BoolVal(f(args[0].AsString(), args[1].AsString())), nil
	}, param(names[0], cty.String), param(names[1], cty.String))
}
