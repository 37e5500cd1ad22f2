package foreign

import (
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"hew/reconcile/didyoumean"
	"hew/schema"
)

// Path is a path of ignore_changes in the kind's names.
type Path struct {
	Attr string
	Path cty.Path
	Rest int // the first of the steps that goes on after Path unchanged
}

// TranslatePath translates the names of the steps of a path into a block of type
// typ. Nested blocks are lists in Terraform, so one index leads to the object.
func TranslatePath(a *schema.Alias, typ string, steps []string, at hcl.Range, r Reporter) (p Path, ok bool) {
	name, end := steps[0], len(steps)
	n := a.Naming(name)
	if !HasValue(a, n) {
		r.Fail(at, "Unsupported attribute",
			"ignore_changes must list attributes, and %s has no attribute %q.%s",
			typ, name, didyoumean.Hint(name, Names(a)))
		return p, false
	}
	p = Path{Attr: n.Attr, Rest: end}
	switch {
	case n.Part != "" && n.Whole == nil:
		p.Path = cty.Path{}.Index(cty.StringVal(n.Part))
	case n.Part != "": // a part of a text, which is ignored as a whole
	case n.Shape == schema.Single && end > 2:
		for _, f := range n.Fields {
			if f.Name == steps[2] && f.Attr != "" {
				p.Path = cty.Path{}.GetAttr(f.Attr)
				return p, true
			}
		}
		r.Fail(at, "Invalid ignore_changes path",
			"%s of %s has no element at this ignore_changes path.", name, typ)
		return p, false
	case n.Shape != schema.Single:
		p.Rest = 1
	}
	return p, true
}

// ImportID returns the ID of an import block in hew's form. The IDs of Terraform's
// provider name the owner alone where a fixed attribute names the object, and have
// further parts where an owner holds several objects of a key; hew compares those
// with what is declared.
func ImportID(a *schema.Alias, id string) string {
	if a == nil || a.Kind.Owner() == nil {
		return id
	}
	parts := a.Parts()
	if len(parts) == 1 && !strings.Contains(id, ":") {
		for _, v := range a.Fixed {
			return id + ":" + v.AsString()
		}
		return id + ":"
	}
	if len(parts) > 2 {
		if given := strings.SplitN(id, ":", 3); len(given) == 3 {
			return given[0] + ":" + given[1]
		}
	}
	return id
}
