package provider

import "embed"

// Every kind has an example: examples/KIND.hcl, or data_KIND.hcl for a source.
// It stands in reference pages and is applied to a server in the tests, next to
// what it refers to, which examples/shared.hcl declares.
//
//go:embed examples
var examples embed.FS

// SharedExample declares what the examples of kinds refer to without being
// about it: together with it, each of them can be applied.
func SharedExample() string { return example("shared") }

// example is the named file, or "" where there is none; a test asks for one of
// every kind.
func example(name string) string {
	text, _ := examples.ReadFile("examples/" + name + ".hcl")
	return string(text)
}
