package integration

import (
	"context"
	"time"

	"hew/server/db"
)

// ErrorTracking says whether errors of what a project runs are collected (spec 3 §2.6, gaps §13.4).
// A project has no row until it is set.
type ErrorTracking struct {
	ID         int64     `db:"id,auto" json:"-"`
	ProjectID  int64     `db:"project_id" json:"-"`
	Active     bool      `db:"active" json:"active"`
	Integrated bool      `db:"integrated" json:"integrated"` // by this service, not by another
	CreatedAt  time.Time `db:"created_at,auto" json:"-"`
	UpdatedAt  time.Time `db:"updated_at,auto" json:"-"`
}

// ErrorTrackings returns the setting of a project, which has at most one.
func ErrorTrackings(s *db.Store, c db.Container) db.Held[ErrorTracking] {
	settings := db.NewHeld[ErrorTracking](s, c, "error_tracking")
	settings.What = "Error Tracking Setting"
	return settings
}

// ErrorTrackingKey is what a program sends with its errors. It is part of the program and so not
// secret.
type ErrorTrackingKey struct {
	ID        int64     `db:"id,auto" json:"id"`
	ProjectID int64     `db:"project_id" json:"-"`
	Active    bool      `db:"active" json:"active"`
	PublicKey string    `db:"public_key" json:"public_key"`
	CreatedAt time.Time `db:"created_at,auto" json:"-"`
	UpdatedAt time.Time `db:"updated_at,auto" json:"-"`
}

// ErrorTrackingKeys returns the keys of a project.
func ErrorTrackingKeys(s *db.Store, c db.Container) db.Held[ErrorTrackingKey] {
	return db.NewHeld[ErrorTrackingKey](s, c, "error_tracking_keys")
}

// errorKeyBytes is the length of a key for errors, in random bytes (gaps §13.4).
const errorKeyBytes = 16

// CreateErrorTrackingKey creates a key with which programs of a project send their errors.
func CreateErrorTrackingKey(ctx context.Context, st *db.Store, c db.Container) (ErrorTrackingKey, error) {
	return ErrorTrackingKeys(st, c).Create(ctx, ErrorTrackingKey{
		ProjectID: c.ID(), Active: true, PublicKey: "glet_" + randomHex(errorKeyBytes),
	})
}
