package client

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// ErrReadOnly is the cause of the error that a read-only client answers to any
// request that could write. Nothing has been sent.
var ErrReadOnly = errors.New("this client is read-only; the request was not sent")

// Error is a request that did not do what was asked. It never holds a token or
// a request body.
type Error struct {
	Method    string
	Endpoint  string              // the template, "projects/{project}/hooks"
	Path      string              // what was sent below /api/v4, encoded
	Status    int                 // 0 when no answer came
	Message   string              // what the host said, in one line
	Fields    map[string][]string // its complaints by field; nested ones as "entity.field"
	Need      string              // the role or scope it takes, where known; the caller may fill it
	RequestID string              // for the administrator of the host
	Moved     string              // where a write was redirected to; see [Reply]
	NoRoute   bool                // the host's router does not know the endpoint or the method
	Unknown   bool                // a write that may or may not have been carried out
	Err       error               // the cause, where it is not the host's answer
}

// Error says what was asked, what came back and, where known, what it takes.
func (e *Error) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s /%s: ", e.Method, short(e.Path))
	code := strconv.Itoa(e.Status)
	if e.Status != 0 && !strings.HasPrefix(e.Message, code) {
		b.WriteString(code + " ")
	}
	switch {
	case e.Message != "":
		b.WriteString(short(e.Message))
	case e.Err != nil:
		b.WriteString(short(e.Err.Error()))
	default:
		b.WriteString(http.StatusText(e.Status))
	}
	if e.Unknown {
		b.WriteString("; the request may have taken effect, so check before trying again")
	}
	if e.Moved != "" {
		b.WriteString("; it moved to /" + short(e.Moved))
	}
	if e.Need != "" {
		b.WriteString("; requires " + short(e.Need))
	}
	if e.RequestID != "" {
		b.WriteString(" (request " + short(e.RequestID) + ")")
	}
	return b.String()
}

// Unwrap returns the cause, such as context.Canceled or [ErrReadOnly].
func (e *Error) Unwrap() error { return e.Err }

// IsNotFound reports a 404: the thing is missing, or may not be seen, or its
// feature is off. See [IsUnsupported] for an endpoint that is missing.
func IsNotFound(err error) bool { return hasStatus(err, http.StatusNotFound) }

// IsForbidden reports a 403: the token is good but not allowed to do this.
func IsForbidden(err error) bool { return hasStatus(err, http.StatusForbidden) }

// IsUnauthorized reports a 401. Some endpoints use it for "no permission" too
// (gaps §1.2).
func IsUnauthorized(err error) bool { return hasStatus(err, http.StatusUnauthorized) }

// takenTexts are in the complaints about a key that something else has, or about
// a second one of what there is one of.
var takenTexts = []string{"already been taken", "already exists", "push rule exists"}

// IsConflict reports that something like it exists already: a 409, or a field
// that the host calls taken.
func IsConflict(err error) bool {
	e, ok := errors.AsType[*Error](err)
	if !ok {
		return false
	}
	taken := slices.ContainsFunc(takenTexts, func(text string) bool { return strings.Contains(e.Message, text) })
	return e.Status == http.StatusConflict || taken && (e.Status == http.StatusBadRequest ||
		e.Status == http.StatusUnprocessableEntity)
}

// IsUnsupported reports that the host does not have the endpoint at all: its
// router refused it, or it answered 501.
func IsUnsupported(err error) bool {
	e, ok := errors.AsType[*Error](err)
	return ok && (e.NoRoute || e.Status == http.StatusNotImplemented)
}

// IsUnknown reports a write of which nobody knows whether it was carried out:
// the connection broke, the host failed with a 5xx, or its answer made no sense.
// Read before you retry.
func IsUnknown(err error) bool {
	e, ok := errors.AsType[*Error](err)
	return ok && e.Unknown
}

func hasStatus(err error, status int) bool {
	e, ok := errors.AsType[*Error](err)
	return ok && e.Status == status
}
