package group

import (
	"context"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/tree"
)

// GroupFilter narrows a list of groups. Zero fields narrow nothing, apart from UserID and Open.
type GroupFilter struct {
	UserID int64 // the viewer; 0: nobody
	// list groups that are at least this visible besides the user's own; nil: only the user's own
	Open       *db.Visibility
	MinLevel   int     // only groups where the user has this level, inherited or not; Open is ignored
	Owned      bool    // only groups that the user owns, not by inheritance; Open is ignored
	Parent     int64   // only directly below this group
	Root       int64   // only below this group, however deep
	TopLevel   bool    // only groups without a parent
	GuestOf    int64   // only groups that this one is invited into
	Hosts      []int64 // only groups that are invited into these; nil: wherever
	Into       int64   // only groups that the user may move this one into; roles do not matter if Open is Private
	Skip       []int64 // not these
	Search     string  // in full name and full path; below a group: in name and path
	Visibility *db.Visibility
	Attributes map[string]string
	Storage    string // where repositories are stored
	Statistics bool   // fill Statistics
}

// ListedGroup is a group in a list.
type ListedGroup struct {
	tree.Group
	Statistics *GroupStatistics `db:"statistics"` // nil unless they were asked for
	Owned      bool             `db:"owned"`      // by the viewer, inherited or not
}

// GroupStatistics are the sizes of the projects directly in a group, in bytes (spec 2 §2.7).
type GroupStatistics struct {
	StorageSize           int64 `json:"storage_size"`
	RepositorySize        int64 `json:"repository_size"`
	WikiSize              int64 `json:"wiki_size"`
	LFSObjectsSize        int64 `json:"lfs_objects_size"`
	JobArtifactsSize      int64 `json:"job_artifacts_size"`
	PipelineArtifactsSize int64 `json:"pipeline_artifacts_size"`
	PackagesSize          int64 `json:"packages_size"`
	SnippetsSize          int64 `json:"snippets_size"`
	UploadsSize           int64 `json:"uploads_size"`
}

// projectSizes sums up projects called p.
const projectSizes = `select jsonb_build_object(
		'storage_size', coalesce(sum(p.repository_size + p.wiki_size + p.packages_size + p.job_artifacts_size +
			p.uploads_size + p.snippets_size), 0), 'snippets_size', coalesce(sum(p.snippets_size), 0),
		'repository_size', coalesce(sum(p.repository_size), 0), 'wiki_size', coalesce(sum(p.wiki_size), 0),
		'packages_size', coalesce(sum(p.packages_size), 0), 'job_artifacts_size',
			coalesce(sum(p.job_artifacts_size), 0), 'uploads_size', coalesce(sum(p.uploads_size), 0))`

// addVisible adds the condition that the viewer may see a namespace n. It is the ability to read a
// group in SQL: TestGrants holds the two together.
func (f GroupFilter) addVisible(w *db.Where) {
	switch {
	case f.Owned:
		w.AndScattered(tree.OwnNamespaces)
		w.AndIf(f.MinLevel > 0, tree.Belongs(f.MinLevel))
	case f.MinLevel > 0:
		w.AndScattered(tree.NamespacesWith(f.MinLevel))
	case f.Open == nil:
		w.AndScattered(tree.MyNamespaces)
	case *f.Open == db.Private:
	case f.UserID == 0:
		w.And(`n.visibility >= @open`)
	default:
		w.And(`n.visibility >= @open or ` + tree.Mine)
	}
}

// acceptsGroup is the condition that the user may put the group @into below a namespace n, and that
// it is not there already.
const acceptsGroup = `not n.traversal_ids @> array[@into::bigint]
	and n.id is distinct from (select parent_id from namespaces where id = @into)
	and not ` + tree.PendingSpace

// createsSubgroups is the condition that the user may create subgroups in a namespace n.
var createsSubgroups = tree.Belongs(db.Owner) + ` or n.settings ->> 'subgroup_creation_level' is distinct from 'owner'
	and ` + tree.Belongs(db.Maintainer)

// Where returns the condition that a namespace n is in the list.
func (f GroupFilter) Where() *db.Where {
	w := db.NewWhere(pgx.NamedArgs{"user": f.UserID, "open": f.Open, "search": f.Search, "like": tree.Infix(f.Search)})
	w.And(`n.kind = 'group'`)
	f.addVisible(w)
	if f.Search != "" {
		w.Selective = "namespaces"
	}
	w.AndIf(f.Into != 0, acceptsGroup, f.Into)
	w.AndIf(f.Into != 0 && f.Open == nil, createsSubgroups)
	w.AndIf(f.Parent != 0, `n.parent_id = @parent`, f.Parent)
	w.AndIf(f.Root != 0, `n.traversal_ids @> array[@root::bigint] and n.id <> @root`, f.Root)
	w.AndIf(f.GuestOf != 0, `n.id in (select s.namespace_id from shares s where s.group_id = @guest
		and `+tree.LastingShare+`)`, f.GuestOf)
	w.AndIf(f.Hosts != nil, `n.id in (select s.group_id from shares s where s.namespace_id = any(@hosts)
		and `+tree.LastingShare+`)`, f.Hosts)
	w.AndIf(f.TopLevel, `n.parent_id is null`)
	below := f.Parent != 0 || f.Root != 0
	w.AndIf(f.Search != "" && below, `n.name ilike @like or n.path ilike @like`)
	w.AndIf(f.Search != "" && !below, `n.full_name ilike @like or n.full_path ilike @like`)
	w.AndIf(len(f.Skip) > 0, `n.id <> all(@skip)`, f.Skip)
	w.AndIf(f.Visibility != nil, `n.visibility = @visibility`, f.Visibility)
	w.AndIf(f.Storage != "", `coalesce(n.settings ->> 'repository_storage', 'default') = @storage`, f.Storage)
	w.AndIf(len(f.Attributes) > 0, `n.custom_attributes @> @attributes::jsonb`, f.Attributes)
	return w
}

// Query returns the select of namespaces n as rows of ListedGroup, without a condition.
func (f GroupFilter) Query() string {
	statistics := `null::jsonb`
	if f.Statistics {
		statistics = `(` + projectSizes + ` from projects p where p.namespace_id = n.id)`
	}
	return `select n.*, ` + statistics + ` as statistics, ` + tree.Belongs(db.Owner) + ` as owned from namespaces n`
}

// groupOrders: similarity sorts exact matches first, then prefixes, then shorter paths.
var groupOrders = db.Order{
	"id": "n.id", "name": "n.name", "path": "n.path",
	"similarity": `case when lower(@search) in (lower(n.name), lower(n.path)) then 0
		when starts_with(lower(n.name), lower(@search)) or starts_with(lower(n.path), lower(@search)) then 1
		when n.name ilike @like or n.path ilike @like then 2 else 3 end, length(n.full_path)`,
}

// Groups lists groups. Orders: id, name, path, similarity.
func Groups(ctx context.Context, s *db.Store, f GroupFilter, p db.Page) ([]ListedGroup, int, error) {
	return db.List[ListedGroup](ctx, s, p, groupOrders, "n.id", f.Query(), f.Where())
}

// StorageBelow returns the sizes of the projects in a group and below it.
func StorageBelow(ctx context.Context, s *db.Store, id int64) (*GroupStatistics, error) {
	return db.Value[*GroupStatistics](ctx, s, projectSizes+`
		from projects p join namespaces n on n.id = p.namespace_id where n.traversal_ids @> array[@id::bigint]`,
		pgx.NamedArgs{"id": id})
}
