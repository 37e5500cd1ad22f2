package rewrite

import (
	"path"
	"path/filepath"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// source is a file that may change.
type source struct {
	name  string
	src   []byte
	body  *hclsyntax.Body
	edits []edit
}

// site is where something is written.
type site struct {
	*source
	name   string               // of the argument
	expr   hclsyntax.Expression // its value; nil where a block is meant
	within *hclsyntax.Block     // the block at the top of the file
	nested *hclsyntax.Block     // that in it, nil for what stands in none
}

// find is the argument, or the nested block, that stands at a place. It tells
// why there is nothing to change.
func (w *writer) find(at hcl.Range) (site, string) {
	s, why := w.open(at.Filename)
	if why != "" {
		return site{}, why
	}
	for _, b := range s.body.Blocks {
		if !b.Range().ContainsPos(at.Start) {
			continue
		}
		found := site{source: s, within: b}
		if found.in(b.Body, at) {
			return found, ""
		}
		for _, inner := range b.Body.Blocks {
			found.nested = inner
			if inner.Type == "dynamic" && inner.Range().ContainsPos(at.Start) {
				return site{}, "a dynamic block makes it"
			}
			if inner.DefRange().Start == at.Start || found.in(inner.Body, at) {
				return found, ""
			}
		}
	}
	return site{}, "no line says it"
}

// in looks for the argument among those of a body.
func (s *site) in(b *hclsyntax.Body, at hcl.Range) bool {
	for _, a := range b.Attributes {
		if a.SrcRange.Start == at.Start {
			s.name, s.expr = a.Name, a.Expr
			return true
		}
	}
	return false
}

// open reads a file for changing it, or tells why it is left alone.
func (w *writer) open(name string) (*source, string) {
	if s := w.files[name]; s != nil {
		return s, ""
	}
	src := w.cfg.Text(name)
	switch {
	case src == nil:
		return nil, "no file says it"
	case path.Ext(name) == ".json":
		return nil, "the file is in the JSON syntax, which hew does not rewrite"
	case !filepath.IsLocal(name):
		return nil, "the file is outside of the directory that hew works in"
	}
	f, diags := hclsyntax.ParseConfig(src, name, hcl.InitialPos)
	if diags.HasErrors() {
		return nil, "the file cannot be read"
	}
	s := &source{name: name, src: src, body: f.Body.(*hclsyntax.Body)}
	w.files[name] = s
	return s, ""
}
