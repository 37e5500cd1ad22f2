// Package config loads a directory of HCL files and evaluates it into the objects
// that it declares.
//
// It works in two phases. [Load] needs no host: it parses the files, checks
// whatever can be checked without values, and resolves every reference, so that
// blocks, local values and outputs form an acyclic graph. [Eval] evaluates that
// graph into a [Result]. It does so in waves, because some values become known only
// while a plan reads the host: before each wave an [Oracle] may have learned more,
// and a wave repeats only what depends on that.
//
// Terms:
//
//   - A module is a directory at one place in the tree of module calls.
//   - A frame is an instance of a module. A call with for_each has several.
//   - A node is anything with expressions. It belongs to a module, and has a state
//     in each frame of that module.
//   - A mark travels with a value. schema.Secret hides it from output; an origin
//     records which instance it comes from, which gives the order of changes and
//     the targets of references to objects that do not exist yet.
//
// What every part of the package keeps to:
//
//   - All errors of a run are reported together, each once and on its own line.
//     Nothing is reported that only follows from another error: whatever refers to
//     something with errors gets an unknown value.
//   - Diagnostics have a constant summary (testdata/summaries.txt), and their words
//     for all tests are in testdata/messages.txt. They leave the package through
//     seal, which removes secrets.
//   - A Config is immutable. An Eval keeps the state.
//
// # Load
//
//	loader.go              Load, and how blocks are declared as nodes
//	source.go              a directory of files; parse.go parses both syntaxes, json.go explains JSON's
//	override.go            override files
//	root.go                the blocks at the top level, with the function that loads each
//	body.go                arguments and blocks of a body, and errors about unexpected ones
//	resource.go            resource, data and exclusive blocks; block.go, what is kept of them
//	nested.go              nested blocks that set lists
//	lifecycle.go           lifecycle blocks; condition.go, conditions of all kinds
//	shape.go               keys of object literals
//	foreign.go             blocks and files that are written for Terraform, by package foreign
//	name.go                what expressions call the attributes of a block
//	module.go              modules; call.go, the module blocks that call them
//	variable.go            variables; variable_value.go, their values in the root
//	settings.go            the hew block; settings_provider.go, the provider block
//	constant.go            arguments that are needed before evaluation; version.go, required_version
//	move.go                moved and removed blocks
//	import.go              import blocks; import_check.go, what they import
//	check.go               check blocks
//
// Then link.go resolves the references of every node:
//
//	reference.go           to blocks and local values; suggest.go, what was meant by others
//	reference_module.go    to variables, outputs and self
//	trigger.go             in replace_triggered_by
//	mention.go             which attributes they use
//	syntax.go              syntax that HCL accepts silently
//	node.go                nodes in the order of evaluation, or a cycle
//
// # Evaluation
//
//	eval.go                Eval and Run
//	owner.go               blocks that need no new evaluation when their owners are known
//	frame.go               frames of modules
//	scope.go               the variables that an expression can use
//	repetition.go          for_each and count
//	decoder.go             one block into instances
//	stated.go              which argument states an attribute, if any
//	argument.go            the value of an argument; reference_value.go, of a reference; set.go, elements of sets
//	typename.go            types in error messages
//	origin.go              marks of origin
//	probe.go               finds which object a reference leads to through functions
//	blocked.go             what cannot be planned, and what that blocks
//	result.go              what comes out; result_collect.go assembles it
//	expression.go          a single expression, for the console
//	bounded.go             conditionals and searches in linear time; bounded_loop.go limits loops
//	interrupt.go           stops an evaluation; memory.go, because of its memory
//
// # Limits
//
// A configuration can come from a merge request, so evaluating it must end. HCL can neither be
// interrupted within an expression nor be told how large its value may become: a template or a
// for expression within others multiplies its size. Nothing could be counted beforehand, so an
// evaluation runs in a goroutine that is left to itself when its context ends or when the heap
// passes a limit, and the command ends with an error. The heap is one measure for whatever HCL and
// cty allocate, and 4 GiB is four times what 50,000 objects take. A chain of values, each twice
// the one before, takes little memory where elements are shared but for ever to walk, so each
// value of a local value, variable or output is limited by itself. HCL compares the type of each
// element of a conditional's results with every other, and visits whole arguments on every call of
// a function. So conditionals and calls of contains are replaced after parsing by expressions that
// take linear time, and the elements that loops and functions visit are counted and limited. Files
// in the JSON syntax are parsed by HCL as they are evaluated, so that only functions count there.
// Functions limit their results, and nesting is limited before parsing: see package function.
//
// # Around both
//
//	report.go              collecting errors
//	diagnostic.go          making them fit for output; hint.go adds what a value does have
//	secret.go              hiding secrets in source
//	dependency.go          which blocks depend on which, without evaluation
//	shared.go              whether a line applies to several objects, for package rewrite
//
// Functions are in package function, Terraform's names in package foreign, and
// expressions that are made of other expressions in package composite.
package config
