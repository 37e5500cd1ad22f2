package tree

import (
	"context"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/fault"
)

// The table routes has the current full path of every namespace and project, and a row for each of
// their former paths. Only this file writes to it.

// route identifies the namespace or project that a path belongs to; exactly one field is set.
type route struct{ namespace, project *int64 }

// NamespaceRoute identifies a namespace by its id.
func NamespaceRoute(id int64) route { return route{namespace: &id} }

// ProjectRoute identifies a project by its id.
func ProjectRoute(id int64) route { return route{project: &id} }

// Claim stores the first full path of a namespace or project. A former path of another one is taken
// over; a current one is a fault about the field path.
func Claim(ctx context.Context, s *db.Store, path string, r route) error {
	n, err := s.Affected(ctx, `
		insert into routes (key, namespace_id, project_id) values (lower(@path), @namespace, @project)
		on conflict (key) do update
		set namespace_id = excluded.namespace_id, project_id = excluded.project_id, former = false
		where routes.former`,
		pgx.NamedArgs{"path": path, "namespace": r.namespace, "project": r.project})
	if err == nil && n == 0 {
		return fault.Invalid("path", db.Taken)
	}
	return err
}

// moved is the condition of the rows that a change of path affects: a namespace and everything
// below it, or one project.
const moved = `
	with spaces as (select id, full_path from namespaces where traversal_ids @> array[@namespace::bigint]),
	     things as (select id, full_path from projects where namespace_id in (select id from spaces)
	       or id = @project::bigint)`

// Reroute makes the old paths of what has moved redirects and claims the new ones. If one of them
// is taken, nothing changes.
func Reroute(ctx context.Context, s *db.Store, r route) error {
	args := pgx.NamedArgs{"namespace": r.namespace, "project": r.project}
	if err := s.Exec(ctx, moved+`
		update routes set former = true
		where not former and (namespace_id in (select id from spaces)
			or project_id in (select id from things))`, args); err != nil {
		return err
	}
	lost, err := db.Value[int](ctx, s, moved+`,
		wanted as (select lower(full_path) as key, id as namespace_id, null::bigint as project_id from spaces
		           union all select lower(full_path), null, id from things),
		claimed as (
		    insert into routes (key, namespace_id, project_id) select key, namespace_id, project_id from wanted
		    on conflict (key) do update
		    set namespace_id = excluded.namespace_id, project_id = excluded.project_id, former = false
		    where routes.former
		    returning key)
		select (select count(*) from wanted) - (select count(*) from claimed)`, args)
	if err == nil && lost > 0 {
		return fault.Invalid("path", db.Taken)
	}
	return err
}

// Relocate changes the parent (nil for none), path and name of a namespace, and updates the paths,
// names and ancestors of everything below it.
func Relocate(ctx context.Context, s *db.Store, g Group, parent *Group, path, name string) error {
	if err := lockTree(ctx, s, rearrange); err != nil {
		return err
	}
	to := Group{FullPath: path, FullName: name, TraversalIDs: []int64{g.ID}}
	var parentID *int64
	if parent != nil {
		to = parent.Child(g.ID, path, name)
		parentID = &parent.ID
	}
	args := pgx.NamedArgs{
		"id": g.ID, "parent": parentID, "path": path, "name": name,
		"from_path": len([]rune(g.FullPath)), "from_name": len([]rune(g.FullName)), "from_ids": len(g.TraversalIDs),
		"to_path": to.FullPath, "to_name": to.FullName, "to_ids": to.TraversalIDs,
	}
	for _, sql := range []string{
		`update namespaces
		 set full_path = @to_path || substr(full_path, @from_path + 1),
		     full_name = @to_name || substr(full_name, @from_name + 1),
		     traversal_ids = @to_ids::bigint[] || traversal_ids[@from_ids + 1:]
		 where traversal_ids @> array[@id::bigint]`,
		`update namespaces set parent_id = @parent, path = @path, name = @name, updated_at = now() where id = @id`,
		`update projects set full_path = @to_path || substr(full_path, @from_path + 1)
		 where namespace_id in (select id from namespaces where traversal_ids @> array[@id::bigint])`,
	} {
		if err := s.Exec(ctx, sql, args); err != nil {
			return err
		}
	}
	if g.FullPath == to.FullPath {
		return nil
	}
	return Reroute(ctx, s, NamespaceRoute(g.ID))
}

// byRef returns the condition of the group or project that a request refers to, by id or by full
// path, current or former.
func byRef(ref string, alias, column string) (condition string, args pgx.NamedArgs) {
	if id, err := strconv.ParseInt(ref, 10, 64); err == nil {
		return alias + ".id = @id", pgx.NamedArgs{"id": id}
	}
	return alias + ".id = (select " + column + " from routes where key = lower(@path))", pgx.NamedArgs{"path": ref}
}

// isFormer reports whether a reference is a path other than the current one.
func isFormer(ref, fullPath string) bool {
	_, err := strconv.ParseInt(ref, 10, 64)
	return err != nil && !strings.EqualFold(ref, fullPath)
}

// EscapeLike returns the pattern of "like" that matches the text alone.
func EscapeLike(text string) string {
	return strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`).Replace(text)
}

// Infix returns the pattern of "ilike" that matches texts which contain this one.
func Infix(text string) string {
	return "%" + EscapeLike(text) + "%"
}
