package rewrite

import (
	"path"
	"path/filepath"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// source is a file and its edits.
type source struct {
	name  string
	src   []byte
	body  *hclsyntax.Body
	edits []edit
}

// site is where a value is written.
type site struct {
	*source
	name   string               // of the argument
	expr   hclsyntax.Expression // its value; nil if the site is a nested block
	top    *hclsyntax.Block     // the top-level block
	nested *hclsyntax.Block     // the nested block in it, or nil
}

// findSite returns the argument or nested block at a position, or why there is nothing to change.
func (w *adopter) findSite(at hcl.Range) (site, string) {
	s, why := w.openSource(at.Filename)
	if why != "" {
		return site{}, why
	}
	for _, b := range s.body.Blocks {
		if !b.Range().ContainsPos(at.Start) {
			continue
		}
		found := site{source: s, top: b}
		if found.findArgument(b.Body, at) {
			return found, ""
		}
		for _, inner := range b.Body.Blocks {
			found.nested = inner
			if inner.Type == "dynamic" && inner.Range().ContainsPos(at.Start) {
				return site{}, "it comes from a dynamic block"
			}
			if inner.DefRange().Start == at.Start || found.findArgument(inner.Body, at) {
				return found, ""
			}
		}
	}
	return site{}, "no argument sets it"
}

// findArgument reports whether body has an argument at the position, and stores it in s.
func (s *site) findArgument(b *hclsyntax.Body, at hcl.Range) bool {
	for _, a := range b.Attributes {
		if a.SrcRange.Start == at.Start {
			s.name, s.expr = a.Name, a.Expr
			return true
		}
	}
	return false
}

// openSource parses a file, or returns why it cannot be changed.
func (w *adopter) openSource(name string) (*source, string) {
	if s := w.files[name]; s != nil {
		return s, ""
	}
	src := w.cfg.RawSource(name)
	switch {
	case src == nil:
		return nil, "no file sets it"
	case path.Ext(name) == ".json":
		return nil, "hew does not rewrite files in JSON syntax"
	case !filepath.IsLocal(name):
		return nil, "the file is outside the working directory"
	}
	f, diags := hclsyntax.ParseConfig(src, name, hcl.InitialPos)
	if diags.HasErrors() {
		return nil, "the file cannot be parsed"
	}
	s := &source{name: name, src: src, body: f.Body.(*hclsyntax.Body)}
	w.files[name] = s
	return s, ""
}
