package db

import (
	"fmt"
)

// Container is the group or the project that holds a row: one of the two ids is set, and neither
// for the instance. Rows that both can hold embed it, so that they share a table, its queries and
// its sequence of ids.
type Container struct {
	NamespaceID *int64 `db:"namespace_id" json:"-"`
	ProjectID   *int64 `db:"project_id" json:"-"`
}

// Within adds the condition that rows of the table alias are in the container.
func (c Container) Within(w *Where, alias string) {
	w.AndIf(c.NamespaceID != nil, alias+`.namespace_id = @namespace`, c.NamespaceID)
	w.AndIf(c.ProjectID != nil, alias+`.project_id = @project`, c.ProjectID)
}

// WithinOrAbove adds the condition that rows of the table alias are in the container or in a group
// above it.
func (c Container) WithinOrAbove(w *Where, alias string) {
	const above = `.namespace_id in (select unnest(a.traversal_ids) from namespaces a where a.id = `
	w.AndIf(c.NamespaceID != nil, alias+above+`@namespace)`, c.NamespaceID)
	w.AndIf(c.ProjectID != nil, alias+`.project_id = @project or `+
		alias+above+`(select p.namespace_id from projects p where p.id = @project))`, c.ProjectID)
}

// Kind returns "group", "project" or, for an empty container, "instance".
func (c Container) Kind() string {
	switch {
	case c.NamespaceID != nil:
		return "group"
	case c.ProjectID != nil:
		return "project"
	}
	return "instance"
}

// ID returns the id of the group or project, 0 for the instance.
func (c Container) ID() int64 {
	switch {
	case c.NamespaceID != nil:
		return *c.NamespaceID
	case c.ProjectID != nil:
		return *c.ProjectID
	}
	return 0
}

// String returns the kind and the id, for locks and logs.
func (c Container) String() string {
	return fmt.Sprintf("%s %d", c.Kind(), c.ID())
}
