package project

import (
	"context"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
)

// Star notes that the user likes the project, and tells whether that is news.
func Star(ctx context.Context, s *db.Store, projectID, userID int64) (changed bool, err error) {
	return star(ctx, s, projectID, userID, `insert into stars (user_id, project_id) values (@user, @project) on conflict do nothing`, 1)
}

// Unstar takes that back, and tells whether there was anything to take back.
func Unstar(ctx context.Context, s *db.Store, projectID, userID int64) (changed bool, err error) {
	return star(ctx, s, projectID, userID, `delete from stars where user_id = @user and project_id = @project`, -1)
}

// star keeps the project's count in step with the rows.
func star(ctx context.Context, s *db.Store, projectID, userID int64, sql string, by int) (changed bool, err error) {
	err = s.Tx(ctx, func(s *db.Store) error {
		args := pgx.NamedArgs{"user": userID, "project": projectID, "by": by}
		n, err := s.Affected(ctx, sql, args)
		if err != nil || n == 0 {
			return err
		}
		changed = true
		return s.Exec(ctx, `update projects set star_count = star_count + @by where id = @project`, args)
	})
	return changed, err
}
