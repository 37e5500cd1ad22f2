// Package fault defines the errors that a client of the API can see.
//
// The code that finds a problem returns a fault: a code, and what the problem is about. Only
// package rest turns the code into a status and a body. Any other error is internal: it is logged,
// and the client gets 500.
package fault

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Code is the kind of a fault. Its text appears in logs.
type Code string

// The codes. Each has one status in package rest.
const (
	CodeInternal           Code = "internal error" // of any error that is not a fault; never made by hand
	CodeInvalid            Code = "invalid"
	CodeUnauthorized       Code = "unauthorized"
	CodeForbidden          Code = "forbidden"
	CodeNotFound           Code = "not found"
	CodeNotAllowed         Code = "not allowed"
	CodeNotAcceptable      Code = "not acceptable"
	CodeConflict           Code = "conflict"
	CodeGone               Code = "gone"
	CodePreconditionFailed Code = "precondition failed"
	CodeTooLarge           Code = "too large"
	CodeUnsupportedMedia   Code = "unsupported media type"
	CodeUnprocessable      Code = "unprocessable"
	CodeTooMany            Code = "too many requests"
	CodeNotImplemented     Code = "not implemented"
	CodeBadGateway         Code = "bad gateway"
	CodeUnavailable        Code = "unavailable"
	CodeMoved              Code = "moved"
	CodeNotModified        Code = "not modified"
)

// Shape is the form of the body, for the places where the public API does not use Plain.
type Shape string

// The shapes. If a fault has Fields, they take the place of What in every shape but Raw.
const (
	Plain     Shape = ""          // {"message": the text of the code with What in it}
	Text      Shape = "text"      // {"message": What}
	Parameter Shape = "parameter" // {"error": What}
	List      Shape = "list"      // {"message": [What]}
	Nested    Shape = "nested"    // {"message": {"error": What}}
	Service   Shape = "service"   // {"errors": What}
	// ServiceList is {"errors": [What]}.
	ServiceList Shape = "service list"
	Token       Shape = "token" // {"error": …, "error_description": What, "scope": Scope}
	Raw         Shape = "raw"   // What as plain text
)

// Error is a fault. Make one with the constructors; the zero value is answered as an internal
// error.
type Error struct {
	Code   Code
	Shape  Shape
	What   string              // subject ("Project"), reason or whole text; see the constructor
	Fields map[string][]string // messages by field
	Scope  string              // scopes that the token lacks, separated by spaces
	Reason string              // error_code of the body, for programs; "" for none
	From   string              // of CodeMoved: the path that was asked for
	To     string              // of CodeMoved: the path that the object has now
	Err    error               // cause, for the log only
}

// In sets the shape of the body and returns the fault.
func (e *Error) In(s Shape) *Error {
	e.Shape = s
	return e
}

// On adds messages about a field and returns the fault.
func (e *Error) On(field string, texts ...string) *Error {
	if e.Fields == nil {
		e.Fields = map[string][]string{}
	}
	e.Fields[field] = append(e.Fields[field], texts...)
	return e
}

// WithErrorCode sets the error_code of the body and returns the fault.
func (e *Error) WithErrorCode(code string) *Error {
	e.Reason = code
	return e
}

// Because sets the cause, which is logged and never sent, and returns the fault.
func (e *Error) Because(err error) *Error {
	e.Err = err
	return e
}

// Error returns the code, the subject, the fields and the cause, for the log.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(string(e.Code))
	if e.What != "" {
		b.WriteString(": " + e.What)
	}
	for _, f := range slices.Sorted(maps.Keys(e.Fields)) {
		fmt.Fprintf(&b, ": %s %s", f, strings.Join(e.Fields[f], ", "))
	}
	if e.Err != nil {
		b.WriteString(": " + e.Err.Error())
	}
	return b.String()
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// From returns the outermost fault in err, and whether there is one.
func From(err error) (*Error, bool) {
	var e *Error
	return e, errors.As(err, &e)
}

// CodeOf returns the code of err: CodeInternal if err is not a fault, "" if it is nil.
func CodeOf(err error) Code {
	if err == nil {
		return ""
	}
	if e, ok := From(err); ok {
		return e.Code
	}
	return CodeInternal
}

// IgnoreNotFound returns nil for a CodeNotFound, else err. Jobs use it: an object that has gone
// before the job runs needs no more work.
func IgnoreNotFound(err error) error {
	if CodeOf(err) == CodeNotFound {
		return nil
	}
	return err
}

// IgnoreRefused returns nil for a fault, else err. Commands that do not apply use it, and jobs that
// would be refused the next time as well.
func IgnoreRefused(err error) error {
	if _, refused := From(err); refused {
		return nil
	}
	return err
}
