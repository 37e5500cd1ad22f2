// Package function holds the functions that expressions can call: a table with a
// row for each, in files by what they are about (number.go, text.go, …), and what
// all of them are held to: guard.go that no error tells a secret and nothing
// unknown loses what it comes from, limit.go that few words never make more than
// there is memory. Of Terraform's functions absent.go has those that are left out,
// and why.
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

// entry is a function that expressions can call: its name, what it does in one
// sentence, and how.
type entry struct {
	name string
	f    function.Function
	doc  string
}

// group is a part of the table of functions, as the documentation divides it.
type group struct {
	name    string
	entries []entry
}

// table holds all functions, in groups.
func table(dir file.Dir, now time.Time) []group {
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
	inner.add(groups)
	inner["templatefile"], inner["templatestring"] = nestedTemplate, nestedTemplate
	return append(groups, group{"template", templateFuncs(dir, inner)})
}

func (t Table) add(groups []group) {
	for _, g := range groups {
		for _, e := range g.entries {
			t[e.name] = guard(e.f)
		}
	}
}

// Table is functions by name, as expressions look them up.
type Table map[string]function.Function

// New returns all functions. Those that read files find them in dir; now is what
// plantimestamp returns, the zero value the time of this call.
func New(dir file.Dir, now time.Time) Table {
	all := Table{}
	all.add(table(dir, now))
	return all
}

// Check says what is wrong with calling a function of that name, nil if there is
// one.
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

// The words below shorten the making of functions.

func param(name string, t cty.Type) function.Parameter {
	return function.Parameter{Name: name, Type: t}
}

// staticFunc makes a function of which only the value depends on the arguments,
// which are known, bare and not null.
func staticFunc(result cty.Type, f func(args []cty.Value) (cty.Value, error),
	params ...function.Parameter) function.Function {
	return function.New(&function.Spec{
		Params: params, Type: function.StaticReturnType(result), RefineResult: notNull,
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) { return f(args) },
	})
}

func notNull(b *cty.RefinementBuilder) *cty.RefinementBuilder { return b.NotNull() }

// pureStringFunc makes a function of a string.
func pureStringFunc(f func(string) string) function.Function {
	return stringFunc("str", func(s string) (string, error) { return f(s), nil })
}

func stringFunc(name string, f func(string) (string, error)) function.Function {
	return staticFunc(cty.String, func(args []cty.Value) (cty.Value, error) {
		s, err := f(args[0].AsString())
		return cty.StringVal(s), err
	}, param(name, cty.String))
}

// predicateFunc makes a function that asks something about two strings.
func predicateFunc(f func(s, part string) bool, names ...string) function.Function {
	return staticFunc(cty.Bool, func(args []cty.Value) (cty.Value, error) {
		return cty.BoolVal(f(args[0].AsString(), args[1].AsString())), nil
	}, param(names[0], cty.String), param(names[1], cty.String))
}
