package remote

import (
	"context"
	"errors"
	"strings"
	"unicode"

	"hew/server/git/pkt"
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
		return errorf("the host ended the transfer: %s", clean(string(said)))
	case errors.Is(err, pkt.ErrTooLong):
		return Error("the host lists too many refs")
	}
	return errorf("the transfer broke off: %s", clean(err.Error()))
}

// clean returns the first line of a text of another host, with printable characters only.
func clean(text string) string {
	text, _, _ = strings.Cut(strings.TrimSpace(strings.ToValidUTF8(text, "\uFFFD")), "\n")
	text = strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return -1
		}
		return r
	}, text)
	if runes := []rune(text); len(runes) > maxText {
		text = string(runes[:maxText]) + "…"
	}
	return text
}
