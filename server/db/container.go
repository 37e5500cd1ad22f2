package db

import (
	"fmt"
)

// Container is the group or the project that something is in: one of the two ids is set. Rows of
// what both can hold embed it, so that each has one table, one set of queries, and ids of one
// sequence.
type Container struct {
	NamespaceID *int64 `db:"namespace_id" json:"-"`
	ProjectID   *int64 `db:"project_id" json:"-"`
}

// Of narrows a list or a lookup to what is in the container.
func (c Container) Of(w *Where, alias string) {
	w.And(c.NamespaceID != nil, alias+`.namespace_id = @namespace`, c.NamespaceID)
	w.And(c.ProjectID != nil, alias+`.project_id = @project`, c.ProjectID)
}

// Around is of for what is in the container or in a group above it.
func (c Container) Around(w *Where, alias string) {
	const above = `.namespace_id in (select unnest(a.traversal_ids) from namespaces a where a.id = `
	w.And(c.NamespaceID != nil, alias+above+`@namespace)`, c.NamespaceID)
	w.And(c.ProjectID != nil, alias+`.project_id = @project or `+
		alias+above+`(select p.namespace_id from projects p where p.id = @project))`, c.ProjectID)
}

// Kind is what the container is called: group, project, or instance of an empty one.
func (c Container) Kind() string {
	switch {
	case c.NamespaceID != nil:
		return "group"
	case c.ProjectID != nil:
		return "project"
	}
	return "instance"
}

// ID is the id of the group or project, 0 of the instance.
func (c Container) ID() int64 {
	switch {
	case c.NamespaceID != nil:
		return *c.NamespaceID
	case c.ProjectID != nil:
		return *c.ProjectID
	}
	return 0
}

// String names the container, for locks and logs.
func (c Container) String() string {
	return fmt.Sprintf("%s %d", c.Kind(), c.ID())
}
