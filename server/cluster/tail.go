package cluster

import (
	"io"
	"strings"
)

// tailWriter copies what a child process prints to log and keeps the last 2,000 bytes, where the
// reason of a failure stands.
type tailWriter struct {
	log  io.Writer // nil discards
	tail []byte
}

func (w *tailWriter) Write(p []byte) (int, error) {
	const limit = 2000
	w.tail = append(w.tail, p...)
	w.tail = w.tail[max(0, len(w.tail)-limit):]
	if w.log == nil {
		return len(p), nil
	}
	return w.log.Write(p)
}

func (w *tailWriter) String() string { return strings.TrimSpace(string(w.tail)) }
