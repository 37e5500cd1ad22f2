package project

import (
	"context"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
)

// Star adds the user's star to a project, and reports whether there was none.
func Star(ctx context.Context, s *db.Store, projectID, userID int64) (changed bool, err error) {
	return star(ctx, s, projectID, userID, `insert into stars (user_id, project_id) values (@user,
		@project) on conflict do nothing`, 1)
}

// Unstar removes the user's star from a project, and reports whether there was one.
func Unstar(ctx context.Context, s *db.Store, projectID, userID int64) (changed bool, err error) {
	return star(ctx, s, projectID, userID, `delete from stars where user_id = @user and project_id = @project`, -1)
}

// star runs sql and adds by to the project's count if it changed a row.
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
