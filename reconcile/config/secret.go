package config

import (
	"bytes"
	"iter"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"hew/schema/pattern"
	"hew/schema/urlmask"
)

// Sources returns the files that were read, for snippets. Secrets in them are replaced by
// asterisks, so that positions stay the same.
func (c *Config) Sources() map[string]*hcl.File {
	out := make(map[string]*hcl.File, len(c.files))
	for name, src := range c.files {
		out[name] = &hcl.File{Bytes: bytes.Clone(src)}
	}
	for _, m := range slices.Concat(c.masks, c.covers) {
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

// mask records the literals of a secret's expression, and words that are probably strings
// without quotes.
func (c *Config) mask(e hcl.Expression) {
	n, ok := e.(hclsyntax.Node)
	if !ok {
		c.masks = append(c.masks, e.Range()) // in JSON the whole expression
		return
	}
	local := map[string]struct{}{} // variables of for expressions
	_ = hclsyntax.VisitAll(n, func(n hclsyntax.Node) hcl.Diagnostics {
		switch n := n.(type) {
		case hclsyntax.ChildScope:
			maps.Copy(local, n.LocalNames)
		case *hclsyntax.LiteralValueExpr:
			c.masks = append(c.masks, n.SrcRange)
		case *hclsyntax.ObjectConsKeyExpr:
			if hcl.ExprAsKeyword(n.Wrapped) != "" && !n.ForceNonLiteral {
				c.masks = append(c.masks, n.Range())
			}
		case *hclsyntax.ScopeTraversalExpr:
			if _, is := local[n.Traversal.RootName()]; !is && !c.isReference(n.Traversal) {
				c.masks = append(c.masks, n.SrcRange)
			}
		}
		return nil
	})
}

// foreignType matches the names that types of objects have in Terraform: random_password.
var foreignType = pattern.Lazy(`^[a-z][a-z0-9]*(_[a-z0-9]+)+$`)

// plainName matches a name as people write it, and tokens are not.
var plainName = pattern.Lazy(`^[A-Za-z_][A-Za-z0-9_]*$`)

// isReference reports whether a name refers to an object or a value, declared or not. Other names
// may be secrets without quotes.
func (c *Config) isReference(t hcl.Traversal) bool {
	root := t.RootName()
	if slices.Contains(scopeWords, root) || c.kinds.Resource(root) != nil || root == "terraform" {
		return true
	}
	for i := 1; i < 3; i++ {
		if name, ok := attrStep(t, i); !ok || !plainName().MatchString(name) {
			return false
		}
	}
	return foreignType().MatchString(root)
}

// sourceURL matches a URL in a source, up to the end of its string.
var sourceURL = pattern.Lazy(`[A-Za-z][A-Za-z0-9+.-]*://[^\s"]*`)

// sourceReference matches an interpolation, which is not a literal.
var sourceReference = pattern.Lazy(`\$\{[^}"]*\}?`)

// sourceURLs yields where the matches of sourceURL are in a source. It matches only the lines that
// can have one.
func sourceURLs(src []byte) iter.Seq[[2]int] {
	return func(yield func([2]int) bool) {
		for end := 0; end < len(src); {
			i := bytes.Index(src[end:], []byte("://"))
			if i < 0 {
				return
			}
			start := bytes.LastIndexByte(src[:end+i], '\n') + 1
			if end += i; bytes.IndexByte(src[end:], '\n') >= 0 {
				end += bytes.IndexByte(src[end:], '\n')
			} else {
				end = len(src)
			}
			for _, at := range sourceURL().FindAllIndex(src[start:end], -1) {
				if !yield([2]int{start + at[0], start + at[1]}) {
					return
				}
			}
		}
	}
}

// maskURLs masks the URLs of a file that hold a secret, whatever argument they are given to.
func (c *Config) maskURLs(name string) {
	src := c.files[name]
	for at := range sourceURLs(src) {
		address := src[at[0]:at[1]]
		if !urlmask.HasSecret(string(sourceReference().ReplaceAll(address, []byte("x")))) {
			continue
		}
		from := 0
		for _, ref := range append(sourceReference().FindAllIndex(address, -1), []int{len(address), len(address)}) {
			c.masks = append(c.masks, hcl.Range{Filename: name, Start: hcl.Pos{Byte: at[0] + from},
				End: hcl.Pos{Byte: at[0] + ref[0]}})
			from = ref[1]
		}
	}
}

// secretNames returns the arguments of any block that hold secrets.
func (c *Config) secretNames() []string {
	names := []string{"token", "password"}
	for _, k := range c.kinds.Resources {
		for i := range k.Attrs {
			if k.Attrs[i].IsSecret() {
				names = append(names, k.Attrs[i].Name)
			}
			names = append(names, k.Attrs[i].HiddenKeys()...)
		}
	}
	for _, a := range c.kinds.Aliases() {
		for i := range a.Names {
			if a.Names[i].Secret {
				names = append(names, a.Names[i].Name)
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// maskAfter masks the rest of the line after a name: the value of a misspelt secret
// argument.
func (c *Config) maskAfter(name hcl.Range) {
	src := c.files[name.Filename]
	if !name.CanSliceBytes(src) {
		return
	}
	end := name.End
	if n := bytes.IndexByte(src[end.Byte:], '\n'); n >= 0 {
		end.Byte += n
	} else {
		end.Byte = len(src)
	}
	c.masks = append(c.masks, hcl.Range{Filename: name.Filename, Start: name.End, End: end})
}

// scopeWords begin references to something other than resources.
var scopeWords = []string{"var", "local", "data", "module", "each", "count", "path", "self"}

// maskBroken masks, in files that do not parse, everything after the name of a secret argument.
func (l *loader) maskBroken() {
	secret := regexp.MustCompile(`(?m)\b(?:default|` + strings.Join(l.secretNames(), "|") + `)"?\s*[=:](.*)$`)
	for name, src := range l.files {
		for _, m := range secret.FindAllSubmatchIndex(src, -1) {
			l.masks = append(l.masks, hcl.Range{Filename: name, Start: hcl.Pos{Byte: m[2]}, End: hcl.Pos{Byte: m[3]}})
		}
	}
}

// variableName matches the beginning of a line that sets a variable, in both syntaxes.
var variableName = pattern.Lazy(`^[\s{,]*"?([A-Za-z_][A-Za-z0-9_-]*)"?\s*[=:]`)

// keepVariableFiles keeps the variables files of the root's directory.
func (l *loader) keepVariableFiles(root *source, files []*hcl.File, diags hcl.Diagnostics) {
	for _, b := range root.blocks {
		if b.Type == "variable" {
			l.declared[b.Labels[0]] = true
		}
	}
	for i, f := range files {
		if f != nil {
			l.keepVariables(root.varFiles[i], f, unsound(diags, f))
		}
	}
}

// keepVariables keeps a variables file for snippets, which show none of its values: nobody declares
// which of them are secret in a file that was given by mistake, or that does not parse.
func (l *loader) keepVariables(name string, f *hcl.File, broken bool) {
	l.files[name] = f.Bytes
	attrs, _ := f.Body.JustAttributes()
	start := 0
	for line := range bytes.Lines(f.Bytes) {
		at := hcl.Range{Filename: name, Start: hcl.Pos{Byte: start}, End: hcl.Pos{Byte: start + len(line)}}
		if m := variableName().FindSubmatchIndex(line); m != nil {
			word := line[m[2]:m[3]]
			if _, set := attrs[string(word)]; l.declared[string(word)] || set && !broken {
				at.Start.Byte += m[1]
			}
		}
		if broken { // errors of the syntax quote what they found
			l.masks = append(l.masks, at)
		} else {
			l.covers = append(l.covers, at)
		}
		start += len(line)
	}
}
