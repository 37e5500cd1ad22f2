package people

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"hew/server/check"
	"hew/server/db"
	"hew/server/tree"
)

// CustomAttributes returns the custom attributes of a bearer, by key.
func CustomAttributes(ctx context.Context, s *db.Store, b tree.Bearer) (map[string]string, error) {
	return customAttributes(ctx, s, b, "")
}

// holdCustomAttributes is CustomAttributes, and locks the bearer until the commit.
func holdCustomAttributes(ctx context.Context, s *db.Store, b tree.Bearer) (map[string]string, error) {
	return customAttributes(ctx, s, b, ` for no key update`)
}

func customAttributes(ctx context.Context, s *db.Store, b tree.Bearer, lock string) (map[string]string, error) {
	return db.Value[map[string]string](ctx, s, `select custom_attributes from `+b.Table+`
		where id = @id`+lock, pgx.NamedArgs{"id": b.ID})
}

// updateCustomAttributes replaces all custom attributes of a bearer.
func updateCustomAttributes(ctx context.Context, s *db.Store, b tree.Bearer, attributes map[string]string) error {
	return s.Exec(ctx, `update `+b.Table+` set custom_attributes = @attributes where id = @id`,
		pgx.NamedArgs{"id": b.ID, "attributes": attributes})
}

// maxAttributes limits the custom attributes of one bearer, because lists show all of them.
const maxAttributes = 100

// ChangeCustomAttributes locks a bearer, applies change to its custom attributes, and stores them.
func ChangeCustomAttributes(
	ctx context.Context, st *db.Store, b tree.Bearer, change func(map[string]string) error,
) error {
	return st.Tx(ctx, func(st *db.Store) error {
		attributes, err := holdCustomAttributes(ctx, st, b)
		if err != nil {
			return err
		}
		if err := change(attributes); err != nil {
			return err
		}
		if err := checkAttributes(attributes); err != nil {
			return err
		}
		return updateCustomAttributes(ctx, st, b, attributes)
	})
}

func checkAttributes(attributes map[string]string) error {
	var wrong check.Problems
	if len(attributes) > maxAttributes {
		wrong.On("base", fmt.Sprintf("Maximum number of custom attributes (%d) exceeded", maxAttributes))
	}
	for key, value := range attributes {
		wrong.Fits("key", key, 255)
		wrong.Fits("value", value, 255)
	}
	return wrong.Err()
}
