package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
)

// checksum is that of a document but for its own, however it is laid out. It is no
// signature: it is for whoever edits a plan to make it do something else, which
// it cannot, or takes for true what somebody has edited.
func checksum(document []byte) (string, error) {
	var all map[string]any
	read := json.NewDecoder(bytes.NewReader(document))
	read.UseNumber() // as long as they were written
	if err := read.Decode(&all); err != nil {
		return "", err
	}
	delete(all, "checksum")
	text, err := json.Marshal(all)
	return fmt.Sprintf("sha256:%x", sha256.Sum256(text)), err
}

// sealed is the document with its checksum.
func (d *document) sealed() (*document, error) {
	text, err := json.Marshal(d)
	if err != nil {
		return nil, err
	}
	whole := *d
	whole.Checksum, err = checksum(text)
	return &whole, err
}

// intact refuses a document that is not as hew wrote it. One without a checksum
// nobody can tell of.
func (d *document) intact(name string, raw []byte) error {
	sum, err := checksum(raw)
	if err != nil {
		return damaged(name, err)
	}
	if d.Checksum != "" && d.Checksum != sum {
		return fmt.Errorf("%s was changed after hew wrote it, so what it shows is not what hew %s has said. Make it again; "+
			"a plan that is to do something else takes another configuration", name, d.Command)
	}
	return nil
}
