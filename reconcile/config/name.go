package config

import (
	"fmt"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"hew/reconcile/config/foreign"
	"hew/reconcile/didyoumean"
)

// names returns the attributes of a block, as expressions name them.
func (b *Block) names() []string {
	if b.Alias != nil {
		return foreign.Names(b.Alias)
	}
	return attrNames(b.Kind)
}

// has reports whether expressions can refer to an attribute of that name.
func (b *Block) has(name string) bool {
	if b.Alias != nil {
		return foreign.Has(b.Alias, name)
	}
	return b.Kind.Attr(name) != nil
}

// noAttribute returns an error detail: the block has no attribute of that name.
func (b *Block) noAttribute(name string) string {
	if b.Alias != nil {
		return foreign.NoAttribute(b.Alias, b.Addr.Kind, name)
	}
	return fmt.Sprintf("%s has no attribute %q.%s", b.Addr.Kind, name, didyoumean.Hint(name, b.names()))
}

// attr returns the kind's attribute that expressions name so.
func (b *Block) attr(name string) string {
	if b.Alias != nil {
		return foreign.Attr(b.Alias, name)
	}
	return name
}

// recordMention records that expressions use attributes of these names.
func (b *Block) recordMention(names ...string) {
	if b.mentionedAttrs == nil {
		b.mentionedAttrs, b.mentionedNames = map[string]bool{}, map[string]bool{}
	}
	for _, name := range names {
		if b.Alias == nil {
			b.mentionedAttrs[name] = true
			continue
		}
		b.mentionedNames[name] = true
		for _, attr := range foreign.Attrs(b.Alias, name) {
			b.mentionedAttrs[attr] = true
		}
	}
}

// misspeltBlocks returns the names of what a file declares in blocks whose type is
// probably misspelt.
func misspeltBlocks(b hcl.Body) (names []string) {
	body, ok := b.(*hclsyntax.Body)
	if !ok {
		return nil
	}
	for _, b := range body.Blocks {
		if typ := didyoumean.Nearest(b.Type, schemaNames(&rootSchema)); !isRootBlock(b.Type) && typ != "" {
			names = append(names, declaredName(typ, b.Labels))
		}
	}
	return names
}

// declaredName returns the name of what a block declares, as references begin.
func declaredName(typ string, labels []string) string {
	return strings.TrimPrefix(strings.Join(append([]string{typ}, labels...), "."), "resource.")
}
