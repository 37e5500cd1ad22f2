package config

import (
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"hew/reconcile/addr"
	"hew/reconcile/didyoumean"
)

// implied are the providers that need no declaration.
var implied = []string{"archive", "aws", "azurerm", "external", "google", "helm", "http", "kubernetes", "local", "null", "random", "terraform", "time", "tls", "vault"}

// leave passes over a block that is not hew's to manage: of a type that it has no
// kind for, or of another provider. What refers to it is told so.
func (l *loader) leave(b *hcl.Block, mode addr.Mode) bool {
	typ := b.Labels[0]
	why := ""
	prefix, _, _ := strings.Cut(typ, "_")
	switch a := l.aliasOf(mode, typ); {
	case a != nil && a.Kind != nil:
		return false
	case a != nil:
		if why = a.Note; why == "" {
			why = "hew has no kind for it"
		}
	case isTerraform(b.DefRange.Filename) && (l.mod.others[prefix] || slices.Contains(implied, prefix)):
		why = "it is another provider's"
	default:
		return false
	}
	name := addr.Block{Mode: mode, Kind: typ, Name: b.Labels[1]}.String()
	l.mod.unmanaged[name] = why
	l.note(b.DefRange, "%s is not managed: %s", name, why)
	return true
}

// declaredAs is the name of the block that a reference begins with.
func declaredAs(t hcl.Traversal) string {
	n := 2
	if t.RootName() == "data" {
		n = 3
	}
	return spelled(t[:min(n, len(t))])
}

// likeType proposes a type where one is not known.
func (l *loader) likeType(typ, mode string, names []string) string {
	if !strings.HasPrefix(typ, hostProvider+"_") || len(l.kinds.Aliases) == 0 {
		return l.likeKind(typ, names) + " hew schema lists all kinds."
	}
	var types []string
	for name := range l.kinds.Aliases {
		if there, ok := strings.CutPrefix(name, mode); ok && strings.HasPrefix(name, "data.") == (mode == "data.") {
			types = append(types, there)
		}
	}
	slices.Sort(types)
	return didyoumean.Hint(typ, types)
}

// misleads tells whether what identifies an instance is stated where another
// kind is referred to. Ids are texts in the other tool's names, and so are paths,
// which say for themselves what they are of.
func (c *Config) misleads(i addr.Instance, ref string, v cty.Value) bool {
	kind := c.kinds.Resource(i.Kind)
	if kind == nil || kind.Name == ref || c.kinds.Resources[ref] == nil {
		return false
	}
	if v.Type() != cty.String {
		return true
	}
	return c.kinds.Aliases[i.Kind] != nil && (!v.IsKnown() || strings.Trim(v.AsString(), "0123456789") == "")
}

// importID is the id of an import as hew writes it: one that names an owner alone
// goes on with what is known of the object.
func (c *Config) importID(to addr.Instance, id string) string {
	a := c.kinds.Aliases[to.Kind]
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
	if len(parts) > 2 { // the rest is compared by what is declared
		if given := strings.SplitN(id, ":", 3); len(given) == 3 {
			return given[0] + ":" + given[1]
		}
	}
	return id
}
