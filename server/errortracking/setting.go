package errortracking

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"time"

	"hew/server/db"
)

// Setting says whether errors of what a project runs are collected (spec 3 §2.6, gaps §13.4).
// A project has no row until it is set.
type Setting struct {
	ID         int64     `db:"id,auto" json:"-"`
	ProjectID  int64     `db:"project_id" json:"-"`
	Active     bool      `db:"active" json:"active"`
	Integrated bool      `db:"integrated" json:"integrated"` // by this service, not by another
	CreatedAt  time.Time `db:"created_at,auto" json:"-"`
	UpdatedAt  time.Time `db:"updated_at,auto" json:"-"`
}

// Settings returns the setting of a project, which has at most one.
func Settings(s *db.Store, c db.Container) db.Held[Setting] {
	settings := db.NewHeld[Setting](s, c, "error_tracking")
	settings.What = "Error Tracking Setting"
	return settings
}

// Key is what a program sends with its errors. It is part of the program and so not
// secret.
type Key struct {
	ID        int64     `db:"id,auto" json:"id"`
	ProjectID int64     `db:"project_id" json:"-"`
	Active    bool      `db:"active" json:"active"`
	PublicKey string    `db:"public_key" json:"public_key"`
	CreatedAt time.Time `db:"created_at,auto" json:"-"`
	UpdatedAt time.Time `db:"updated_at,auto" json:"-"`
}

// Keys returns the keys of a project.
func Keys(s *db.Store, c db.Container) db.Held[Key] {
	return db.NewHeld[Key](s, c, "error_tracking_keys")
}

// keyBytes is the length of a key for errors, in random bytes (gaps §13.4).
const keyBytes = 16

// CreateKey creates a key with which programs of a project send their errors.
func CreateKey(ctx context.Context, st *db.Store, c db.Container) (Key, error) {
	var random [keyBytes]byte
	rand.Read(random[:]) // never fails
	return Keys(st, c).Create(ctx, Key{
		ProjectID: c.ID(), Active: true, PublicKey: "glet_" + hex.EncodeToString(random[:]),
	})
}
