package check

import (
	"fmt"

	"hew/server/fault"
)

// Problems collects what is wrong with a record, so that the client sees all of it at once. The
// zero value has no problem.
type Problems struct{ Fault *fault.Error }

// On adds messages about a field; without messages it does nothing.
func (p *Problems) On(field string, texts ...string) {
	if len(texts) == 0 {
		return
	}
	if p.Fault == nil {
		p.Fault = fault.Invalid(field, texts...)
		return
	}
	p.Fault.On(field, texts...)
}

// Err returns the fault, or nil if there was no problem.
func (p *Problems) Err() error {
	if p.Fault == nil {
		return nil // not a nil *fault.Error, which would be an error
	}
	return p.Fault
}

// Fits reports whether a text has at most the given number of characters, and adds a problem if
// not.
func (p *Problems) Fits(field, text string, most int) bool {
	if len([]rune(text)) <= most {
		return true
	}
	p.On(field, fmt.Sprintf("is too long (maximum is %d characters)", most))
	return false
}
