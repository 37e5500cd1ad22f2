package status

import "slices"

// Status is the state of a job or a pipeline, in the words of the API.
type Status string

// The states. Jobs are never Preparing here, since nothing has to be prepared for one; pipelines of
// other systems may say so through external statuses.
const (
	Created            Status = "created"
	WaitingForResource Status = "waiting_for_resource"
	Preparing          Status = "preparing"
	WaitingForCallback Status = "waiting_for_callback"
	Pending            Status = "pending"
	Running            Status = "running"
	Canceling          Status = "canceling" // a runner was told to stop
	Success            Status = "success"
	Failed             Status = "failed"
	Canceled           Status = "canceled"
	Skipped            Status = "skipped"
	Manual             Status = "manual"
	Scheduled          Status = "scheduled"
)

// All are the states, in the order in which a job may pass through them.
var All = []Status{
	Created, WaitingForResource, Preparing, WaitingForCallback, Pending, Running, Canceling, Success, Failed, Canceled,
	Skipped, Manual, Scheduled,
}

var (
	complete   = []Status{Success, Failed, Canceled, Skipped}
	alive      = []Status{Created, WaitingForResource, Preparing, WaitingForCallback, Pending, Running, Canceling}
	cancelable = []Status{
		Created, WaitingForResource, Preparing, WaitingForCallback, Pending, Running, Manual, Scheduled,
	}
)

// Complete reports whether nothing more happens by itself: success, failed, canceled, skipped.
func (s Status) Complete() bool { return slices.Contains(complete, s) }

// Alive reports whether something is still to happen by itself.
func (s Status) Alive() bool { return slices.Contains(alive, s) }

// Cancelable reports whether a job in this state can be canceled.
func (s Status) Cancelable() bool { return slices.Contains(cancelable, s) }

// Started reports whether a runner has, or had, the job.
func (s Status) Started() bool { return s == Running || s == Canceling || s == Success || s == Failed }

// What a job counts for within a composite state, besides its own state.
const (
	warning Status = "warning" // failed or canceled, which is allowed
	ignored Status = "ignored" // waits for somebody who need not come
)

// counted returns what a job counts for.
func counted(s Status, allowFailure bool) Status {
	switch {
	case allowFailure && (s == Failed || s == Canceled):
		return warning
	case allowFailure && s == Manual:
		return ignored
	}
	return s
}

// set is the states that occur among jobs.
type set map[Status]bool

// only reports whether no other states occur.
func (s set) only(these ...Status) bool {
	for status := range s {
		if !slices.Contains(these, status) {
			return false
		}
	}
	return true
}

// composites are the states of many jobs; the first row that fits is theirs. A row fits if only its
// states occur, or if one of them occurs.
var composites = []struct {
	is    Status
	only  []Status
	anyOf Status
}{
	{is: Skipped, only: []Status{Skipped, ignored}},
	{is: Success, only: []Status{Success, Skipped, warning, ignored}},
	{is: Created, only: []Status{Created, warning, ignored}},
	{is: Preparing, only: []Status{Preparing, warning, ignored}},
	{is: Canceled, only: []Status{Canceled, Success, Skipped, warning, ignored}},
	{is: Pending, only: []Status{Pending, Created, Skipped, warning, ignored}},
	{is: Running, anyOf: Running},
	{is: Running, anyOf: Pending},
	{is: WaitingForResource, anyOf: WaitingForResource},
	{is: WaitingForCallback, anyOf: WaitingForCallback},
	{is: Manual, anyOf: Manual},
	{is: Scheduled, anyOf: Scheduled},
	{is: Preparing, anyOf: Preparing},
	{is: Running, anyOf: Created},
	{is: Canceling, anyOf: Canceling},
}

// composite returns the state of jobs of which there is at least one.
func (s set) composite() Status {
	for _, c := range composites {
		if c.only != nil && s.only(c.only...) || c.anyOf != "" && s[c.anyOf] {
			return c.is
		}
	}
	return Failed
}
