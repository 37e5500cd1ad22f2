package load

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"

	"hew/server/fault"
	"hew/server/git/object"
	"hew/server/project"
	"hew/server/transfer/archive"
)

// The classes of failures, as the public service names its own.
const (
	invalidRecord   = "RecordInvalid"   // a document breaks a rule
	invalidJSON     = "ParserError"     // a line is not a document
	unknownRelation = "UnknownRelation" // nothing here holds the documents of a relation
	refusedByStore  = "StatementInvalid"
)

// unknown is the error of a relation that has no place here.
type unknown string

// Error implements error.
func (u unknown) Error() string { return string(u) }

// invalid is what is wrong with a document.
type invalid string

// Error implements error.
func (i invalid) Error() string { return string(i) }

// failureOf returns the failure of a document, in words that show nothing of the server.
func failureOf(projectID int64, relation string, line int, why error) project.ImportFailure {
	f := project.ImportFailure{ProjectID: projectID, Relation: relation, Line: line, Source: "import of " + relation}
	var (
		notStored unknown
		wrong     invalid
		document  *archive.DocumentError
		mistyped  *json.UnmarshalTypeError
		refused   *fault.Error
		pg        *pgconn.PgError
	)
	switch {
	case errors.As(why, &notStored):
		f.Class, f.Message = unknownRelation, notStored.Error()
	case errors.As(why, &wrong):
		f.Class, f.Message = invalidRecord, wrong.Error()
	case errors.As(why, &mistyped):
		f.Class = invalidJSON
		f.Message = fmt.Sprintf("%s: %s cannot be %s", archive.ErrJSON, mistyped.Field, mistyped.Value)
	case errors.As(why, &document), errors.Is(why, archive.ErrJSON):
		f.Class, f.Message = invalidJSON, why.Error()
	case errors.As(why, &refused):
		f.Class, f.Message = invalidRecord, wordsOf(refused)
	case errors.As(why, &pg) && pg.ConstraintName != "":
		f.Class, f.Message = invalidRecord, "the record breaks the rule "+pg.ConstraintName
	case errors.As(why, &pg):
		f.Class, f.Message = refusedByStore, "a value cannot be stored ("+pg.Code+")"
	default:
		f.Class, f.Message = refusedByStore, "an internal error; an administrator finds it in the server's log"
	}
	f.Message = strings.ReplaceAll(strings.ToValidUTF8(f.Message, "\uFFFD"), "\x00", "")
	return f
}

// wordsOf returns what a fault says, without its cause.
func wordsOf(f *fault.Error) string {
	plain := fault.Error{Code: f.Code, What: f.What, Fields: f.Fields}
	return strings.TrimPrefix(plain.Error(), string(f.Code)+": ")
}

// isOfDocument reports whether an error is that of a document. All others are those of this server,
// such as a full disk, and end the attempt: a document must not be lost to them.
func isOfDocument(err error) bool {
	if IsLost(err) || isDeadlock(err) {
		return false
	}
	var (
		notStored unknown
		wrong     invalid
		refused   *fault.Error
		pg        *pgconn.PgError
	)
	switch {
	case errors.As(err, &notStored), errors.As(err, &wrong), errors.Is(err, archive.ErrJSON):
		return true
	case errors.Is(err, object.ErrNotFound): // the repository lacks what the document names
		return true
	case errors.As(err, &refused):
		return slices.Contains(documentFaults, refused.Code)
	case errors.As(err, &pg): // data exceptions, broken constraints, values that are too large
		return strings.HasPrefix(pg.Code, "22") || strings.HasPrefix(pg.Code, "23") || pg.Code == "54000"
	}
	return false
}

// documentFaults are the faults that what a document says can have.
var documentFaults = []fault.Code{
	fault.CodeInvalid, fault.CodeForbidden, fault.CodeNotFound, fault.CodeNotAllowed, fault.CodeConflict,
	fault.CodeTooLarge, fault.CodeUnprocessable,
}

// isDeadlock reports whether a transaction lost against another one and can be run again.
func isDeadlock(err error) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && (pg.Code == "40001" || pg.Code == "40P01" || pg.Code == "57014" || pg.Code == "55P03")
}
