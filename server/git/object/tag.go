package object

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
)

// Tag is an annotated tag.
type Tag struct {
	Object    ID
	Kind      Kind // of Object
	Name      string
	Tagger    Signature // zero in tags of 2005
	Extra     []Header
	Message   string // without the signature
	Signature string // the armored signature at the end of the message, with its last line feed

	// raw is what was parsed, more than the fields say; the strings above are parts of it.
	raw string
}

// armors are the lines that signatures begin with.
var armors = []string{
	"-----BEGIN PGP SIGNATURE-----",
	"-----BEGIN PGP MESSAGE-----",
	"-----BEGIN SIGNED MESSAGE-----",
	"-----BEGIN SSH SIGNATURE-----",
}

// ParseTag reads a tag. It fails if object, type or tag is missing or malformed.
func ParseTag(data []byte) (*Tag, error) {
	t, err := parseTag(string(data))
	if err != nil {
		return nil, fmt.Errorf("parse tag: %w", err)
	}
	return t, nil
}

func parseTag(text string) (*Tag, error) {
	headers, message, err := cutHeaders(text)
	if err != nil {
		return nil, err
	}
	if len(headers) < 3 || headers[0].Key != "object" || headers[1].Key != "type" || headers[2].Key != "tag" {
		return nil, errors.New("it does not begin with object, type and tag")
	}
	t := &Tag{Name: headers[2].Value, raw: text}
	if t.Object, err = ParseID(headers[0].Value); err != nil {
		return nil, err
	}
	if t.Kind, err = ParseKind(headers[1].Value); err != nil {
		return nil, err
	}
	headers = headers[3:]
	if len(headers) > 0 && headers[0].Key == "tagger" {
		t.Tagger = ParseSignature(headers[0].Value)
		headers = headers[1:]
	}
	if len(headers) > 0 {
		t.Extra = headers
	}
	start := signatureStart(message)
	t.Message, t.Signature = message[:start], message[start:]
	return t, nil
}

// signatureStart returns where the last signature of a message begins, or the length of the message
// if there is none.
func signatureStart(message string) int {
	start, at := len(message), 0
	for line := range strings.Lines(message) {
		for _, armor := range armors {
			if strings.HasPrefix(line, armor) {
				start = at
			}
		}
		at += len(line)
	}
	return start
}

// Encode returns the content of the object. If t was parsed and not changed since, these are the
// bytes that were parsed.
func (t *Tag) Encode() []byte {
	if t.raw != "" {
		if parsed, err := parseTag(t.raw); err == nil && reflect.DeepEqual(parsed, t) {
			return []byte(t.raw)
		}
	}
	return t.encode()
}

func (t *Tag) encode() []byte {
	dst := make([]byte, 0, 256+len(t.Message)+len(t.Signature))
	dst = appendHeader(dst, "object", t.Object.String())
	dst = appendHeader(dst, "type", t.Kind.String())
	dst = appendHeader(dst, "tag", t.Name)
	if t.Tagger != (Signature{}) {
		dst = append(t.Tagger.append(append(dst, "tagger "...)), '\n')
	}
	for _, h := range t.Extra {
		dst = appendHeader(dst, h.Key, h.Value)
	}
	dst = append(dst, '\n')
	dst = append(dst, t.Message...)
	return append(dst, t.Signature...)
}

// SignedPayload returns what the signature signs: the tag up to the signature.
func (t *Tag) SignedPayload() []byte {
	data := t.Encode()
	return data[:len(data)-len(t.Signature)]
}
