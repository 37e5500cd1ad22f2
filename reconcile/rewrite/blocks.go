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

// nestedItem is an element of a list that is written as an argument of a nested
// block.
type nestedItem struct {
	block *hclsyntax.Block
	arg   *hclsyntax.Attribute
}

// blocks changes a list that is written as nested blocks, an element each: whole
// blocks come and go.
func (s site) blocks(b *config.Block, p plan.PathChange) (edits []edit, why string) {
	items, of, why := s.items(b, p)
	if why != "" {
		return nil, why
	}
	was := make([]cty.Value, len(items))
	for i, item := range items {
		if was[i], why = constant(item.arg.Expr); why != "" {
			return nil, why
		}
	}
	wants := spoken(p.Attr, nil, p.Before, cty.TupleVal(was)).AsValueSlice()
	if len(wants) == 0 {
		return nil, "blocks cannot say that there is nothing"
	}
	r := rewriting{src: s.src, same: sameAs(p)}
	stays, taken := r.anywhere(was, wants), map[int]bool{}
	last := items[len(items)-1]
	for i, item := range items {
		j, stay := stays[i]
		if taken[j] = taken[j] || stay; stay {
			continue
		}
		from, to := lineAt(s.src, item.arg.SrcRange.Start.Byte), s.lineAfter(item.arg.SrcRange.End.Byte)
		if len(item.block.Body.Attributes) == 1 {
			from, to = s.alone(item.block)
		}
		edits = append(edits, edit{from, to, ""})
	}
	begin := last.block.Range().Start.Byte
	margin, apart := string(s.src[lineAt(s.src, begin):begin]), ""
	if bytes.HasSuffix(s.src[:lineAt(s.src, begin)], []byte("\n\n")) {
		apart = "\n"
	}
	at := s.lineAfter(last.block.Range().End.Byte)
	for j, want := range wants {
		if !taken[j] {
			edits = append(edits, edit{at, at, fmt.Sprintf("%s%s%s {\n%s  %s = %s\n%s}\n", apart, margin, of.Name, margin, last.arg.Name, inline(want), margin)})
		}
	}
	return edits, ""
}

// items are the elements as they are written, and the block that they are
// written as.
func (s site) items(b *config.Block, p plan.PathChange) (items []nestedItem, of schema.Block, why string) {
	known := b.Kind.Blocks
	if b.Alias != nil {
		known = b.Alias.Blocks
	}
	for _, of = range known {
		for _, inner := range s.within.Body.Blocks {
			if inner.Type == "dynamic" && len(inner.Labels) == 1 && inner.Labels[0] == of.Name {
				return nil, of, "a dynamic block makes it"
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
	return nil, of, "it is written as blocks that are not one value each"
}

// alone is a block with its lines, and one of the empty lines around it where
// there are two.
func (s site) alone(b *hclsyntax.Block) (from, to int) {
	from, to = lineAt(s.src, b.Range().Start.Byte), s.lineAfter(b.Range().End.Byte)
	if before := s.src[:from]; bytes.HasSuffix(before, []byte("\n\n")) {
		from--
	}
	return from, to
}

// lineAfter is where the next line begins.
func (s site) lineAfter(at int) int {
	if i := bytes.IndexByte(s.src[at:], '\n'); i >= 0 {
		return at + i + 1
	}
	return len(s.src)
}
