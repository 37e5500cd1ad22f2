package people

import (
	"context"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/tree"
)

// CustomAttributes are the custom attributes of something, by key.
func CustomAttributes(ctx context.Context, s *db.Store, b tree.Bearer) (map[string]string, error) {
	return customAttributes(ctx, s, b, "")
}

// HoldCustomAttributes is CustomAttributes for somebody who is about to change them: nobody else does before the commit.
func HoldCustomAttributes(ctx context.Context, s *db.Store, b tree.Bearer) (map[string]string, error) {
	return customAttributes(ctx, s, b, ` for no key update`)
}

func customAttributes(ctx context.Context, s *db.Store, b tree.Bearer, lock string) (map[string]string, error) {
	return db.Value[map[string]string](ctx, s, `select custom_attributes from `+b.Table+` where id = @id`+lock, pgx.NamedArgs{"id": b.ID})
}

// UpdateCustomAttributes stores all custom attributes of something.
func UpdateCustomAttributes(ctx context.Context, s *db.Store, b tree.Bearer, attributes map[string]string) error {
	return s.Exec(ctx, `update `+b.Table+` set custom_attributes = @attributes where id = @id`,
		pgx.NamedArgs{"id": b.ID, "attributes": attributes})
}
