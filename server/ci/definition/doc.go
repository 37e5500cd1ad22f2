// Package definition says what the tree of a pipeline's definition means: which jobs it has, and
// which of them a pipeline gets (ci §1).
//
// Check validates a tree, in the words of the linter, and makes a Config of it. Config.Select
// evaluates the rules of workflow and jobs for a commit, and returns the jobs of the pipeline. The
// package knows no server: what it needs of one is in Context.
package definition
