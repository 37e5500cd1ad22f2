package rest

import (
	"bytes"
	"errors"
	"io"
)

// lenientEnd reads a part of a form whose last boundary may follow a bare line feed, where others
// follow a carriage return, too: nuget.exe 2.8 on Mono ends forms so. The package multipart takes
// such an end for content and then misses the boundary. A form without any last boundary is an
// error as before.
type lenientEnd struct {
	part io.Reader
	end  []byte // a line feed, and the last boundary
	held []byte // what was read and may be the end; in memory
	err  error  // of the part

	memory []byte
}

func newLenientEnd(part io.Reader, boundary string) *lenientEnd {
	return &lenientEnd{part: part, end: []byte("\n--" + boundary + "--"), memory: make([]byte, 32<<10)}
}

// Read implements io.Reader.
func (l *lenientEnd) Read(p []byte) (int, error) {
	most := len(l.end) + len("\r\n") // a line can end after the boundary
	for l.err == nil && len(l.held) <= most {
		kept := copy(l.memory, l.held)
		n, err := l.part.Read(l.memory[kept:])
		l.held, l.err = l.memory[:kept+n], err
		if errors.Is(err, io.ErrUnexpectedEOF) {
			if content, ok := bytes.CutSuffix(bytes.TrimRight(l.held, "\r\n"), l.end); ok {
				l.held, l.err = content, io.EOF
			}
		}
	}
	ready := len(l.held)
	if l.err == nil {
		ready -= most
	}
	n := copy(p, l.held[:ready])
	l.held = l.held[n:]
	if n == 0 && len(p) > 0 {
		return 0, l.err
	}
	return n, nil
}
