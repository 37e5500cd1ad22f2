package check

import (
	"regexp"
)

var EmailForm = regexp.MustCompile(`^[^@\s]+@[^@\s]+$`)
