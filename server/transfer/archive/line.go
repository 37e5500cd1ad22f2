package archive

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"iter"
	"os"
	"path/filepath"
	"strings"
)

// MaxLine is how many bytes a line, and so a document, may have.
const MaxLine = 50 << 20

// Line is a document of a relation, not decoded yet.
type Line struct {
	Number int    // from 0; empty lines count
	Data   []byte // valid until the next line
}

// Lines iterates over the documents of a relation, known or not; a relation without a file has
// none. Empty lines and null are left out. A line that is too long gives ErrJSON with its number,
// and the iteration goes on; any other error ends it.
func (a *Archive) Lines(relation string) iter.Seq2[Line, error] {
	return func(yield func(Line, error) bool) {
		name := filepath.Join(a.dir, filepath.FromSlash(relationFile(relation)))
		if strings.ContainsAny(relation, "/\\") || !isFile(name) {
			return
		}
		f, err := os.Open(name)
		if err != nil {
			yield(Line{}, err)
			return
		}
		defer f.Close()
		eachLine(f, yield)
	}
}

func eachLine(r io.Reader, yield func(Line, error) bool) {
	in := lineReader{from: bufio.NewReaderSize(r, 64<<10)}
	for number := 0; ; number++ {
		data, err := in.next()
		if err == io.EOF {
			return
		}
		if err == nil {
			if data = bytes.TrimSpace(data); len(data) == 0 || string(data) == "null" {
				continue
			}
		}
		if !yield(Line{Number: number, Data: data}, err) || err != nil && err != ErrJSON {
			return
		}
	}
}

// lineReader reads lines within the limit.
type lineReader struct {
	from *bufio.Reader
	line []byte
}

// next returns the next line, ErrJSON after one that is too long, or io.EOF.
func (l *lineReader) next() ([]byte, error) {
	l.line = l.line[:0]
	for long, some := false, false; ; some = true {
		part, err := l.from.ReadSlice('\n')
		long = long || len(l.line)+len(part) > MaxLine+1
		if !long {
			l.line = append(l.line, part...)
		}
		switch {
		case err == bufio.ErrBufferFull:
			continue
		case err == io.EOF && len(part) == 0 && !some:
			return nil, io.EOF
		case err != nil && err != io.EOF:
			return nil, err
		case long:
			l.line = nil
			return nil, ErrJSON
		}
		return l.line, nil
	}
}

// Decode returns the document of a line. What does not fit its type is ErrJSON, wrapped with the
// reason. Unknown attributes are ignored.
func Decode[T any](l Line) (document T, err error) {
	if err := json.Unmarshal(l.Data, &document); err != nil {
		return document, &DocumentError{Reason: err}
	}
	return document, nil
}

// DocumentError is why a line is not a document of its relation.
type DocumentError struct {
	Reason error
}

// Error implements error.
func (e *DocumentError) Error() string { return string(ErrJSON) + ": " + e.Reason.Error() }

// Unwrap returns ErrJSON and the reason.
func (e *DocumentError) Unwrap() []error { return []error{ErrJSON, e.Reason} }
