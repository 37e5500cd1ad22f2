package wiki

import (
	"path"
	"strings"
)

// Format is how the text of a page is marked up, as the API names it.
type Format string

// The formats that the API writes. Git clients can bring others.
const (
	Markdown Format = "markdown"
	RDoc     Format = "rdoc"
	AsciiDoc Format = "asciidoc"
	Org      Format = "org"
)

// extensions lists the formats of files by their extensions, in lower case.
var extensions = map[string]Format{
	"md": Markdown, "mkd": Markdown, "mkdn": Markdown, "mdown": Markdown, "markdown": Markdown,
	"rdoc": RDoc, "adoc": AsciiDoc, "asciidoc": AsciiDoc, "org": Org,
	"textile": "textile", "creole": "creole", "rst": "rest", "rest": "rest", "mediawiki": "mediawiki",
	"wiki": "mediawiki", "pod": "pod", "txt": "plaintext",
}

// extensionOf returns the extension of new files of a format.
func extensionOf(f Format) string {
	if f == Markdown {
		return "md"
	}
	return string(f)
}

// splitName returns the path of a file without its extension, and the format that the extension
// stands for, "" if it is not a page. A name that begins with its only dot has no extension.
func splitName(file string) (bare string, f Format) {
	ext := path.Ext(file)
	bare = strings.TrimSuffix(file, ext)
	if bare == "" || strings.HasSuffix(bare, "/") {
		return file, ""
	}
	return bare, extensions[strings.ToLower(strings.TrimPrefix(ext, "."))]
}

// slugOf returns the text with dashes for blanks.
func slugOf(text string) string { return strings.ReplaceAll(text, " ", "-") }
