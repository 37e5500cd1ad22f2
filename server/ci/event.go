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

// JobChange is a job with the state that it had before; "" if it is new.
type JobChange struct {
	Job    Job
	Before status.Status
}
