package junit

import (
	"cmp"
	"maps"
	"slices"
)

// Status is what came of a test, in the words of the API.
type Status string

// The states, in the order in which reports list them.
const (
	Error   Status = "error"
	Failed  Status = "failed"
	Success Status = "success"
	Skipped Status = "skipped"
)

// Case is a test that ran, or was skipped.
type Case struct {
	Status     Status
	Name       string
	Classname  string
	File       *string
	Time       float64 // seconds
	Output     *string // of a test that did not succeed
	Attachment string  // path of a file among the artifacts of the job; "" for none
	JobID      int64   // of the suite's reader, which this package does not interpret
}

// key tells cases apart that have the same status.
type key struct {
	status          Status
	classname, name string
}

// Suite is the cases of the files that were added to it. Of cases with the same names and the same
// status it keeps the last. The zero value is empty.
type Suite struct {
	Time  float64 // seconds of all cases, repeated ones included
	Error string  // why a file could not be read; it hides all cases

	cases map[key]Case
	read  int // cases, repeated ones included
}

// add adds a case.
func (s *Suite) add(c Case) {
	if s.cases == nil {
		s.cases = map[key]Case{}
	}
	s.Time += c.Time
	s.cases[key{c.Status, c.Classname, c.Name}] = c
}

// Counts are the numbers of cases by what came of them.
type Counts struct {
	Total, Success, Failed, Skipped, Error int
}

// Counts counts the cases: none if a file could not be read.
func (s *Suite) Counts() (n Counts) {
	if s.Error != "" {
		return n
	}
	for k := range s.cases {
		switch k.status {
		case Error:
			n.Error++
		case Failed:
			n.Failed++
		case Skipped:
			n.Skipped++
		default:
			n.Success++
		}
	}
	n.Total = len(s.cases)
	return n
}

// order is the order of states in reports.
var order = map[Status]int{Error: 0, Failed: 1, Success: 2, Skipped: 3}

// Cases returns the cases by status, then the slowest first; none if a file could not be read.
func (s *Suite) Cases() []Case {
	if s.Error != "" {
		return nil
	}
	return slices.SortedFunc(maps.Values(s.cases), func(a, b Case) int {
		return cmp.Or(
			order[a.Status]-order[b.Status], cmp.Compare(b.Time, a.Time), cmp.Compare(a.Classname, b.Classname),
			cmp.Compare(a.Name, b.Name),
		)
	})
}
