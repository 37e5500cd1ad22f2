package check

import (
	"fmt"

	"hew/server/fault"
)

// Problems collects what is wrong with a record, so that the client is told of all of it at once.
type Problems struct{ Fault *fault.Error }

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

func (p *Problems) Err() error {
	if p.Fault == nil {
		return nil // not a nil *fault.Error, which would be an error
	}
	return p.Fault
}

// Fits says whether a text has no more characters than it may, and notes it if not.
func (p *Problems) Fits(field, text string, most int) bool {
	if len([]rune(text)) <= most {
		return true
	}
	p.On(field, fmt.Sprintf("is too long (maximum is %d characters)", most))
	return false
}
