package config

import (
	"maps"
	"slices"
	"time"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
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
func table(dir directory, now time.Time) []group {
	groups := []group{
		{"numeric", numeric}, {"string", texts}, {"collection", collections}, {"encoding", codes},
		{"filesystem", files(dir)}, {"date and time", times(now)}, {"hash", slices.Concat(hashes, fileHashes(dir))},
		{"network", networks}, {"type", types},
	}
	inner := map[string]function.Function{}
	add(inner, groups)
	inner["templatefile"], inner["templatestring"] = nested, nested
	return append(groups, group{"template", templates(dir, inner)})
}

func add(to map[string]function.Function, groups []group) {
	for _, g := range groups {
		for _, e := range g.entries {
			to[e.name] = guard(e.f)
		}
	}
}

// functions is the table as expressions look it up.
func functions(dir directory, now time.Time) map[string]function.Function {
	all := map[string]function.Function{}
	add(all, table(dir, now))
	return all
}

func functionNames(m map[string]function.Function) []string { return slices.Sorted(maps.Keys(m)) }

// The words below shorten the making of functions.

func param(name string, t cty.Type) function.Parameter {
	return function.Parameter{Name: name, Type: t}
}

// static makes a function of which only the value depends on the arguments,
// which are known, bare and not null.
func static(result cty.Type, f func(args []cty.Value) (cty.Value, error), params ...function.Parameter) function.Function {
	return function.New(&function.Spec{
		Params: params, Type: function.StaticReturnType(result), RefineResult: notNull,
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) { return f(args) },
	})
}

func notNull(b *cty.RefinementBuilder) *cty.RefinementBuilder { return b.NotNull() }

// text makes a function of a string.
func text(f func(string) string) function.Function {
	return fallible("str", func(s string) (string, error) { return f(s), nil })
}

func fallible(name string, f func(string) (string, error)) function.Function {
	return static(cty.String, func(args []cty.Value) (cty.Value, error) {
		s, err := f(args[0].AsString())
		return cty.StringVal(s), err
	}, param(name, cty.String))
}

// textTest makes a function that asks something about two strings.
func textTest(f func(s, part string) bool, names ...string) function.Function {
	return static(cty.Bool, func(args []cty.Value) (cty.Value, error) {
		return cty.BoolVal(f(args[0].AsString(), args[1].AsString())), nil
	}, param(names[0], cty.String), param(names[1], cty.String))
}
