package merge

import (
	"context"

	"hew/server/db"
	"hew/server/jobs"
)

// Jobs returns the jobs of the domain. Base is the address of the server.
func Jobs(base string) []jobs.Kind {
	return []jobs.Kind{
		jobs.On(recheck), jobs.On(referrer{base}.refreshBranch), jobs.On(rebase), jobs.On(retarget),
		jobs.On(referrer{base}.create),
		jobs.On(func(ctx context.Context, st *db.Store, task mergeArmed) error {
			return acceptArmed(ctx, st, base, task.RequestID)
		}),
	}
}
