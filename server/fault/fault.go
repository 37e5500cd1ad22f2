// Package fault holds the one error that a client of the API may see.
//
// Whoever finds something wrong says what kind of wrong it is, and about what; nobody but package rest decides which
// status and which body that becomes. An error that is not a fault is ours alone: it is logged and answered with 500.
package fault

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Code is the kind of a fault. Its text is how a log line names it.
type Code string

// The codes. Each has exactly one status in package rest.
const (
	CodeInternal           Code = "internal error" // what an error that is no fault counts as; never made by hand
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
	CodeUnavailable        Code = "unavailable"
	CodeMoved              Code = "moved"
	CodeNotModified        Code = "not modified"
)

// Shape is the form of the body, where the public API departs from its own habit (gaps §1.1).
type Shape string

// The shapes. Fields, where a fault has them, win over What in every shape but Raw.
const (
	Plain     Shape = ""          // {"message": the code's text, built around What}
	Text      Shape = "text"      // {"message": What}
	Parameter Shape = "parameter" // {"error": What}
	List      Shape = "list"      // {"message": [What]}
	Nested    Shape = "nested"    // {"message": {"error": What}}
	Service   Shape = "service"   // {"errors": What}
	Token     Shape = "token"     // {"error": …, "error_description": What, "scope": Scope}
	Raw       Shape = "raw"       // What as plain text
)

// Error is a fault. Make one with the constructors; the zero value answers like any internal error.
type Error struct {
	Code   Code
	Shape  Shape
	What   string              // the subject ("Project"), the reason or the text: each constructor says which
	Fields map[string][]string // what is wrong with which field, as the model validation says it
	Scope  string              // the scopes a token lacks, separated by spaces
	From   string              // of a moved thing: the path that was asked for
	To     string              // … and the path it has now
	Err    error               // the cause, for the log only
}

// In gives the fault a body of another shape and returns it.
func (e *Error) In(s Shape) *Error {
	e.Shape = s
	return e
}

// On adds texts about one field and returns the fault.
func (e *Error) On(field string, texts ...string) *Error {
	if e.Fields == nil {
		e.Fields = map[string][]string{}
	}
	e.Fields[field] = append(e.Fields[field], texts...)
	return e
}

// Because keeps the cause, which is logged and never sent, and returns the fault.
func (e *Error) Because(err error) *Error {
	e.Err = err
	return e
}

// Error names the code, the subject, the fields and the cause, for a log line.
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

// From finds the outermost fault in err.
func From(err error) (*Error, bool) {
	var e *Error
	return e, errors.As(err, &e)
}

// CodeOf returns the code of err, which is CodeInternal if err is no fault and empty if it is nil.
func CodeOf(err error) Code {
	if err == nil {
		return ""
	}
	if e, ok := From(err); ok {
		return e.Code
	}
	return CodeInternal
}
