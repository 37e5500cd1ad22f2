package document

import (
	"fmt"
	"strings"
)

// Error is a fault of a definition, in the words that the linter shows. Other errors that Load
// returns are faults of whoever reads the files.
type Error struct {
	// File is the path or address of the file at fault; empty if it is none of one file.
	File string
	// Line counts from 1; 0 if the fault is none of one line.
	Line int
	Text string
}

// Error returns the text alone, as it is stored and shown.
func (e *Error) Error() string { return e.Text }

// errorAt returns an error at the place where a node was written. The node may be nil.
func errorAt(n *Node, format string, args ...any) *Error {
	err := &Error{Text: cut(fmt.Sprintf(format, args...))}
	if n != nil {
		err.File, err.Line = n.File, n.Line
	}
	return err
}

// maxTextBytes bounds texts, in which names from files are.
const maxTextBytes = 10_000

// cut returns the beginning of a text that is too long.
func cut(text string) string {
	if len(text) <= maxTextBytes {
		return text
	}
	return strings.ToValidUTF8(text[:maxTextBytes], "") + "…"
}

// The texts of limits.
const (
	textFileTooBig    = "The provided YAML is too big"
	textTreeTooBig    = "The parsed YAML is too big"
	textTotalTooBig   = "Total size of combined CI/CD configuration is too big"
	textTooManyFiles  = "Maximum of %d nested includes are allowed!"
	textTimedOut      = "Request timed out when fetching configuration files."
	textManyDocuments = "The parsed YAML has too many documents"
	textNoMap         = "Invalid configuration format"
	textBlank         = "Please provide content of .gitlab-ci.yml"
)
