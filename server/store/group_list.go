package store

import (
	"context"
	"fmt"
	"strconv"

	"github.com/jackc/pgx/v5"
)

// GroupFilter narrows a list of groups; zero fields do not, apart from who asks.
type GroupFilter struct {
	UserID     int64       // who asks; 0 is nobody
	Open       *Visibility // groups that are at least this visible are listed to anybody; nil: only the user's own are
	MinLevel   int         // only groups where the user has this level, inherited or not; Open is ignored
	Owned      bool        // only groups that the user owns, not by inheritance; Open is ignored
	Parent     int64       // only directly below this group
	Root       int64       // only below this group, however deep
	TopLevel   bool        // only groups without a parent
	Into       int64       // only groups that the user may move this one into, by his roles unless Open is Private
	Skip       []int64     // not these
	Search     string      // in full name and full path; below a group: in name and path
	Visibility *Visibility
	Attributes map[string]string
	Storage    string         // where repositories are stored
	Statistics bool           // fill Statistics
	After      *GroupPosition // by key: the last row of the page before
}

// GroupPosition is where a page of groups ends that are ordered by name.
type GroupPosition struct {
	Name string
	ID   int64
}

// ListedGroup is a group in a list.
type ListedGroup struct {
	Group
	Statistics *GroupStatistics `db:"statistics"` // nil unless they were asked for
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

const (
	// projectSizes sums up projects called p.
	projectSizes = `select jsonb_build_object(
		'storage_size', coalesce(sum(p.repository_size + p.wiki_size + p.packages_size + p.job_artifacts_size), 0),
		'repository_size', coalesce(sum(p.repository_size), 0), 'wiki_size', coalesce(sum(p.wiki_size), 0),
		'packages_size', coalesce(sum(p.packages_size), 0), 'job_artifacts_size', coalesce(sum(p.job_artifacts_size), 0))`

	// owns is the condition that the user owns a namespace n, not by inheritance.
	owns = `n.id in (
		select m.namespace_id from members m
		where m.user_id = @user and m.namespace_id is not null and m.access_level = 50 and ` + live + `)`
)

// holding are the ids of the namespaces where the user has the level, by a membership of it or of one above it.
func holding(level string) string {
	return `select d.id from namespaces d where d.traversal_ids && array(
		select m.namespace_id from members m
		where m.user_id = @user and m.namespace_id is not null and m.access_level >= ` + level + ` and ` + live + `)`
}

// belongs is the condition that the user has the level in a namespace n. Here and below it is a set that n is in, and not
// a property of n: a list can then begin with the set, whatever it is ordered by.
func belongs(level string) string { return `n.id in (` + holding(level) + `)` }

// guest is the least role that sees a private thing.
const guest = 10

// mine is the condition that the user may see a namespace n because he is a member of it, of one above it, or of anything
// below it.
var mine = `n.id in (` + holding(strconv.Itoa(guest)) + `
	union all
	select unnest(d.traversal_ids)
	from members m left join projects p on p.id = m.project_id join namespaces d on d.id = coalesce(m.namespace_id, p.namespace_id)
	where m.user_id = @user and ` + live + `)`

// who is the condition that a group is listed to who asks. It is the list's form of the ability to read a group: a test
// holds the two together.
func (f GroupFilter) who() string {
	switch {
	case f.Owned && f.MinLevel > 0:
		return owns + ` and ` + belongs("@level")
	case f.Owned:
		return owns
	case f.MinLevel > 0:
		return belongs("@level")
	case f.Open == nil:
		return mine
	case *f.Open == Private:
		return `true`
	case f.UserID == 0:
		return `n.visibility >= @open`
	}
	return `(n.visibility >= @open or ` + mine + `)`
}

// hosts is the condition that the user may put the group Into below a namespace n, and that it is not there already.
const hosts = ` and not n.traversal_ids @> array[@into::bigint]
	and n.id is distinct from (select parent_id from namespaces where id = @into)
	and not ` + pendingSpace

// builds is the condition that the user may create subgroups in a namespace n.
var builds = ` and (` + belongs("50") + ` or n.settings ->> 'subgroup_creation_level' is distinct from 'owner' and ` + belongs("40") + `)`

func (f GroupFilter) query() string {
	statistics := `null::jsonb`
	if f.Statistics {
		statistics = `(` + projectSizes + ` from projects p where p.namespace_id = n.id)`
	}
	where := f.who()
	if f.Into != 0 {
		where += hosts
		if f.Open == nil {
			where += builds
		}
	}
	switch {
	case f.Parent != 0:
		where += ` and n.parent_id = @parent`
	case f.Root != 0:
		where += ` and n.traversal_ids @> array[@root::bigint] and n.id <> @root`
	case f.TopLevel:
		where += ` and n.parent_id is null`
	}
	switch {
	case f.Search == "":
	case f.Parent != 0 || f.Root != 0:
		where += ` and (n.name ilike @like or n.path ilike @like)`
	default:
		where += ` and (n.full_name ilike @like or n.full_path ilike @like)`
	}
	if f.After != nil {
		where += ` and (n.name, n.id) > (@after_name, @after_id)`
	}
	return fmt.Sprintf(`
		select n.*, %s as statistics
		from namespaces n
		where n.kind = 'group' and %s
		  and (@skip::bigint[] is null or n.id <> all(@skip))
		  and (@visibility::smallint is null or n.visibility = @visibility)
		  and (@storage = '' or coalesce(n.settings ->> 'repository_storage', 'default') = @storage)
		  and (@attributes::jsonb is null or n.custom_attributes @> @attributes)`, statistics, where)
}

func (f GroupFilter) args() pgx.NamedArgs {
	args := pgx.NamedArgs{
		"user": f.UserID, "level": f.MinLevel, "open": f.Open, "parent": f.Parent, "root": f.Root, "into": f.Into,
		"skip": f.Skip, "search": f.Search, "like": infix(f.Search), "visibility": f.Visibility, "storage": f.Storage,
		"attributes": nil,
	}
	if len(f.Attributes) > 0 {
		args["attributes"] = f.Attributes
	}
	if f.After != nil {
		args["after_name"], args["after_id"] = f.After.Name, f.After.ID
	}
	return args
}

// groupOrders: similarity puts the group that is called so first, then those that begin so, the shorter ones first.
var groupOrders = order{
	"id": "n.id", "name": "n.name", "path": "n.path",
	"similarity": `case when lower(@search) in (lower(n.name), lower(n.path)) then 0
		when starts_with(lower(n.name), lower(@search)) or starts_with(lower(n.path), lower(@search)) then 1
		when n.name ilike @like or n.path ilike @like then 2 else 3 end, length(n.full_path)`,
}

// Groups lists groups. Orders: id, name, path, similarity. Keyset pages are by name, and begin after the filter's After.
func (s *Store) Groups(ctx context.Context, f GroupFilter, p Page) ([]ListedGroup, int, error) {
	if p.ByKey {
		list, err := many[ListedGroup](ctx, s, fmt.Sprintf("%s order by n.name, n.id limit %d", f.query(), p.Limit), f.args())
		return list, -1, err
	}
	return page[ListedGroup](ctx, s, p, groupOrders, "n.id", f.query(), f.args())
}

// StorageBelow sums up the projects in a group and in those below it.
func (s *Store) StorageBelow(ctx context.Context, id int64) (*GroupStatistics, error) {
	return value[*GroupStatistics](ctx, s, projectSizes+`
		from projects p join namespaces n on n.id = p.namespace_id where n.traversal_ids @> array[@id::bigint]`,
		pgx.NamedArgs{"id": id})
}
