// Package config reads a directory of HCL files and evaluates it into the
// objects that it declares.
//
// Load parses, checks everything that can be checked without a host, and links
// references into an acyclic graph of nodes: blocks, local values, outputs. An
// Eval walks that graph once a wave and asks an Oracle for what only planning
// knows; between waves it repeats only what depends on new answers.
//
// Errors are gathered, never returned one by one: a block that is in error is
// spoiled, so that nothing is said of what refers to it, and all that is sound is
// evaluated for errors of its own. They leave the package through Config.seal,
// which sorts them and takes secrets out. testdata/bad holds one of each.
//
// Values carry marks: schema.Secret on what must not be shown, and an
// unexported one naming the instance that a value comes from, which is how the
// order of changes and the targets of references to things not yet created are
// found.
package config
