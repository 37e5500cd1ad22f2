package people

// RemovalJob removes a user with the personal namespace; Hard also the groups that only this user owns.
type RemovalJob struct {
	ID   int64 `json:"id"`
	Hard bool  `json:"hard"`
}

// Kind names the job.
func (RemovalJob) Kind() string { return "remove_user" }
