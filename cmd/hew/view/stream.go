package view

import (
	"io"
)

// Stream remembers that something could not be written. Who prints goes on, and
// the run ends with the error: an answer that a full disk cut short is none.
type Stream struct {
	io.Writer
	Err error
}

// Write writes, and remembers the first error.
func (s *Stream) Write(p []byte) (int, error) {
	n, err := s.Writer.Write(p)
	if err != nil && s.Err == nil {
		s.Err = err
	}
	return n, err
}

// Unwrap returns what the stream leads to.
func (s *Stream) Unwrap() io.Writer { return s.Writer }

// bare is what a writer leads to in the end.
func bare(w any) any {
	switch s := w.(type) {
	case interface{ Unwrap() io.Writer }:
		return bare(s.Unwrap())
	}
	return w
}
