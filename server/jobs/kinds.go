package jobs

import (
	"encoding/json"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
)

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

// SyncGroup makes the members of a group be what an LDAP server says.
type SyncGroup struct {
	ID int64 `json:"id"`
}

// Kind names the job.
func (SyncGroup) Kind() string { return "sync_group" }

// InsertOpts is asked for by River: the server may be slow, so it waits apart from other jobs; one that waits or runs already is
// enough; and the hour after brings another one.
func (SyncGroup) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: outbound, MaxAttempts: 3, UniqueOpts: river.UniqueOpts{ByArgs: true, ByState: []rivertype.JobState{
		rivertype.JobStateAvailable, rivertype.JobStatePending, rivertype.JobStateRunning, rivertype.JobStateScheduled,
	}}}
}

// SyncGroups has all groups that are linked to an LDAP server synchronised.
type SyncGroups struct{}

// Kind names the job.
func (SyncGroups) Kind() string { return "sync_groups" }
