package code

import (
	"fmt"
	"strings"

	"hew/server/fault"
)

// Unmergeable is the error of changes that conflict: a person has to merge them. It is a fault of
// CodeConflict.
type Unmergeable struct {
	Paths []string // that are in conflict; none if git gave up
}

// maxNamed limits the paths that the text of an Unmergeable names.
const maxNamed = 5

// Error implements error.
func (u Unmergeable) Error() string {
	switch named := min(len(u.Paths), maxNamed); {
	case named == 0:
		return errCannotMerge.Error()
	case named < len(u.Paths):
		return fmt.Sprintf("the changes conflict in %d files, such as %s: merge them in a clone", len(u.Paths),
			strings.Join(u.Paths[:named], ", "))
	}
	return fmt.Sprintf("the changes conflict in %s: merge them in a clone", strings.Join(u.Paths, ", "))
}

// Unwrap returns the fault.
func (u Unmergeable) Unwrap() error { return fault.Conflict(u.Error()).In(fault.Text) }

// Reasons why a request does not land or is not rebased, besides Unmergeable and Refused. They are
// faults of CodeConflict.
var (
	// ErrNeedRebase says that the method needs a source that the target can be moved forward to.
	ErrNeedRebase = fault.Conflict("the target branch has commits that the source branch lacks: rebase it").
			In(fault.Text)
	// ErrSourceMoved says that the source branch is not where the caller saw it last.
	ErrSourceMoved = fault.Conflict("the source branch has moved: look at its new commits first").In(fault.Text)
	// ErrNothingToMerge says that the target has every commit of the source.
	ErrNothingToMerge = fault.Conflict("the target branch has every commit of the source branch").In(fault.Text)
)

// clean returns the tree of a merge, or Unmergeable.
func (m Merge) clean(err error) (Merge, error) {
	if err == nil && len(m.Conflicts) > 0 {
		err = Unmergeable{m.Conflicts}
	}
	if fault.CodeOf(err) == fault.CodeConflict && len(m.Conflicts) == 0 {
		err = Unmergeable{}
	}
	return m, err
}
