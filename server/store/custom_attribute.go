package store

import (
	"context"

	"github.com/jackc/pgx/v5"
)

// Bearer is what administrators hang custom attributes on. Make it with the method of a user, group or project.
type Bearer struct {
	table string
	id    int64
}

// Bearer is the user as what has custom attributes.
func (u User) Bearer() Bearer { return Bearer{"users", u.ID} }

// Bearer is the group as what has custom attributes.
func (g Group) Bearer() Bearer { return Bearer{"namespaces", g.ID} }

// Bearer is the project as what has custom attributes.
func (p Project) Bearer() Bearer { return Bearer{"projects", p.ID} }

// CustomAttributes are the custom attributes of something, by key.
func (s *Store) CustomAttributes(ctx context.Context, b Bearer) (map[string]string, error) {
	return s.customAttributes(ctx, b, "")
}

// HoldCustomAttributes is CustomAttributes for somebody who is about to change them: nobody else does before the commit.
func (s *Store) HoldCustomAttributes(ctx context.Context, b Bearer) (map[string]string, error) {
	return s.customAttributes(ctx, b, ` for no key update`)
}

func (s *Store) customAttributes(ctx context.Context, b Bearer, lock string) (map[string]string, error) {
	return value[map[string]string](ctx, s, `select custom_attributes from `+b.table+` where id = @id`+lock, pgx.NamedArgs{"id": b.id})
}

// UpdateCustomAttributes stores all custom attributes of something.
func (s *Store) UpdateCustomAttributes(ctx context.Context, b Bearer, attributes map[string]string) error {
	return s.exec(ctx, `update `+b.table+` set custom_attributes = @attributes where id = @id`,
		pgx.NamedArgs{"id": b.id, "attributes": attributes})
}
