package api

import (
	"context"

	"hew/server/fault"
	"hew/server/policy"
)

// limitJob decides what a client with the token of a job may do: read its own project, push to it
// if the project allows that, and read what its user may read of projects that let its project in.
func (c *client) limitJob(ctx context.Context) error {
	t := c.Caller.JobToken
	if t == nil {
		return nil
	}
	own := t.ProjectID == c.Project.ID
	if c.Service == receivePack && !(own && c.Project.Settings.CIPushForJobToken) {
		return fault.Forbidden("A job token cannot push here. Use an access token, or let jobs push to their own project.")
	}
	if err := c.Caller.Within(ctx, c.Store, &c.Project); err != nil {
		return err
	}
	if own { // whatever became of its user's membership
		c.Project.Level = max(c.Project.Level, int(policy.Reporter))
	}
	return nil
}
