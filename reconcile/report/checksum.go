package report

import (
	"bytes"
	"crypto/sha256"
	"fmt"
)

// checksum returns the checksum of a document without its own checksum field, whatever its layout.
// It is not a signature. It detects edits: of users who expect an edited plan to be applied, and in
// documents that others read.
func checksum(document []byte) (string, error) {
	text, err := canonical(document, "checksum")
	return sha(text), err
}

func sha(text []byte) string { return fmt.Sprintf("sha256:%x", sha256.Sum256(text)) }

// sealed returns the document with its checksum, and its encoding. Both need the same
// work.
func (d *Document) sealed() (*Document, []byte, error) {
	whole := *d
	whole.Checksum = ""
	text, err := compactJSON(whole)
	if err != nil {
		return nil, nil, err
	}
	whole.Checksum = sha(canonicalOf(text, "checksum"))
	const none = `"checksum":"` // only plain texts are before it, in which the quotes would be escaped
	return &whole, bytes.Replace(text, []byte(none), []byte(none+whole.Checksum), 1), nil
}

// intact fails if a document was changed after hew wrote it. Documents without a
// checksum cannot be checked.
func (d *Document) intact(name string, raw []byte) error {
	sum, err := checksum(raw)
	if err != nil {
		return Damaged(name, err)
	}
	if d.Checksum != "" && d.Checksum != sum {
		return fmt.Errorf("%s was changed after hew wrote it, so what it shows is not what hew %s has said. Make it "+
			"again; "+
			"a plan that is to do something else takes another configuration", name, d.Command)
	}
	return nil
}
