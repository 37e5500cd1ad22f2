package view

import (
	"io"
)

// Stream remembers the first error of its writer. Printing goes on and the run ends with that
// error: an answer cut short by a full disk is not an answer.
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

// Unwrap returns the writer below.
func (s *Stream) Unwrap() io.Writer { return s.Writer }

// unwrapped returns the innermost writer.
func unwrapped(w any) any {
	switch s := w.(type) {
	case interface{ Unwrap() io.Writer }:
		return unwrapped(s.Unwrap())
	}
	return w
}
