// Package document reads the files of a pipeline's definition and makes one tree of them: YAML,
// inputs, includes, extends and references. It knows nothing of jobs, of projects or of a server:
// files come from whoever implements Files.
//
// # What is left to do after Load
//
// The tree is immutable: its parts are shared wherever an alias, `extends` or `!reference` used
// them more than once. Change a copy.
//
// A list that a reference stands for stays a list inside its list: whoever reads a script, rules or
// stages flattens it (up to ten levels). A job keeps its `extends`, hidden jobs stay, `include` is
// gone. `.pre` and `.post` are not added to `stages`.
//
// # YAML
//
// Scalars are those of YAML 1.1 in the way that Ruby's library reads them, which definitions are
// written for: 012 is 10, yes and on are true, y is text, 1:30 is 5400, 1,000 is 1000, 1e3 is text.
// Dates are text. A merge key takes effect where it stands: it replaces the keys before it and the
// keys after it replace its own.
package document
