package packages

import (
	"context"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/packages/nuget"
	"hew/server/tree"
)

// Package is a version of what a project publishes under a name (gaps §16.1).
type Package struct {
	ID        int64 `db:"id,auto"`
	ProjectID int64 `db:"project_id"`
	Identity
	Status           string     `db:"status"`
	CreatorID        *int64     `db:"creator_id"` // nil: a deploy token, or the user is deleted
	LastDownloadedAt *time.Time `db:"last_downloaded_at,auto"`
	CreatedAt        time.Time  `db:"created_at,auto"`
	UpdatedAt        time.Time  `db:"updated_at,auto"`
	ProjectPath      string     `db:"project_path,auto"`
	Pipelines        []int64    `db:"pipelines,auto"` // that published its files, newest first
}

// Identity is what names a package. Each format folds names and versions in its own way.
type Identity struct {
	Type       string `db:"type"`
	Name       string `db:"name"`
	Version    string `db:"version"`
	NameKey    string `db:"name_key"`    // what names are compared by
	VersionKey string `db:"version_key"` // what versions are compared by
	SortKey    string `db:"sort_key"`    // orders the versions of a name, byte by byte
	Prerelease bool   `db:"prerelease"`
}

// The formats of packages.
const (
	Nuget   = "nuget"
	Generic = "generic"
)

// The states of a package. Clients are shown those in the state default.
const (
	Shown  = "default"
	Hidden = "hidden"
	Failed = "error"
)

const selectPackages = `
	select t.*, p.full_path as project_path, array(
	    select f.pipeline_id from package_files f where f.package_id = t.id and f.pipeline_id is not null
	    group by f.pipeline_id order by f.pipeline_id desc limit 10) as pipelines
	from packages t join projects p on p.id = t.project_id`

// selectPlain is the query of packages without their pipelines, for answers that do not show them.
const selectPlain = `
	select t.*, p.full_path as project_path, '{}'::bigint[] as pipelines
	from packages t join projects p on p.id = t.project_id`

// packageOrders are the orders of lists. Versions of different names are ordered by their keys.
var packageOrders = db.Order{
	"created_at": "t.created_at", "name": "t.name_key", "version": "t.sort_key", "type": "t.type",
	"project_path": "p.full_path",
}

// NormalVersion returns the version as clients name it: in its normal form and in lower case.
func (p Package) NormalVersion() string {
	if v, ok := nuget.LookupVersion(p.Version); ok {
		return strings.ToLower(v.Normal())
	}
	return strings.ToLower(p.Version)
}

// Packages returns the packages of a project.
func Packages(s *db.Store, projectID int64) db.Held[Package] {
	h := db.NewHeld[Package](s, db.Container{ProjectID: &projectID}, "packages")
	h.What = "Package"
	h.Select, h.SelectOwn, h.Orders = selectPackages, `select t.* from packages t`, packageOrders
	return h
}

// Filter narrows a list of packages. Zero fields narrow nothing.
type Filter struct {
	Type    string
	Name    string // a part of the name, in any case
	Version string
	Status  string // empty: those that are shown, and failures

	DirectlyIn int64 // the group that their projects are in, and not below; 0: any
}

// Within adds the conditions of the filter.
func (f Filter) Within(w *db.Where) {
	w.AndIf(f.Type != "", `t.type = @type`, f.Type)
	w.AndIf(f.Name != "", `t.name ilike @name_like`, tree.Infix(f.Name))
	w.AndIf(f.Version != "", `t.version = @version`, f.Version)
	w.AndIf(f.DirectlyIn != 0, `p.namespace_id = @directly_in`, f.DirectlyIn)
	if f.Status == "" {
		w.And(`t.status in ('` + Shown + `', '` + Failed + `')`)
	} else {
		w.And(`t.status = @status`, f.Status)
	}
}

// Named returns the condition of the package with an identity.
func Named(id Identity) db.Condition {
	return func(w *db.Where) {
		w.And(`t.type = @type and t.name_key = @name_key and t.version_key = @version_key`,
			id.Type, id.NameKey, id.VersionKey)
	}
}

// maxVersions is how many versions of a package are shown at once.
const maxVersions = 1000

// VersionsOf returns the other packages of a project with the name of p, newest version first.
func VersionsOf(ctx context.Context, s *db.Store, p Package) ([]Package, error) {
	return db.Many[Package](ctx, s, selectPackages+`
		where t.project_id = @project and t.type = @type and t.name_key = @name and t.id <> @id and t.status = '`+Shown+`'
		order by t.sort_key desc limit @most`,
		pgx.NamedArgs{"project": p.ProjectID, "type": p.Type, "name": p.NameKey, "id": p.ID, "most": maxVersions})
}

// Downloaded notes that a file of a package was sent to a client, to the minute.
func Downloaded(ctx context.Context, s *db.Store, packageID int64) error {
	return s.Exec(ctx, `
		update packages set last_downloaded_at = now()
		where id = (select id from packages
			where id = @id and (last_downloaded_at is null or last_downloaded_at < now() - interval '1 minute')
			for no key update skip locked)`,
		pgx.NamedArgs{"id": packageID})
}
