package code

import (
	"context"
	"errors"
	"io"

	"hew/server/fault"
	"hew/server/git/pkt"
)

// malformed returns the fault of a request that is not one of git's. An error of its body that is
// not about what it says is returned as it is.
func malformed(err error) error {
	switch {
	case err == nil || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded):
		return err
	case errors.Is(err, pkt.ErrTooLong):
		refused := fault.TooLarge().Because(err)
		refused.What = "The request names too many refs or commits."
		return refused
	}
	return fault.BadRequest("The request is not one of git's protocol: " + err.Error()).Because(err)
}

// startedWriter remembers whether anything was written.
type startedWriter struct {
	io.Writer
	started bool
}

// Write implements io.Writer.
func (s *startedWriter) Write(p []byte) (int, error) {
	s.started = s.started || len(p) > 0
	return s.Writer.Write(p)
}
