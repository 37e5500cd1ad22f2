package instance

import (
	"context"

	"hew/server/db"
)

// Statistics counts the objects of the instance. What this server does not have yet counts as zero.
type Statistics struct {
	Forks         int64 `db:"-" json:"forks"`
	Issues        int64 `db:"-" json:"issues"`
	MergeRequests int64 `db:"-" json:"merge_requests"`
	Notes         int64 `db:"-" json:"notes"`
	Snippets      int64 `db:"snippets" json:"snippets"`
	SSHKeys       int64 `db:"-" json:"ssh_keys"`
	Milestones    int64 `db:"-" json:"milestones"`
	Users         int64 `db:"users" json:"users"`
	Groups        int64 `db:"groups" json:"groups"`
	Projects      int64 `db:"projects" json:"projects"`
	ActiveUsers   int64 `db:"active_users" json:"active_users"`
}

// ReadStatistics counts everything.
func ReadStatistics(ctx context.Context, s *db.Store) (Statistics, error) {
	return db.One[Statistics](ctx, s, "Statistics", `
		select count(*) as users, count(*) filter (where state = 'active') as active_users,
		       (select count(*) from namespaces where kind = 'group') as groups,
		       (select count(*) from projects) as projects, (select count(*) from snippets) as snippets
		from users`, nil)
}
