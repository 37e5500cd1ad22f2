package remote

import (
	"context"
	"errors"

	"hew/server/git/pkt"
	"hew/server/outbound"
)

// maxText is how many characters of a text of another host are shown.
const maxText = 200

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
	return errorf("the transfer broke off: %s", firstLine(err.Error()))
}

func firstLine(text string) string { return outbound.FirstLine(text, maxText) }
