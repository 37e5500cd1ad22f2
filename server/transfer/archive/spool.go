package archive

import (
	"bufio"
	"encoding/json"
	"io"
	"os"
)

// RelationWriter writes the documents of a relation. They stand in the archive after Close.
type RelationWriter struct {
	archive *Writer
	name    string
	spool   *spooled
	encode  *json.Encoder
}

// Relation begins a relation with any number of documents. Several can be open at once. The caller
// calls Close or Discard.
func (w *Writer) Relation(name string) (*RelationWriter, error) {
	s, err := newSpooled(w.spool)
	if err != nil {
		return nil, err
	}
	encode := json.NewEncoder(s.to)
	encode.SetEscapeHTML(false)
	return &RelationWriter{archive: w, name: name, spool: s, encode: encode}, nil
}

// Write adds a document.
func (r *RelationWriter) Write(document any) error { return r.encode.Encode(document) }

// Close writes the relation into the archive. A relation without documents has no file.
func (r *RelationWriter) Close() error { return r.spool.into(r.archive, relationFile(r.name)) }

// Discard gives the relation up. It does nothing after Close.
func (r *RelationWriter) Discard() { r.spool.discard() }

// spooled is a temporary file that is written once and then copied into the archive.
type spooled struct {
	file *os.File
	to   *bufio.Writer
}

func newSpooled(dir string) (*spooled, error) {
	f, err := os.CreateTemp(dir, "relation-")
	if err != nil {
		return nil, err
	}
	return &spooled{file: f, to: bufio.NewWriterSize(f, 64<<10)}, nil
}

// into copies the file into an archive, unless it is empty, and removes it.
func (s *spooled) into(w *Writer, name string) error {
	defer s.discard()
	if err := s.to.Flush(); err != nil {
		return err
	}
	size, err := s.file.Seek(0, io.SeekCurrent)
	if err != nil || size == 0 {
		return err
	}
	if _, err := s.file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	return w.File(name, size, s.file)
}

// discard removes the file. It does nothing the second time.
func (s *spooled) discard() {
	if s.file != nil {
		s.file.Close()
		os.Remove(s.file.Name())
		s.file = nil
	}
}
