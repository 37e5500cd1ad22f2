package ci

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"hew/schema/catalogue"
	"hew/server/db"
	"hew/server/tree"
)

// Environment is a place that jobs deploy to (CI facts §2.3).
type Environment struct {
	ID          int64      `db:"id,auto"`
	ProjectID   int64      `db:"project_id"`
	Name        string     `db:"name"`
	Slug        string     `db:"slug"`
	ExternalURL *string    `db:"external_url"`
	State       string     `db:"state"` // Available, Stopping, Stopped
	Tier        string     `db:"tier"`  // production, staging, testing, development, other
	AutoStopAt  *time.Time `db:"auto_stop_at"`
	CreatedAt   time.Time  `db:"created_at,auto"`
	UpdatedAt   time.Time  `db:"updated_at,auto"`
}

// The states of environments.
const (
	Available = "available"
	Stopping  = "stopping" // the job that stops it runs
	Stopped   = "stopped"
)

// Environments returns the environments of a project.
func Environments(s *db.Store, projectID int64) db.Held[Environment] {
	h := db.NewHeld[Environment](s, db.Container{ProjectID: &projectID}, "environments")
	h.What = "Environment"
	return h
}

// EnvironmentFilter narrows a list of environments. Zero fields narrow nothing.
type EnvironmentFilter struct{ Name, Search, State string }

// Within adds the conditions of the filter.
func (f EnvironmentFilter) Within(w *db.Where) {
	w.AndIf(f.Name != "", `t.name = @name`, f.Name)
	w.AndIf(f.Search != "", `t.name ilike @like`, tree.Infix(f.Search))
	w.AndIf(f.State != "", `t.state = @state`, f.State)
}

// environmentNamed returns the condition of the environment of a name.
func environmentNamed(name string) db.Condition {
	return func(w *db.Where) { w.And(`t.name = @name`, name) }
}

// ProvideEnvironment returns the environment of a project with a name, and makes it if there is
// none. A tier that is empty follows from the name.
func ProvideEnvironment(ctx context.Context, st *db.Store, projectID int64, name, tier string) (Environment, error) {
	row := NewEnvironment(projectID, name)
	if tier != "" {
		row.Tier = tier
	}
	if err := st.Exec(ctx, `
		insert into environments (project_id, name, slug, tier) values (@project, @name, @slug, @tier)
		on conflict (project_id, name) do nothing`, pgx.NamedArgs{
		"project": projectID, "name": name, "slug": row.Slug, "tier": row.Tier,
	}); err != nil {
		return row, err
	}
	return Environments(st, projectID).One(ctx, environmentNamed(name))
}

// NewEnvironment returns an environment with the slug and the tier that follow from its name.
func NewEnvironment(projectID int64, name string) Environment {
	return Environment{
		ProjectID: projectID, Name: name, Slug: slugOf(name), State: Available, Tier: catalogue.TierOf(name),
	}
}

// slugLength is how long slugs of environments can be: names of hosts contain them.
const slugLength = 24

var notInSlug = regexp.MustCompile(`[^a-z0-9]+`)

// slugOf returns the name of an environment as part of the name of a host. A name that is no slug
// itself gets six characters of its digest, so that different ones stay different.
func slugOf(name string) string {
	slug := strings.Trim(notInSlug.ReplaceAllString(strings.ToLower(name), "-"), "-")
	if slug == "" || slug[0] >= '0' && slug[0] <= '9' {
		slug = "env-" + slug
	}
	if slug == name && len(slug) <= slugLength {
		return slug
	}
	sum := sha256.Sum256([]byte(name))
	const digits = 6
	return strings.TrimRight(slug[:min(len(slug), slugLength-digits-1)], "-") + "-" + hex.EncodeToString(sum[:])[:digits]
}
