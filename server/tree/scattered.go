package tree

import (
	"strings"

	"hew/server/db"
)

// Lists of what one user has. The conditions come in the forms of db.Scattered. The counts walk
// ranges of the index namespaces_tree: in the order of traversal_ids everything below a namespace
// follows it, so that a grant of a large group counts its rows without a look at any.

// OwnNamespaces is the condition that the user owns a namespace n, not by inheritance.
var OwnNamespaces = db.Scattered{Table: "namespaces", Find: Owns, Walk: Owns}

// MyNamespaces is the condition that the user may see a namespace n as a member of it, of one above
// it, or of anything below it.
var MyNamespaces = db.Scattered{
	Table: "namespaces",
	Find:  Mine,
	Walk: asked(db.Guest) + `
		or n.id in (select unnest(d.traversal_ids) from namespaces d where d.id in (` + places + `))`,
	Count: func(conditions string) string {
		return within(db.Guest, places, namespacesWithin, `select from namespaces n where $and and n.id in (
			select unnest(ids[:coalesce(first - 1, cardinality(ids))]) from place)`, conditions)
	},
}

// NamespacesWith returns the condition that the user has the level in a namespace n, granted by it
// or by one above it.
func NamespacesWith(level int) db.Scattered {
	return db.Scattered{
		Table: "namespaces",
		Find:  Belongs(level),
		Walk:  asked(level),
		Count: func(conditions string) string {
			return within(level, ``, namespacesWithin, ``, conditions)
		},
	}
}

// ProjectsWith returns the condition that the user has the level in a project p of a namespace n,
// inherited or not.
func ProjectsWith(level int) db.Scattered {
	_, projects := Granted(level)
	return db.Scattered{
		Table: "projects",
		Find:  Holds(level),
		Walk:  asked(level) + ` or p.id in (` + projects + `)`,
		Count: func(conditions string) string {
			return within(level, ``, projectsWithin, `select from projects p join namespaces n on n.id = p.namespace_id
				where $and and p.id in (`+projects+`)
					and not arrayoverlap(n.traversal_ids, array(select id from granted))`, conditions)
		},
	}
}

// asked returns the condition of Belongs in a form that no index answers: Postgres guesses that one
// row in a hundred meets it, and would read all of them.
func asked(level int) string {
	spaces, _ := Granted(level)
	return `arrayoverlap(n.traversal_ids, array(` + spaces + `))`
}

// The rows in or below a namespace, as within takes them. Each namespace is asked for its projects:
// Postgres would rather read all projects for each range.
const (
	namespacesWithin = `select from namespaces n where $range and $and`
	projectsWithin   = `select from namespaces n cross join lateral (
		select from projects p where p.namespace_id = n.id and $and offset 0) p where $range`
)

// within returns a query of the rows in or below a namespace n that grants the user the level, each
// once, and of the rows of another query, others, that are in none of these. $and stands for the
// conditions in both, $range for the condition of the namespaces. Others may read place(ids,
// first): of the granting namespaces and of places, further ones, the traversal ids, and where in
// them the first granting one is, null if none is.
func within(level int, places, rows, others, conditions string) string {
	spaces, _ := Granted(level)
	union := func(sql string) string {
		if sql == "" {
			return ""
		}
		return ` union all ` + sql
	}
	sql := `with
		granted as materialized (select distinct namespace_id as id from (` + spaces + `) g),
		place as materialized (
			select d.traversal_ids as ids, (
				select min(position) from unnest(d.traversal_ids) with ordinality a (id, position)
				where a.id in (select id from granted)) as first
			from namespaces d where d.id in (select id from granted` + union(places) + `))
		select from (select distinct ids[:first] as ids from place where first is not null) top
			cross join lateral (` + rows + ` offset 0) n` + union(others)
	return strings.NewReplacer(
		"$range", `n.traversal_ids >= top.ids and n.traversal_ids < top.ids || 9223372036854775807`, "$and", conditions,
	).Replace(sql)
}
