package fault

import "strings"

// NotFound says that the thing named ("Project", "Group Link") is missing, or may not be known to exist.
func NotFound(what string) *Error { return &Error{Code: CodeNotFound, What: what} }

// NoRecord says that a row is missing, in the words of the public service's record lookup, which differ from NotFound's.
func NoRecord() *Error { return &Error{Code: CodeNotFound, Shape: Text, What: "404 Not found"} }

// Unauthorized says that there is no caller where one is needed.
func Unauthorized() *Error { return &Error{Code: CodeUnauthorized} }

// InvalidToken says why a token that was once good no longer is.
func InvalidToken(description string) *Error {
	return &Error{Code: CodeUnauthorized, Shape: Token, What: description}
}

// InsufficientScope says that the token is good but has none of these scopes.
func InsufficientScope(scopes ...string) *Error {
	return &Error{
		Code: CodeForbidden, Shape: Token, Scope: strings.Join(scopes, " "),
		What: "The request requires higher privileges than provided by the access token.",
	}
}

// Forbidden says that the caller is known and may see the thing, but may not do this; the reason may be empty.
func Forbidden(reason string) *Error { return &Error{Code: CodeForbidden, What: reason} }

// BadRequest says that the request makes no sense; the reason may be empty.
func BadRequest(reason string) *Error { return &Error{Code: CodeInvalid, What: reason} }

// Param says what is wrong with the parameters, before any of them is used.
func Param(text string) *Error { return &Error{Code: CodeInvalid, Shape: Parameter, What: text} }

// Invalid says what is wrong with one field of a record; On adds further fields.
func Invalid(field string, texts ...string) *Error {
	return (&Error{Code: CodeInvalid}).On(field, texts...)
}

// Conflict says what stands in the way, in full ("Member already exists").
func Conflict(text string) *Error { return &Error{Code: CodeConflict, What: text} }

// Unprocessable says in full what cannot be done with a request that is well formed.
func Unprocessable(text string) *Error { return &Error{Code: CodeUnprocessable, What: text} }

// NotAllowed says in full why this method cannot be used now.
func NotAllowed(text string) *Error { return &Error{Code: CodeNotAllowed, What: text} }

// NotAcceptable says that no form of the answer suits the client.
func NotAcceptable() *Error { return &Error{Code: CodeNotAcceptable} }

// Gone says that there was a way to do this once, and why there is none any more.
func Gone(reason string) *Error { return &Error{Code: CodeGone, What: reason} }

// PreconditionFailed says that the record is newer than the client believes.
func PreconditionFailed() *Error { return &Error{Code: CodePreconditionFailed} }

// NotModified says that the request had no effect; the answer has no body.
func NotModified() *Error { return &Error{Code: CodeNotModified} }

// TooLarge says that the body is over its limit.
func TooLarge() *Error { return &Error{Code: CodeTooLarge} }

// UnsupportedMedia says that a body of this type is not read.
func UnsupportedMedia(contentType string) *Error {
	return &Error{
		Code: CodeUnsupportedMedia, Shape: Parameter,
		What: "The provided content-type '" + contentType + "' is not supported.",
	}
}

// UnsupportedEncoding says that a body is not unpacked.
func UnsupportedEncoding(encoding string) *Error {
	return &Error{
		Code: CodeUnsupportedMedia, Shape: Parameter,
		What: "The provided content-encoding '" + encoding + "' is not supported.",
	}
}

// TooMany says that an endpoint's own limit is spent; an empty text stands for the usual one.
func TooMany(text string) *Error {
	if text == "" {
		text = "This endpoint has been requested too many times. Try again later."
	}
	return &Error{Code: CodeTooMany, Shape: Nested, What: text}
}

// NotImplemented names what this server cannot do yet.
func NotImplemented(what string) *Error { return &Error{Code: CodeNotImplemented, What: what} }

// Unavailable says that the server cannot answer now, and that asking again later is right.
func Unavailable() *Error { return &Error{Code: CodeUnavailable} }

// Moved says that the thing asked for by the path from now has the path to. A reader is redirected; for any other verb
// the thing named what is not found.
func Moved(what, from, to string) *Error {
	return &Error{Code: CodeMoved, What: what, From: from, To: to}
}
