package document

// Document is a definition with everything that it includes.
type Document struct {
	// Root is the merged map, without `include`, with extends and references resolved.
	Root *Node
	// Includes are the files, each with every time that it was included: those of a file before
	// those that they include.
	Includes []Include
}

// Include is an included file, as the lint API shows it. Values of masked variables are hidden.
type Include struct {
	Form     Form
	Location string
	// Blob and Raw are addresses; empty for none.
	Blob, Raw string
	// Extra is a map: the other keys of a local include, project and ref of one of another project,
	// job_name of an artifact.
	Extra *Node
	// Context is the origin of the file that has the include.
	Context Origin
}
