package nuget

import (
	"fmt"
	"io"
	"strings"

	"hew/schema/pattern"
	"hew/server/zipfile"
)

// The limits of symbols in a package.
const (
	MaxSymbols     = 100     // files
	MaxSymbolBytes = 1 << 30 // of all files together, unpacked
)

// Symbol is a file of debugging symbols in a package.
type Symbol struct {
	Path string // with slashes, such as "lib/net8.0/Acme.pdb"
	Size int64  // bytes, unpacked

	entry zipfile.Entry
	zip   *zipfile.Archive
}

// Symbols returns the files .pdb of the package. None is unpacked before it is opened.
func (a *Archive) Symbols() ([]Symbol, error) {
	var found []Symbol
	left := int64(MaxSymbolBytes)
	for _, e := range a.zip.Entries {
		name, ok := cleanName(e)
		if !ok || !hasExtension(name, ".pdb") {
			continue
		}
		if len(found) == MaxSymbols {
			return nil, TooManySymbols
		}
		if e.Size > left {
			return nil, fmt.Errorf("%w: they have more than %d bytes together", SymbolsTooLarge, MaxSymbolBytes)
		}
		left -= e.Size
		found = append(found, Symbol{Path: name, Size: e.Size, entry: e, zip: a.zip})
	}
	return found, nil
}

// Open returns a reader of the file, which fails beyond s.Size. A file can be opened again.
func (s Symbol) Open() (io.Reader, error) {
	r, err := s.zip.Open(s.entry)
	if err != nil {
		return nil, describe(err)
	}
	return describingReader{r}, nil
}

// Key reads the file for what debuggers ask for it by; see [ReadSymbolKey].
func (s Symbol) Key() (key SymbolKey, portable bool, err error) {
	r, err := s.Open()
	if err != nil {
		return SymbolKey{}, false, err
	}
	return ReadSymbolKey(r)
}

// describingReader makes errors of the archive problems of the package.
type describingReader struct{ from io.Reader }

// Read implements io.Reader.
func (r describingReader) Read(p []byte) (int, error) {
	n, err := r.from.Read(p)
	return n, describe(err)
}

// checksums matches an element of the header Symbolchecksum.
var checksums = pattern.Lazy(`(?i)^SHA256:([0-9a-f]{64})$`)

// ParseChecksums returns the SHA-256 checksums in a header Symbolchecksum, such as
// "SHA256:<digits>", which may list several with commas between them, in lower case. Those of other
// algorithms are left out.
func ParseChecksums(header string) []string {
	var found []string
	for _, element := range strings.FieldsFunc(header, func(r rune) bool { return strings.ContainsRune(",; \t", r) }) {
		if match := checksums().FindStringSubmatch(element); match != nil {
			found = append(found, strings.ToLower(match[1]))
		}
	}
	return found
}
