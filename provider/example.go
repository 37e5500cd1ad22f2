package provider

import "embed"

// examples has an example of every kind: examples/KIND.hcl, or data_KIND.hcl for a
// source. Reference pages show it, and tests apply it to a server, together with
// examples/shared.hcl, which declares what it refers to.
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
