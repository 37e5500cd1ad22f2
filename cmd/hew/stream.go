package main

import "io"

// stream remembers that something could not be written. Who prints goes on, and
// the run ends with the error: an answer that a full disk cut short is none.
type stream struct {
	io.Writer
	err error
}

func (s *stream) Write(p []byte) (int, error) {
	n, err := s.Writer.Write(p)
	if err != nil && s.err == nil {
		s.err = err
	}
	return n, err
}

// bare is what a stream leads to.
func bare(w any) any {
	switch s := w.(type) {
	case *stream:
		return bare(s.Writer)
	case *heldBack:
		return bare(s.of)
	}
	return w
}
