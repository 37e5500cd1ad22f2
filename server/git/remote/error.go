package remote

import (
	"context"
	"errors"

	"hew/server/git/pkt"
	"hew/server/outbound"
)

// maxText is how many characters of a text of another host are shown.
const maxText = 200

// UnavailableError says that a host cannot answer at the moment, or that it broke off. It wraps an
// Error.
type UnavailableError struct {
	Reason string
	Status int    // of HTTP: 429 or 5xx; 0: there was no whole answer
	Retry  string // the header Retry-After
}

// Error implements error.
func (u UnavailableError) Error() string { return u.Reason }

// Unwrap returns the Error.
func (u UnavailableError) Unwrap() error { return Error(u.Reason) }

// readError returns the error of a broken answer for users.
func readError(err error) error {
	var said pkt.RemoteError
	switch {
	case errors.Is(err, context.Canceled):
		return err
	case errors.As(err, &said):
		return errorf("the host ended the transfer: %s", firstLine(string(said)))
	case errors.Is(err, pkt.ErrTooLong):
		return Error("the host lists too many refs")
	}
	return UnavailableError{Reason: "the transfer broke off: " + firstLine(err.Error())}
}

func firstLine(text string) string { return outbound.FirstLine(text, maxText) }
