package document

import "context"

// Load reads a definition: it parses the content and puts in its inputs, includes files, each of
// them expanded in the same way, merges them with the including file last, and then resolves extends
// and references. A fault of the definition is an *Error.
func Load(ctx context.Context, r Request) (*Document, error) {
	panic("not written yet")
}
