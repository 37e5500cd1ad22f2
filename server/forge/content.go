package forge

import (
	"errors"
	"io"

	"hew/server/forge/hostapi"
)

// ownError is an error of this server that came while content of the host was stored.
type ownError struct{ error }

// Unwrap returns the error.
func (o ownError) Unwrap() error { return o.error }

// fromHost stores content of the host. An error that is neither one of the content nor a
// StatusError is an ownError.
func fromHost(content io.Reader, store func(io.Reader) error) error {
	from := &notingReader{from: content}
	err := store(from)
	var refused *hostapi.StatusError
	switch {
	case from.err != nil && err != nil:
		return from.err
	case err != nil && !errors.As(err, &refused):
		return ownError{err}
	}
	return err
}

// notingReader keeps the error of its reads.
type notingReader struct {
	from io.Reader
	err  error // nil also at the end
}

// Read implements io.Reader.
func (n *notingReader) Read(p []byte) (int, error) {
	read, err := n.from.Read(p)
	if err != nil && err != io.EOF {
		n.err = err
	}
	return read, err
}
