package cluster

import (
	"io"
	"strings"
)

// lastWords passes on what a child prints and keeps the end of it, where the reason of a failure stands.
type lastWords struct {
	log  io.Writer // may be nil
	kept []byte
}

func (w *lastWords) Write(p []byte) (int, error) {
	const most = 2000
	w.kept = append(w.kept, p...)
	w.kept = w.kept[max(0, len(w.kept)-most):]
	if w.log == nil {
		return len(p), nil
	}
	return w.log.Write(p)
}

func (w *lastWords) String() string { return strings.TrimSpace(string(w.kept)) }
