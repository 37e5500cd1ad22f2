package config

import (
	"github.com/hashicorp/hcl/v2"

	"hew/reconcile/addr"
	"hew/schema"
)

// Block is a resource, data or exclusive block as written. All its instances
// share it.
type Block struct {
	Addr      addr.Block
	Kind      *schema.Kind
	Lifecycle Lifecycle
	Decl      hcl.Range
	attrs     map[string]hcl.Range
}

// Range is where the named attribute is written, or the block's own range.
func (b *Block) Range(attr string) hcl.Range {
	if r, ok := b.attrs[attr]; ok {
		return r
	}
	return b.Decl
}
