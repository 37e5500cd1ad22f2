package nuget

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/unicode"

	"hew/schema/pattern"
)

// declaration is the XML declaration of a document, with its encoding.
var declaration = pattern.Lazy(`^\s*<\?xml\s[^>]*?\?>`)

var declaredEncoding = pattern.Lazy(`\sencoding\s*=\s*["']([A-Za-z0-9._-]{1,40})["']`)

// decode returns the text of a document without its declaration. The bytes tell the encoding,
// since declarations are often wrong: UTF-16 with or without byte order mark, else UTF-8 if they
// are valid in it, else what is declared.
func decode(content []byte) (string, error) {
	if order, ok := utf16Order(content); ok {
		decoded, err := unicode.UTF16(order, unicode.UseBOM).NewDecoder().Bytes(content)
		if err != nil {
			return "", invalid("the manifest is not valid UTF-16: %w", err)
		}
		return undeclared(decoded), nil
	}
	content = bytes.TrimPrefix(content, []byte("\uFEFF"))
	if utf8.Valid(content) {
		return undeclared(content), nil
	}
	charset, err := declared(content)
	if err != nil {
		return "", err
	}
	decoded, err := charset.NewDecoder().Bytes(content)
	if err != nil {
		return "", invalid("the manifest is not in its encoding: %w", err)
	}
	return undeclared(decoded), nil
}

// utf16Order returns the byte order of UTF-16: by its mark or else by where the zero is in a "<".
func utf16Order(content []byte) (unicode.Endianness, bool) {
	switch {
	case bytes.HasPrefix(content, []byte("\xff\xfe")), bytes.HasPrefix(content, []byte("<\x00")):
		return unicode.LittleEndian, true
	case bytes.HasPrefix(content, []byte("\xfe\xff")), bytes.HasPrefix(content, []byte("\x00<")):
		return unicode.BigEndian, true
	}
	return unicode.LittleEndian, false
}

// declared returns the encoding that a document declares.
func declared(content []byte) (encoding.Encoding, error) {
	found := declaredEncoding().FindSubmatch(declaration().Find(content))
	if found == nil {
		return nil, invalid("the manifest is not valid UTF-8, and declares no encoding")
	}
	charset, err := htmlindex.Get(strings.ToLower(string(found[1])))
	if err != nil {
		return nil, invalid("the encoding %q of the manifest is not known", found[1])
	}
	if charset == encoding.Replacement {
		return nil, invalid("the encoding %q of the manifest is not supported", found[1])
	}
	return charset, nil
}

// undeclared returns a text without declaration, which would contradict that it is UTF-8 now.
func undeclared(text []byte) string {
	return string(text[len(declaration().Find(text)):])
}
