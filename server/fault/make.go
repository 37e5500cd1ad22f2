package fault

import (
	"fmt"
	"strings"
)

// NotFound reports that an object ("Project", "Group Link") does not exist, or that the caller may
// not know that it does.
func NotFound(what string) *Error { return &Error{Code: CodeNotFound, What: what} }

// NoRecord reports that a row does not exist, in the words of the public API's record lookup, which
// differ from those of NotFound.
func NoRecord() *Error { return &Error{Code: CodeNotFound, Shape: Text, What: "404 Not found"} }

// Unauthorized reports that the request needs a token and has none that is valid.
func Unauthorized() *Error { return &Error{Code: CodeUnauthorized} }

// InvalidToken reports why a token is no longer valid.
func InvalidToken(description string) *Error {
	return &Error{Code: CodeUnauthorized, Shape: Token, What: description}
}

// InsufficientScope reports that a valid token has none of these scopes.
func InsufficientScope(scopes ...string) *Error {
	return &Error{
		Code: CodeForbidden, Shape: Token, Scope: strings.Join(scopes, " "),
		What: "The request requires higher privileges than provided by the access token.",
	}
}

// Forbidden reports that the caller can see the object but may not do this. The reason can be
// empty.
func Forbidden(reason string) *Error { return &Error{Code: CodeForbidden, What: reason} }

// BadRequest reports that the request makes no sense. The reason can be empty.
func BadRequest(reason string) *Error { return &Error{Code: CodeInvalid, What: reason} }

// Param reports what is wrong with the parameters.
func Param(text string) *Error { return &Error{Code: CodeInvalid, Shape: Parameter, What: text} }

// Invalid reports what is wrong with a field of a record. On adds further fields.
func Invalid(field string, texts ...string) *Error {
	return (&Error{Code: CodeInvalid}).On(field, texts...)
}

// Conflict reports an object that is in the way. The text is sent as it is ("Member already
// exists").
func Conflict(text string) *Error { return &Error{Code: CodeConflict, What: text} }

// Unprocessable reports why a well-formed request cannot be carried out. The text is sent as it is.
func Unprocessable(text string) *Error { return &Error{Code: CodeUnprocessable, What: text} }

// NotAllowed reports why the method cannot be used now. The text is sent as it is.
func NotAllowed(text string) *Error { return &Error{Code: CodeNotAllowed, What: text} }

// NotAcceptable reports that the answer has no form that the client accepts.
func NotAcceptable() *Error { return &Error{Code: CodeNotAcceptable} }

// Gone reports why something that the API once offered is no longer there.
func Gone(reason string) *Error { return &Error{Code: CodeGone, What: reason} }

// PreconditionFailed reports that the record was changed after the time that the client named.
func PreconditionFailed() *Error { return &Error{Code: CodePreconditionFailed} }

// NotModified reports that the request changed nothing. The answer has no body.
func NotModified() *Error { return &Error{Code: CodeNotModified} }

// TooLarge reports that the body is over its limit.
func TooLarge() *Error { return &Error{Code: CodeTooLarge} }

// BodyTooLarge reports that the body has more bytes than a limit. The advice, such as the setting
// that the limit comes from, ends the text.
func BodyTooLarge(limit int64, advice string) *Error {
	text := fmt.Sprintf("%d bytes", limit)
	if limit >= 1<<20 && limit%(1<<20) == 0 {
		text = fmt.Sprintf("%d MiB", limit>>20)
	}
	return &Error{Code: CodeTooLarge,
		What: "413 Request Entity Too Large - the body of this request may have at most " + text + "; " + advice}
}

// UnsupportedMedia reports that bodies of this type are not read.
func UnsupportedMedia(contentType string) *Error {
	return &Error{
		Code: CodeUnsupportedMedia, Shape: Parameter,
		What: "The provided content-type '" + contentType + "' is not supported.",
	}
}

// UnsupportedEncoding reports that bodies are not decompressed.
func UnsupportedEncoding(encoding string) *Error {
	return &Error{
		Code: CodeUnsupportedMedia, Shape: Parameter,
		What: "The provided content-encoding '" + encoding + "' is not supported.",
	}
}

// TooMany reports that the rate limit of an endpoint is used up. An empty text stands for the usual
// one.
func TooMany(text string) *Error {
	if text == "" {
		text = "This endpoint has been requested too many times. Try again later."
	}
	return &Error{Code: CodeTooMany, Shape: Nested, What: text}
}

// NotImplemented reports what this server cannot do yet.
func NotImplemented(what string) *Error { return &Error{Code: CodeNotImplemented, What: what} }

// BadGateway reports that another host, which the answer depends on, failed.
func BadGateway(reason string) *Error { return &Error{Code: CodeBadGateway, What: reason} }

// Unavailable reports that the server cannot answer now and that a later try can succeed.
func Unavailable() *Error { return &Error{Code: CodeUnavailable} }

// Moved reports that the object with the path from now has the path to. Requests that read are
// redirected; for any other verb the object, what, is not found.
func Moved(what, from, to string) *Error {
	return &Error{Code: CodeMoved, What: what, From: from, To: to}
}
