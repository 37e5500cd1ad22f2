package forge

import (
	"fmt"

	"hew/server/fault"
)

// problems collects what is wrong with a record, so that the client is told of all of it at once.
type problems struct{ fault *fault.Error }

func (p *problems) on(field string, texts ...string) {
	if len(texts) == 0 {
		return
	}
	if p.fault == nil {
		p.fault = fault.Invalid(field, texts...)
		return
	}
	p.fault.On(field, texts...)
}

func (p *problems) err() error {
	if p.fault == nil {
		return nil // not a nil *fault.Error, which would be an error
	}
	return p.fault
}

// fits says whether a text has no more characters than it may, and notes it if not.
func (p *problems) fits(field, text string, most int) bool {
	if len([]rune(text)) <= most {
		return true
	}
	p.on(field, fmt.Sprintf("is too long (maximum is %d characters)", most))
	return false
}
