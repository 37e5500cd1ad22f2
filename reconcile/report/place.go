package report

import (
	"errors"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2"
)

// place is where a finding is, in a file that is named from the top of the
// repository.
type place struct {
	file       string
	start, end Pos // end is zero where it is not known
}

// outside reports whether the file is above the top of the repository, as modules can be.
func (p place) outside() bool { return strings.HasPrefix(p.file, "../") }

// rangeOf parses file:line:column and returns nil for anything else.
func rangeOf(place string) *hcl.Range {
	parts := strings.Split(place, ":")
	n := len(parts)
	if n < 3 {
		return nil
	}
	r := &hcl.Range{Filename: strings.Join(parts[:n-2], ":")}
	var errs [2]error
	r.Start.Line, errs[0] = strconv.Atoi(parts[n-2])
	r.Start.Column, errs[1] = strconv.Atoi(parts[n-1])
	if errors.Join(errs[:]...) != nil {
		return nil
	}
	return r
}
