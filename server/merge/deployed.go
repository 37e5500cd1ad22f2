package merge

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
)

// Deployments narrows a list to merge requests that were deployed; a zero field narrows nothing.
type Deployments struct {
	Environment   string // a name
	After, Before *time.Time
}

func (d Deployments) asked() bool { return d.Environment != "" || d.After != nil || d.Before != nil }

// into adds the condition that one successful deployment meets.
func (d Deployments) into(w *db.Where) {
	if !d.asked() {
		return
	}
	const base = `select x.merge_request_id from deployments d join environments e on e.id = d.environment_id
		join deployment_merge_requests x on x.deployment_id = d.id where d.status = 'success'`
	which := ``
	if d.Environment != "" {
		which += ` and e.name = @environment`
		w.Args["environment"] = d.Environment
	}
	if d.After != nil {
		which += ` and d.finished_at >= @deployed_after`
		w.Args["deployed_after"] = *d.After
	}
	if d.Before != nil {
		which += ` and d.finished_at <= @deployed_before`
		w.Args["deployed_before"] = *d.Before
	}
	w.And(`t.id in (` + base + which + `)`)
}

// FirstDeployed returns when a merge request first came to an environment of the tier production;
// nil if it has not.
func FirstDeployed(ctx context.Context, st *db.Store, r Request) (*time.Time, error) {
	return db.Value[*time.Time](ctx, st, `
		select min(d.finished_at)
		from deployment_merge_requests x join deployments d on d.id = x.deployment_id and d.status = 'success'
			join environments e on e.id = d.environment_id and e.tier = 'production'
		where x.merge_request_id = @id`, pgx.NamedArgs{"id": r.ID})
}
