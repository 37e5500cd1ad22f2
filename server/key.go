package server

import (
	"context"
	"fmt"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/tree"
)

// CheckKey fails if the store has another key than the one that the database was sealed under: what
// is sealed from now on could not be read by those who have the right one. A database without
// secrets takes any.
func CheckKey(ctx context.Context, s *db.Store) error {
	g, err := db.One[tree.Group](ctx, s, "Group", `
		select n.* from namespaces n where n.runners_token is not null order by n.id limit 1`, nil)
	switch {
	case fault.CodeOf(err) == fault.CodeNotFound:
		return nil
	case err != nil:
		return err
	}
	if _, err = tree.GroupRegistrationToken(s, g); err != nil {
		return fmt.Errorf(
			"the secrets of this database were sealed under another key; give it by HEWD_SECRET_KEY: %w", err,
		)
	}
	return nil
}
