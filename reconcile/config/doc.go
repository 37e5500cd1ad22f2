// Package config reads a directory of HCL files and evaluates it into the
// objects that it declares.
//
// Load parses, checks everything that can be checked without a host, and links
// references into an acyclic graph of nodes: blocks, local values, outputs. An
// Eval walks that graph once a wave and asks an Oracle for what only planning
// knows; between waves it repeats only what depends on new answers.
//
// Values carry marks: schema.Secret on what must not be shown, and an
// unexported one naming the instance that a value comes from, which is how the
// order of changes and the targets of references to things not yet created are
// found.
//
// Four words. A *module* is a directory in one place of the tree of calls: what
// is written. A *frame* is an instance of one, for a call with for_each has many:
// what is evaluated. A *node* is a thing with expressions, once a module, and has
// a *state* in each of its frames.
//
// What comes out is in result.go. To load, in the order in which things happen:
//
//	loader.go        Load: files into blocks (source.go), blocks into nodes; parse.go reads both syntaxes
//	override.go    files that say anew what others have declared
//	root.go        what may stand at the top of a file, and which function reads it
//	body.go     what may stand in a block, and what is said of all else
//	resource.go    resource, data and exclusive blocks (block.go); lifecycle.go, condition.go; nested.go, blocks in them that make lists
//	module.go      modules; call.go, module blocks, and the directories that they call
//	variable.go        variables; variable_value.go has their values, typename.go says what does not fit
//	settings.go    the hew block, settings_provider.go the provider block, by constant.go; version.go
//	foreign.go     blocks and files that are written for Terraform, by package foreign; name.go, what expressions call attributes
//	move.go       moved and removed; import.go (its target: import_check.go) and check.go the blocks called so
//	shape.go     keys of object literals, which HCL drops or overwrites in silence
//	link.go        who refers to whom: reference.go, reference_module.go, trigger.go; suggest.go, what was meant; syntax.go, what HCL lets pass; mention.go to which attributes
//	node.go        the nodes in the order of evaluation, or the circle that they go in
//
// To evaluate:
//
//	eval.go        Run: what is new, node by node; frame.go, in every frame
//	scope.go       what the expressions of a node see
//	repetition.go      for_each and count into instances
//	decoder.go      expressions into objects; argument.go, an attribute's value; reference_value.go, references; set.go, elements
//	origin.go      marks: what a value comes from, and so what has to be done before
//	blocked.go     what cannot be planned, and what is blocked with it
//	result_collect.go      the Result; expression.go a single value, for a console
//	dependency.go      what depends on what, without evaluating anything
//	shared.go      whether a line stands for one object, and the files as they are, for whoever rewrites them
//
// Errors are gathered in a report (report.go) and all come out through diagnostic.go:
// once, in order, with their places, and without a word of what secret.go has
// masked; hint.go adds what there is instead of what was asked for. json.go makes
// the JSON syntax mean what the native one does. Functions are a package of their
// own.
package config
