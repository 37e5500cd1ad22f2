// Package rewrite changes the files of a configuration so that they state what others have changed
// on the host. A literal is replaced by the live value where it stands; comments, layout and
// everything else stay. What is not a literal is left for people, with the reason.
//
// The main invariant: each rewritten value is parsed again and compared with the live one before it
// counts as written, and no secret is written or shown.
//
// Adopt walks over the drift of a plan. Reading order: object.go (one object), set.go (the entries
// of a set), site.go (finds where a value is written), literal.go (replaces it there), list.go and
// map.go (values with elements) on elements.go (adds and removes elements), block.go (lists that
// are written as nested blocks), alias.go (arguments under Terraform's names), text.go and
// expression.go (how values are written), meaning.go (compares them with the live values),
// splice.go (applies the edits to a file).
package rewrite
