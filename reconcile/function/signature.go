package function

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/hcl/v2/ext/customdecode"
	"github.com/hashicorp/hcl/v2/ext/typeexpr"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"

	"hew/reconcile/file"
)

// Signature describes a function for documentation.
type Signature struct {
	Name   string
	Group  string // what it is about: "numeric", "string", "collection", …
	Doc    string // what it returns, in sentences
	Params []Param
	// Returns is the type of the result as in a type constraint, or "" if it depends on
	// the arguments.
	Returns string
}

// Param is a parameter of a function. A variadic one is the last, and accepts any number
// of arguments.
type Param struct {
	Name     string
	Type     string // in the words of the language, or "expression" or "type"
	Variadic bool
}

// String returns the signature in the form "join(separator string, lists list(string)...)
// string".
func (s Signature) String() string {
	var params []string
	for _, p := range s.Params {
		word := p.Name + " " + p.Type
		if p.Variadic {
			word += "..."
		}
		params = append(params, word)
	}
	return strings.TrimSpace(s.Name + "(" + strings.Join(params, ", ") + ") " + s.Returns)
}

// Signatures returns the functions that expressions can call, sorted by name.
func Signatures() []Signature {
	var out []Signature
	for _, g := range table(file.Dir{}, time.Time{}, nil) {
		for _, e := range g.entries {
			s := Signature{Name: e.name, Group: g.name, Doc: e.doc, Returns: returnType(e.f)}
			for _, p := range e.f.Params() {
				s.Params = append(s.Params, Param{Name: p.Name, Type: typeText(p.Type)})
			}
			if p := e.f.VarParam(); p != nil {
				s.Params = append(s.Params, Param{Name: p.Name, Type: typeText(p.Type), Variadic: true})
			}
			out = append(out, s)
		}
	}
	slices.SortFunc(out, func(a, b Signature) int { return cmp.Compare(a.Name, b.Name) })
	return out
}

func typeText(t cty.Type) string {
	switch {
	case t.Equals(customdecode.ExpressionClosureType):
		return "expression"
	case t.Equals(typeexpr.TypeConstraintType):
		return "type"
	}
	return typeexpr.TypeString(t)
}

// samples are types for arguments of any type. They differ enough to show whether the type
// of a result depends on them.
var samples = []cty.Type{
	cty.String, cty.Number, cty.EmptyObject, cty.List(cty.String), cty.List(cty.Number),
	cty.Set(cty.String), cty.Set(cty.Number), cty.Map(cty.String), cty.Map(cty.Number),
}

// returnType returns the type of f's result if it is the same for all samples, or "".
func returnType(f function.Function) string {
	word := ""
	for _, sample := range samples {
		var args []cty.Type
		for _, p := range f.Params() {
			args = append(args, typeFor(p.Type, sample))
		}
		if p := f.VarParam(); p != nil {
			args = append(args, typeFor(p.Type, sample), typeFor(p.Type, sample))
		}
		t, err := f.ReturnType(args)
		switch {
		case err != nil: // f does not accept this sample
		case t == cty.DynamicPseudoType, word != "" && word != typeText(t):
			return ""
		default:
			word = typeText(t)
		}
	}
	return word
}

func typeFor(want, sample cty.Type) cty.Type {
	if want == cty.DynamicPseudoType {
		return sample
	}
	return want
}
