package ci

import "hew/server/ci/status"

// Changed is emitted after a pipeline or some of its jobs got other states, in the transaction that
// does it. A pipeline that was just created has no state before.
type Changed struct {
	Pipeline Pipeline
	Before   status.Status
	Jobs     []JobChange
}

// Deployed is emitted after a deployment was made or got another status, in the transaction that
// does it.
type Deployed struct {
	ProjectID int64
	ID        int64 // of the deployment
}

// releases reports whether others may get the resource group of the job: it is over, or waits for
// somebody, so that those behind it need not wait for it.
func (j JobChange) releases() bool { return j.Job.Status.Complete() || j.Job.Status == status.Manual }

// JobChange is a job with the state that it had before; "" if it is new.
type JobChange struct {
	Job    Job
	Before status.Status
}
