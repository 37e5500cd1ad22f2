package store

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
)

// Avatar is the picture of a group or project. Where it is to be had is in the row of that.
type Avatar struct {
	ID int64 `db:"id,auto"`
	Container
	Name      string    `db:"name"` // of the file
	Type      string    `db:"type"` // image/png
	Content   []byte    `db:"content"`
	CreatedAt time.Time `db:"created_at,auto"`
}

// Avatar is the picture of a group or project.
func (s *Store) Avatar(ctx context.Context, c Container) (Avatar, error) {
	w := among(nil)
	c.of(w, "a")
	return one[Avatar](ctx, s, "Avatar", `select a.* from avatars a`+w.String(), w.args)
}

// SetAvatar gives a group or project a picture, in place of the one that it has, and says where it is to be had.
func (s *Store) SetAvatar(ctx context.Context, a Avatar, path string) error {
	return s.Tx(ctx, func(s *Store) error {
		if err := s.point(ctx, a.Container, &path); err != nil { // first: it locks the row that others wait for
			return err
		}
		if err := s.dropAvatar(ctx, a.Container); err != nil {
			return err
		}
		_, err := s.insert(ctx, "avatars", a)
		return err
	})
}

// RemoveAvatar takes the picture of a group or project away, if it has one.
func (s *Store) RemoveAvatar(ctx context.Context, c Container) error {
	return s.Tx(ctx, func(s *Store) error {
		if err := s.point(ctx, c, nil); err != nil {
			return err
		}
		return s.dropAvatar(ctx, c)
	})
}

func (s *Store) dropAvatar(ctx context.Context, c Container) error {
	w := among(nil)
	c.of(w, "a")
	return s.exec(ctx, `delete from avatars a`+w.String(), w.args)
}

// point says in the row of a group or project where its picture is to be had; nil: it has none.
func (s *Store) point(ctx context.Context, c Container, path *string) error {
	table := map[string]string{"group": "namespaces", "project": "projects"}[c.Kind()]
	return s.exec(ctx, `update `+table+` set avatar = @path, updated_at = now() where id = @id`,
		pgx.NamedArgs{"id": c.ID(), "path": path})
}
