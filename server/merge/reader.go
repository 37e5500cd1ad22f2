package merge

import (
	"context"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/policy"
	"hew/server/tree"
)

// Readers returns those of the users who see a merge request, in no order. [work.Viewer] has the
// same rule as a condition.
func Readers(ctx context.Context, s *db.Store, r Request, users []int64) ([]int64, error) {
	if len(users) == 0 {
		return nil, nil
	}
	access, err := db.Value[string](ctx, s, `
		select coalesce(p.settings ->> 'merge_requests_access_level', 'enabled') from projects p where p.id = @id`,
		pgx.NamedArgs{"id": r.ProjectID})
	if err != nil || policy.Access(access) == policy.Disabled {
		return nil, err
	}
	standings, err := tree.Standings(ctx, s, r.Target().Container, users)
	var readers []int64
	for id, st := range standings {
		open := policy.Access(access) == policy.Enabled && st.Open
		if st.Admin || st.Level >= int(policy.Reporter) || open {
			readers = append(readers, id)
		}
	}
	return readers, err
}
