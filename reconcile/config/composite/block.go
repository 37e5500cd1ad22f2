package composite

import "github.com/hashicorp/hcl/v2"

// Block is a nested block: one that is written, or the content of a dynamic block.
type Block struct {
	Name    string // its type; of a dynamic block its label
	Body    hcl.Body
	Range   hcl.Range // its header, or that of the dynamic block
	Content hcl.Range // the same, or the header of the content block
	Dynamic *Dynamic  // nil for a block that is written
}

// Dynamic is what repeats the content of a dynamic block.
type Dynamic struct {
	ForEach  hcl.Expression
	Iterator string // the name of each element in the content
}
