// Package foreign translates blocks that are written for Terraform: in its names
// for kinds and attributes, in files made for it. Syntax goes in, and syntax comes
// out. Package config reads the block and hands it over with the alias that its
// type names; it gets back arguments and nested blocks under the kind's own names,
// as expressions that still say where they were written. From there on a
// translated block is like any other.
//
//	block.go    Translate: a block into the kind's own arguments; required.go, missing arguments
//	nested.go   its nested blocks: lists, objects, and blocks that are objects of another kind
//	alias.go    which alias a block goes by, and what its body may hold
//	value.go    the other way: values of the kind under Terraform's names, for expressions
//	name.go     which of these names there are
//	path.go     ignore_changes and import IDs, which use those names as well
//	file.go     files, providers and words that only Terraform has
//
// What the names are is a table: [schema.Alias], which the provider fills.
//
// The package knows nothing of evaluation. Where a value comes from, and which
// instance it identifies, are marks that package config puts on values before and
// after [Value], so that they are unknown here.
package foreign
