// Package document reads the files of a pipeline's definition and makes one tree of them: YAML,
// inputs, includes, extends and references. It knows nothing of jobs, of projects or of a server:
// files come from whoever implements Files.
package document
