package store

import "time"

// ErrorTracking says whether errors of what a project runs are collected (spec 3 §2.6, gaps §13.4). A project has it once it
// was set.
type ErrorTracking struct {
	ID         int64     `db:"id,auto" json:"-"`
	ProjectID  int64     `db:"project_id" json:"-"`
	Active     bool      `db:"active" json:"active"`
	Integrated bool      `db:"integrated" json:"integrated"` // by this service, not by another
	CreatedAt  time.Time `db:"created_at,auto" json:"-"`
	UpdatedAt  time.Time `db:"updated_at,auto" json:"-"`
}

// ErrorTracking holds the setting of a project, which has Only one.
func (s *Store) ErrorTracking(c Container) Held[ErrorTracking] {
	settings := held[ErrorTracking](s, c, "error_tracking")
	settings.what = "Error Tracking Setting"
	return settings
}

// ErrorTrackingKey is what a program shows that sends its errors. It is in the program, and so no secret.
type ErrorTrackingKey struct {
	ID        int64     `db:"id,auto" json:"id"`
	ProjectID int64     `db:"project_id" json:"-"`
	Active    bool      `db:"active" json:"active"`
	PublicKey string    `db:"public_key" json:"public_key"`
	CreatedAt time.Time `db:"created_at,auto" json:"-"`
	UpdatedAt time.Time `db:"updated_at,auto" json:"-"`
}

// ErrorTrackingKeys are the keys of a project.
func (s *Store) ErrorTrackingKeys(c Container) Held[ErrorTrackingKey] {
	return held[ErrorTrackingKey](s, c, "error_tracking_keys")
}
