package document

import (
	"cmp"
	"context"
	"time"
)

// Request is what Load makes a document of.
type Request struct {
	// File is the path of Content as errors show it, such as ".gitlab-ci.yml".
	File    string
	Content []byte
	// Include stands for a content that has nothing but this value of `include`: the one of
	// `trigger: include:`, or a definition that lives in another project. Content is not read then.
	Include *Node
	// Origin is where local paths of the content refer to.
	Origin Origin
	// Inputs are the values for `spec: inputs:` of the content, a map; nil for none.
	Inputs *Node

	// Files gives what is included; nil means that no file exists.
	Files Files
	// Variables are those that include paths and expand_vars know: of the instance, groups and
	// project, of the pipeline and the predefined ones that exist before a pipeline. References
	// inside of their values are expanded already.
	Variables map[string]Variable
	// Rules evaluates `include: rules:` of a file of the origin and reports whether the file is
	// included. An *Error of its own needs no place. Nil means that all rules hold.
	Rules func(ctx context.Context, rules *Node, from Origin) (bool, error)
	// Child is whether the pipeline has a parent. Only then are files of artifacts included.
	Child bool

	Limits Limits
}

// Variable is a CI variable. The value of a masked one is hidden in texts and locations, and
// expand_vars refuses it.
type Variable struct {
	Value  string
	Masked bool
}

// Limits bounds what one definition costs. A zero field means the default.
type Limits struct {
	// FileBytes is the size of a file (2 MiB).
	FileBytes int
	// ParsedBytes is the size of a file's tree with its aliases followed (2 MiB): 40 bytes a value
	// and the text beyond 23 bytes.
	ParsedBytes int
	// Depth is that of the tree (100).
	Depth int
	// Files is the number of included files, nested and repeated ones counted (150).
	Files int
	// TotalBytes is the size of all files together (300 MiB).
	TotalBytes int
	// MergedBytes is the size of all trees together, and of the one that is made of them with
	// everything followed, measured as ParsedBytes (16 MiB).
	MergedBytes int
	// Time is for reading all files (30 s).
	Time time.Duration
}

// withDefaults returns the limits with defaults for zero fields.
func (l Limits) withDefaults() Limits {
	const mib = 1 << 20
	return Limits{
		FileBytes:   cmp.Or(l.FileBytes, 2*mib),
		ParsedBytes: cmp.Or(l.ParsedBytes, 2*mib),
		Depth:       cmp.Or(l.Depth, 100),
		Files:       cmp.Or(l.Files, 150),
		TotalBytes:  cmp.Or(l.TotalBytes, 300*mib),
		MergedBytes: cmp.Or(l.MergedBytes, 16*mib),
		Time:        cmp.Or(l.Time, 30*time.Second),
	}
}
