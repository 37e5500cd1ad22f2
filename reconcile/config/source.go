package config

import (
	"slices"

	"github.com/hashicorp/hcl/v2"
)

// source is a directory that was parsed.
type source struct {
	blocks   hcl.Blocks
	varFiles []string
	missing  bool     // not there, or without files
	partial  bool     // some of it does not parse
	misspelt []string // names that blocks of a misspelt type declare
}

// read parses the files of a directory, once however often it is called. What
// does not parse is reported and left out. at is where the directory is named.
func (l *loader) read(dir string, at *hcl.Range) *source {
	names, varFiles, diags := listFiles(l.dir, dir)
	for _, d := range diags {
		d.Subject = at
	}
	l.add(diags)
	s := &source{varFiles: varFiles, missing: diags.HasErrors()}
	files, diags := parseAll(l.dir, names)
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
		if overrideFile.MatchString(top.Filename) {
			l.override(s, content.Blocks)
			continue
		}
		s.blocks = append(s.blocks, content.Blocks...)
	}
	return s
}

// unsound tells whether a file does not parse: what was made out of it is left
// aside, for its writer may have meant something else.
func unsound(diags hcl.Diagnostics, f *hcl.File) bool {
	name := f.Body.MissingItemRange().Filename
	return slices.ContainsFunc(diags,
		func(d *hcl.Diagnostic) bool { return d.Subject != nil && d.Subject.Filename == name })
}
