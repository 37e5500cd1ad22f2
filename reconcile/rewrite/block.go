package rewrite

import (
	"bytes"
	"fmt"

	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"hew/reconcile/config"
	"hew/reconcile/plan"
	"hew/schema"
)

// nestedItem is an element of a list that is written as nested blocks.
type nestedItem struct {
	block *hclsyntax.Block
	arg   *hclsyntax.Attribute
}

// rewriteBlocks changes a list whose elements are written as nested blocks: it adds and removes
// blocks.
func (s site) rewriteBlocks(b *config.Block, p plan.PathChange) (edits []edit, why string) {
	items, of, why := s.nestedItems(b, p)
	if why != "" {
		return nil, why
	}
	was := make([]cty.Value, len(items))
	for i, item := range items {
		if was[i], why = literalValue(item.arg.Expr); why != "" {
			return nil, why
		}
	}
	wants := sourceValue(p.Attr, nil, p.Before, cty.TupleVal(was)).AsValueSlice()
	if len(wants) == 0 {
		return nil, "nested blocks cannot express an empty list"
	}
	r := rewriter{src: s.src, equal: elementsEqual(p)}
	stays, taken := r.matchAny(was, wants), map[int]bool{}
	last := items[len(items)-1]
	for i, item := range items {
		j, stay := stays[i]
		if taken[j] = taken[j] || stay; stay {
			continue
		}
		from, to := lineStart(s.src, item.arg.SrcRange.Start.Byte), s.nextLine(item.arg.SrcRange.End.Byte)
		if len(item.block.Body.Attributes) == 1 {
			from, to = s.blockLines(item.block)
		}
		edits = append(edits, edit{from, to, ""})
	}
	begin := last.block.Range().Start.Byte
	margin, apart := string(s.src[lineStart(s.src, begin):begin]), ""
	if bytes.HasSuffix(s.src[:lineStart(s.src, begin)], []byte("\n\n")) {
		apart = "\n"
	}
	at := s.nextLine(last.block.Range().End.Byte)
	for j, want := range wants {
		if !taken[j] {
			edits = append(edits, edit{at, at, fmt.Sprintf("%s%s%s {\n%s  %s = %s\n%s}\n", apart, margin, of.Name,
				margin, last.arg.Name, oneLine(want), margin)})
		}
	}
	return edits, ""
}

// nestedItems returns the elements as they are written, and the nested block that they are written
// as.
func (s site) nestedItems(b *config.Block, p plan.PathChange) (items []nestedItem, of schema.Block, why string) {
	known := b.Kind.Blocks
	if b.Alias != nil {
		known = b.Alias.Blocks
	}
	for _, of = range known {
		for _, inner := range s.top.Body.Blocks {
			if inner.Type == "dynamic" && len(inner.Labels) == 1 && inner.Labels[0] == of.Name {
				return nil, of, "it comes from a dynamic block"
			}
			if inner.Type != of.Name {
				continue
			}
			for _, arg := range inner.Body.Attributes {
				if of.Of[arg.Name] == p.Attr.Name {
					items = append(items, nestedItem{inner, arg})
				}
			}
		}
		if len(items) > 0 {
			return items, of, ""
		}
	}
	return nil, of, "its nested blocks do not have one value each"
}

// blockLines returns the lines of a block, and with them an empty line before it.
func (s site) blockLines(b *hclsyntax.Block) (from, to int) {
	from, to = lineStart(s.src, b.Range().Start.Byte), s.nextLine(b.Range().End.Byte)
	if before := s.src[:from]; bytes.HasSuffix(before, []byte("\n\n")) {
		from--
	}
	return from, to
}

// nextLine returns where the next line begins.
func (s site) nextLine(at int) int {
	if i := bytes.IndexByte(s.src[at:], '\n'); i >= 0 {
		return at + i + 1
	}
	return len(s.src)
}
