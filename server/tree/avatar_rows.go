package tree

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
)

// Avatar is the picture of a group or project. Where it is to be had is in the row of that.
type Avatar struct {
	ID int64 `db:"id,auto"`
	db.Container
	Name      string    `db:"name"` // of the file
	Type      string    `db:"type"` // image/png
	Content   []byte    `db:"content"`
	CreatedAt time.Time `db:"created_at,auto"`
}

// FindAvatar is the picture of a group or project.
func FindAvatar(ctx context.Context, s *db.Store, c db.Container) (Avatar, error) {
	w := db.NewWhere(nil)
	c.Of(w, "a")
	return db.One[Avatar](ctx, s, "Avatar", `select a.* from avatars a`+w.String(), w.Args)
}

// PutAvatar gives a group or project a picture, in place of the one that it has, and says where it is to be had.
func PutAvatar(ctx context.Context, s *db.Store, a Avatar, path string) error {
	return s.Tx(ctx, func(s *db.Store) error {
		if err := point(ctx, s, a.Container, &path); err != nil { // first: it locks the row that others wait for
			return err
		}
		if err := dropAvatar(ctx, s, a.Container); err != nil {
			return err
		}
		_, err := s.Insert(ctx, "avatars", a)
		return err
	})
}

// RemoveAvatar takes the picture of a group or project away, if it has one.
func RemoveAvatar(ctx context.Context, s *db.Store, c db.Container) error {
	return s.Tx(ctx, func(s *db.Store) error {
		if err := point(ctx, s, c, nil); err != nil {
			return err
		}
		return dropAvatar(ctx, s, c)
	})
}

func dropAvatar(ctx context.Context, s *db.Store, c db.Container) error {
	w := db.NewWhere(nil)
	c.Of(w, "a")
	return s.Exec(ctx, `delete from avatars a`+w.String(), w.Args)
}

// point says in the row of a group or project where its picture is to be had; nil: it has none.
func point(ctx context.Context, s *db.Store, c db.Container, path *string) error {
	table := map[string]string{"group": "namespaces", "project": "projects"}[c.Kind()]
	return s.Exec(ctx, `update `+table+` set avatar = @path, updated_at = now() where id = @id`,
		pgx.NamedArgs{"id": c.ID(), "path": path})
}
