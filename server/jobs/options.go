package jobs

import (
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
)

// The queues beside that of River. Other hosts may be slow, and what moves a lot even more so.
const (
	outbound = "outbound"
	long     = "long"
)

// queues says how many jobs of each queue a process does at once.
var queues = map[string]river.QueueConfig{
	river.QueueDefault: {MaxWorkers: 8}, outbound: {MaxWorkers: 32}, long: {MaxWorkers: 16},
}

// Unique is embedded in the arguments of jobs that read from another host. They wait in the queue
// of Once, are tried three times, and are not added while a job with the same arguments waits or
// runs.
type Unique struct{}

// InsertOpts returns the options of the job for River.
func (Unique) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: outbound, MaxAttempts: 3, UniqueOpts: oneAtATime}
}

var oneAtATime = river.UniqueOpts{ByArgs: true, ByState: []rivertype.JobState{
	rivertype.JobStateAvailable, rivertype.JobStatePending, rivertype.JobStateRunning, rivertype.JobStateScheduled,
}}

// Long is Unique for jobs that may take hours. They wait in a queue of their own, so that no mail
// and no hook waits for them.
type Long struct{}

// InsertOpts returns the options of the job for River.
func (Long) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: long, MaxAttempts: 3, UniqueOpts: oneAtATime}
}

// Sole is embedded in the arguments of jobs that are not added while a job with the same arguments
// waits or runs.
type Sole struct{}

// InsertOpts returns the options of the job for River.
func (Sole) InsertOpts() river.InsertOpts { return river.InsertOpts{UniqueOpts: oneAtATime} }

// Once is embedded in the arguments of jobs that send something to another host. They are tried
// once, because a message cannot be recalled, and wait in a queue of their own, because another
// host may be slow.
type Once struct{}

// InsertOpts returns the options of the job for River.
func (Once) InsertOpts() river.InsertOpts { return river.InsertOpts{Queue: outbound, MaxAttempts: 1} }

// Repeated is embedded in the arguments of jobs that send something to another host and know what
// they have sent. They are tried five times within about six minutes, in the queue of Once.
type Repeated struct{}

// InsertOpts returns the options of the job for River.
func (Repeated) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: outbound, MaxAttempts: 5}
}
