package jobs

import "encoding/json"

// RemoveGroup removes a group that is marked for deletion, with everything below, for good.
type RemoveGroup struct {
	ID int64 `json:"id"`
}

// Kind names the job.
func (RemoveGroup) Kind() string { return "remove_group" }

// RemoveProject removes a project that is marked for deletion, for good.
type RemoveProject struct {
	ID int64 `json:"id"`
}

// Kind names the job.
func (RemoveProject) Kind() string { return "remove_project" }

// RemoveUser removes a user with his personal namespace; Hard also the groups that he alone owns.
type RemoveUser struct {
	ID   int64 `json:"id"`
	Hard bool  `json:"hard"`
}

// Kind names the job.
func (RemoveUser) Kind() string { return "remove_user" }

// Sweep removes what is over: groups and projects whose deletion period has passed, memberships that have expired, records
// of deliveries that nobody is shown any more.
type Sweep struct{}

// Kind names the job.
func (Sweep) Kind() string { return "sweep" }

// TellExpiring tells hooks of access tokens that expire soon.
type TellExpiring struct{}

// Kind names the job.
func (TellExpiring) Kind() string { return "tell_expiring" }

// DeliverHook sends what happened to the receiver of a hook.
type DeliverHook struct {
	Once
	Hook    int64           `json:"hook"`
	Event   string          `json:"event"`             // the flag that the hook has for it
	Project int64           `json:"project,omitempty"` // where it happened, if it is told of with that
	User    int64           `json:"user,omitempty"`    // who did it, likewise
	Chain   string          `json:"chain"`             // the uuid of what it comes from, or its own
	Key     string          `json:"key"`               // the uuid of this delivery
	Payload json.RawMessage `json:"payload"`           // what is told of this event alone
}

// Kind names the job.
func (DeliverHook) Kind() string { return "deliver_hook" }
