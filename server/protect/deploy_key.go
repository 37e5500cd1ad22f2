package protect

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/sshkey"
	"hew/server/tree"
)

// DeployKey is the public half of an SSH key with which programs reach the repositories of the
// projects that enabled it. A key that no project has is deleted, unless it is public.
type DeployKey struct {
	ID    int64  `db:"id,auto" json:"id"`
	Title string `db:"title" json:"title"`
	Key   string `db:"key" json:"key"`
	sshkey.Fingerprints
	Public    bool       `db:"public" json:"public"` // any project may enable it
	CreatorID *int64     `db:"creator_id" json:"-"`
	ExpiresAt *time.Time `db:"expires_at" json:"expires_at"`
	CreatedAt time.Time  `db:"created_at,auto" json:"created_at"`
	UpdatedAt time.Time  `db:"updated_at,auto" json:"-"`
}

// EnabledKey is a deploy key in a project.
type EnabledKey struct {
	ID          int64     `db:"id,auto"`
	ProjectID   int64     `db:"project_id"`
	DeployKeyID int64     `db:"deploy_key_id"`
	CanPush     bool      `db:"can_push"`
	Key         DeployKey `db:"key,auto"`
	CreatedAt   time.Time `db:"created_at,auto"`
	UpdatedAt   time.Time `db:"updated_at,auto"`
}

// EnabledKeys returns the deploy keys of a project.
func EnabledKeys(s *db.Store, c db.Container) db.Held[EnabledKey] {
	keys := db.NewHeld[EnabledKey](s, c, "deploy_keys_projects")
	keys.What = "Deploy Key"
	keys.Select = `select t.*, to_jsonb(k) as key from deploy_keys_projects t
		join deploy_keys k on k.id = t.deploy_key_id`
	return keys
}

// DeployKeyByID returns a condition that matches the deploy key with the id.
func DeployKeyByID(id int64) db.Condition { return func(w *db.Where) { w.And(`k.id = @id`, id) } }

// deployKeyByPrint returns a condition that matches the deploy key with the SHA-256 fingerprint.
func deployKeyByPrint(sha256 string) db.Condition {
	return func(w *db.Where) { w.And(`k.fingerprint_sha256 = @sha256`, sha256) }
}

// deployKeyFor returns a deploy key that the viewer may enable: a public one, or one of a project
// that the viewer maintains.
func deployKeyFor(ctx context.Context, s *db.Store, v tree.Viewer, which db.Condition) (DeployKey, error) {
	w := db.NewWhere(pgx.NamedArgs{"user": v.UserID})
	which(w)
	w.AndIf(!v.All, `k.public or exists (
		select from deploy_keys_projects e join projects p on p.id = e.project_id
			join namespaces n on n.id = p.namespace_id
		where e.deploy_key_id = k.id and `+tree.Holds(db.Maintainer)+`)`)
	return db.One[DeployKey](ctx, s, "Deploy Key", `select k.* from deploy_keys k`+w.String(), w.Args)
}

// DeployKeyCreator returns the id of the user who made a deploy key; 0 if that user is gone.
func DeployKeyCreator(ctx context.Context, s *db.Store, id int64) (int64, error) {
	return db.Value[int64](ctx, s, `select coalesce(max(creator_id), 0) from deploy_keys where id = @id`,
		pgx.NamedArgs{"id": id})
}

// insertDeployKey stores a deploy key that no project has yet.
func insertDeployKey(ctx context.Context, s *db.Store, k DeployKey) (DeployKey, error) {
	id, err := s.Insert(ctx, "deploy_keys", k)
	if err != nil {
		return k, err
	}
	return deployKeyFor(ctx, s, tree.Viewer{All: true}, DeployKeyByID(id))
}

// renameDeployKey changes the title of a deploy key in all projects.
func renameDeployKey(ctx context.Context, s *db.Store, id int64, title string) error {
	return s.Exec(ctx, `update deploy_keys set (title, updated_at) = row(@title, now()) where id = @id`,
		pgx.NamedArgs{"id": id, "title": title})
}

// DeployKeyUsage is a deploy key with the projects that enabled it.
type DeployKeyUsage struct {
	DeployKey
	Writers []KeyProject `db:"writers"` // with it programs push there
	Readers []KeyProject `db:"readers"`
}

// KeyProject is a project as it is shown with a deploy key.
type KeyProject struct {
	ID                int64     `json:"id"`
	Description       *string   `json:"description"`
	Name              string    `json:"name"`
	NameWithNamespace string    `json:"name_with_namespace"`
	Path              string    `json:"path"`
	PathWithNamespace string    `json:"path_with_namespace"`
	CreatedAt         time.Time `json:"created_at"`
}

const selectDeployKeyUsages = `
	select k.*, e.writers, e.readers from deploy_keys k cross join lateral (
	    select coalesce(jsonb_agg(j.project order by p.id) filter (where e.can_push), '[]') as writers,
	           coalesce(jsonb_agg(j.project order by p.id) filter (where not e.can_push), '[]') as readers
	    from deploy_keys_projects e join projects p on p.id = e.project_id join namespaces n on n.id = p.namespace_id
	         cross join lateral (select jsonb_build_object(
	             'id', p.id, 'description', p.description, 'name', p.name, 'name_with_namespace',
	               n.full_name || ' / ' || p.name,
	             'path', p.path, 'path_with_namespace', p.full_path, 'created_at', p.created_at) as project) j
	    where e.deploy_key_id = k.id) e`

// DeployKeyFilter narrows the list of deploy keys.
type DeployKeyFilter struct {
	Public bool // only public keys
}

// DeployKeys lists the deploy keys of all projects.
func DeployKeys(ctx context.Context, s *db.Store, f DeployKeyFilter, p db.Page) ([]DeployKeyUsage, int, error) {
	w := db.NewWhere(nil)
	w.AndIf(f.Public, `k.public`)
	return db.List[DeployKeyUsage](ctx, s, p, nil, "k.id", selectDeployKeyUsages, w)
}
