package load

import (
	"encoding/json"
	"errors"
	"iter"

	"hew/server/transfer/archive"
)

// Lines returns the documents of a relation of an archive. Those that are not JSON of its type have
// the error.
func Lines(a *archive.Archive, r archive.Relation) iter.Seq2[Document, error] {
	return func(yield func(Document, error) bool) {
		for line, err := range a.Lines(r.Name) {
			d := Document{Line: line.Number, Size: len(line.Data), Value: r.New(), Err: err}
			if err != nil && !errors.Is(err, archive.ErrJSON) {
				yield(d, err)
				return
			}
			if err == nil {
				if err := json.Unmarshal(line.Data, d.Value); err != nil {
					d.Err = &archive.DocumentError{Reason: err}
				}
			}
			if !yield(d, nil) {
				return
			}
		}
	}
}
