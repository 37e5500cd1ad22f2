package report

import (
	"strings"
)

// place is where a finding is, in a file that is named from the top of the
// repository.
type place struct {
	file       string
	start, end Pos // end is zero where it is not known
}

// outside tells whether that is above the top, as modules may be.
func (p place) outside() bool { return strings.HasPrefix(p.file, "../") }
