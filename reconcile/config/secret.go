package config

import (
	"bytes"
	"regexp"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// Sources returns the files that were read, for showing lines of them beside
// diagnostics. Secrets written in them are covered by asterisks of the same
// length, so that positions hold.
func (c *Config) Sources() map[string]*hcl.File {
	out := make(map[string]*hcl.File, len(c.files))
	for name, src := range c.files {
		out[name] = &hcl.File{Bytes: bytes.Clone(src)}
	}
	for _, m := range c.masks {
		if f := out[m.Filename]; f != nil && m.CanSliceBytes(f.Bytes) {
			cover(m.SliceBytes(f.Bytes))
		}
	}
	return out
}

func cover(b []byte) {
	for i, c := range b {
		if c != '\n' && c != '\r' {
			b[i] = '*'
		}
	}
}

// mask remembers where the literal parts of a secret's expression stand, and
// texts that lack their quotes, which look like names.
func (l *loader) mask(e hcl.Expression) {
	n, ok := e.(hclsyntax.Node)
	if !ok {
		l.masks = append(l.masks, e.Range()) // JSON: the whole of it
		return
	}
	_ = hclsyntax.VisitAll(n, func(n hclsyntax.Node) hcl.Diagnostics {
		switch n := n.(type) {
		case *hclsyntax.LiteralValueExpr:
			l.masks = append(l.masks, n.SrcRange)
		case *hclsyntax.ObjectConsKeyExpr:
			if hcl.ExprAsKeyword(n.Wrapped) != "" && !n.ForceNonLiteral {
				l.masks = append(l.masks, n.Range())
			}
		case *hclsyntax.ScopeTraversalExpr:
			if root := n.Traversal.RootName(); !slices.Contains(scopeWords, root) && l.kinds.Resources[root] == nil {
				l.masks = append(l.masks, n.SrcRange)
			}
		}
		return nil
	})
}

// scopeWords are what references begin with that lead to no resource.
var scopeWords = []string{"var", "local", "data", "module", "each", "count", "path", "self"}

// maskBroken covers, in files that did not parse, whatever follows the name of
// a secret attribute, and in variable files every value: where expressions
// begin and end is not known there.
func (l *loader) maskBroken() {
	names := []string{"default", "token", "password"}
	for _, k := range l.kinds.Resources {
		for i := range k.Attrs {
			if k.Attrs[i].Secret {
				names = append(names, regexp.QuoteMeta(k.Attrs[i].Name))
			}
		}
	}
	slices.Sort(names)
	secret := regexp.MustCompile(`(?m)\b(?:` + strings.Join(slices.Compact(names), "|") + `)"?\s*[=:](.*)$`)
	anything := regexp.MustCompile(`(?m)[=:](.*)$`)
	for name, src := range l.files {
		pattern := secret
		if strings.Contains(name, ".hclvars") {
			pattern = anything
		}
		for _, m := range pattern.FindAllSubmatchIndex(src, -1) {
			l.masks = append(l.masks, hcl.Range{Filename: name, Start: hcl.Pos{Byte: m[2]}, End: hcl.Pos{Byte: m[3]}})
		}
	}
}
