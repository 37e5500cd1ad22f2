package config

import (
	"slices"

	"github.com/hashicorp/hcl/v2"
)

// source is a parsed directory.
type source struct {
	blocks   hcl.Blocks
	varFiles []string
	missing  bool     // does not exist, or has no files
	partial  bool     // some files do not parse
	misspelt []string // declared in blocks whose type is misspelt
}

// read parses the files of a directory the first time it is called for it. Files that do
// not parse are reported and left out. at is where the directory is named.
func (l *loader) read(dir string, at *hcl.Range) *source {
	names, varFiles, diags := listFiles(l.dir, dir)
	for _, d := range diags {
		d.Subject = at
	}
	l.add(diags)
	s := &source{varFiles: varFiles, missing: diags.HasErrors()}
	files, diags := parseAll(l.dir, names, l.work)
	l.add(diags)
	l.keepSources(names, files)
	if diags.HasErrors() {
		l.maskBroken()
		s.partial = true
	}
	for _, f := range files {
		if f == nil || unsound(diags, f) {
			continue
		}
		top := f.Body.MissingItemRange()
		content, sound := l.readBody(f.Body, topSchema(top.Filename), "The top level of a file", top)
		if !sound {
			s.misspelt = append(s.misspelt, misspeltBlocks(f.Body)...)
		}
		if overrideFile().MatchString(top.Filename) {
			l.override(s, content.Blocks)
			continue
		}
		s.blocks = append(s.blocks, content.Blocks...)
	}
	return s
}

// unsound reports whether a file does not parse. What the parser made of it is not used,
// because the author may have meant something else.
func unsound(diags hcl.Diagnostics, f *hcl.File) bool {
	name := f.Body.MissingItemRange().Filename
	return slices.ContainsFunc(diags,
		func(d *hcl.Diagnostic) bool { return d.Subject != nil && d.Subject.Filename == name })
}
