package foreign

import (
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"hew/reconcile/didyoumean"
	"hew/schema"
)

// Path is a path of ignore_changes in the kind's names.
type Path struct {
	Block string // the nested block that it is in, if that is an object of its own
	Attr  string // "" is all of the Block
	Path  cty.Path
	Rest  int // the first of the steps that goes on after Path unchanged
}

// TranslatePath translates the names of the steps of a path into a block of type
// typ. Nested blocks are lists in Terraform, so one index leads to the object. The
// name of a nested block may stand for several attributes, and that of an argument
// without a counterpart for none.
func TranslatePath(a *schema.Alias, typ string, steps []string, at hcl.Range, r Reporter) []Path {
	name, end := steps[0], len(steps)
	n := a.Naming(name)
	switch own := OwnBlock(a, name); {
	case own != nil:
		return blockPaths(own, steps)
	case n != nil && n.Shape == schema.Beside:
		p := Path{Block: name, Rest: end}
		if end > 2 {
			p.Attr, p.Rest = steps[2], 3
		}
		return []Path{p}
	case n != nil && n.Attr == "" || name == a.By && name != "":
		return nil
	case !HasValue(a, n):
		r.Fail(at, "Unsupported attribute",
			"ignore_changes must list attributes, and %s has no attribute %q.%s",
			typ, name, didyoumean.Hint(name, Names(a)))
		return nil
	}
	p := Path{Attr: n.Attr, Rest: end}
	switch {
	case n.Part != "" && n.Whole == nil:
		p.Path = cty.Path{}.Index(cty.StringVal(n.Part))
	case n.Part != "": // a part of a text, which is ignored as a whole
	case n.Shape == schema.Single && end > 2:
		for _, f := range n.Fields {
			if f.Name == steps[2] && f.Attr != "" {
				p.Path = cty.Path{}.GetAttr(f.Attr)
				return []Path{p}
			}
		}
		r.Fail(at, "Invalid ignore_changes path",
			"%s of %s has no element at this ignore_changes path.", name, typ)
		return nil
	case n.Shape != schema.Single:
		p.Rest = 1
	}
	return []Path{p}
}

// blockPaths returns the attributes that a nested block sets, or the one that a path
// into it leads to. They are ignored as a whole, as their elements have no order.
func blockPaths(of *schema.Block, steps []string) (paths []Path) {
	for _, field := range slices.Sorted(maps.Keys(of.Of)) {
		if len(steps) <= 2 || steps[2] == field {
			paths = append(paths, Path{Attr: of.Of[field], Rest: len(steps)})
		}
	}
	return paths
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
