package wiki

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"hew/server/fault"
	"hew/server/git/object"
)

// The limits of titles, in bytes. A file system allows names of 255 bytes, of which the extension
// takes ten.
const (
	maxTitle     = 245
	maxDirectory = 255
	maxSlug      = 2000 // of all directories and the title
)

// squish returns a title without blanks at the ends of its directories and without more than one at
// once in between. Directories without a name are left out.
func squish(title string) string {
	var parts []string
	for part := range strings.SplitSeq(title, "/") {
		if part = strings.Join(strings.Fields(part), " "); part != "" {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, "/")
}

// checkTitle returns what is wrong with a title that was squished.
func checkTitle(title string) error {
	refuse := func(format string, values ...any) error {
		return fault.Invalid("title", fmt.Sprintf(format, values...))
	}
	if title == "" {
		return refuse("can't be blank")
	}
	if len(title) > maxSlug {
		return refuse("is too long (maximum is %d bytes with its directories)", maxSlug)
	}
	if !utf8.ValidString(title) || strings.ContainsFunc(title, isHarmful) {
		return refuse("contains control characters")
	}
	parts := strings.Split(slugOf(title), "/")
	for i, part := range parts {
		switch {
		case i == len(parts)-1 && len(part) > maxTitle:
			return refuse("exceeds the limit of %d bytes", maxTitle)
		case len(part) > maxDirectory:
			return refuse("exceeds the limit of %d bytes for directory name %q", maxDirectory, part)
		case object.CheckName(part) != nil:
			return refuse("contains %q, which cannot be the name of a file or directory", part)
		}
	}
	return nil
}

// isHarmful reports whether a character cannot be seen in a title, or changes how others are shown.
func isHarmful(r rune) bool {
	return unicode.IsControl(r) || r == utf8.RuneError || r == '\u2028' || r == '\u2029' ||
		unicode.Is(unicode.Bidi_Control, r)
}

// retitle returns the new title of a page, in full: one without a directory stays in that of the
// page, and one that begins with a slash is in the root.
func retitle(slug, title string) string {
	asked := squish(title)
	if strings.HasPrefix(title, "/") || strings.Contains(asked, "/") {
		return asked
	}
	if i := strings.LastIndexByte(slug, '/'); i >= 0 && asked != "" {
		return slug[:i+1] + asked
	}
	return asked
}
