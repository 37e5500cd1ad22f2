package tree

import "hew/server/db"

// Container returns the group as the container of what it holds.
func (g Group) Container() db.Container { return db.Container{NamespaceID: &g.ID} }

// Container returns the project as the container of what it holds.
func (p Project) Container() db.Container { return db.Container{ProjectID: &p.ID} }

// Bearer is a user, group or project that has custom attributes. Each has a method that returns it.
type Bearer struct {
	Table string
	ID    int64
}

// Bearer returns the user as a bearer of custom attributes.
func (u User) Bearer() Bearer { return Bearer{"users", u.ID} }

// Bearer returns the group as a bearer of custom attributes.
func (g Group) Bearer() Bearer { return Bearer{"namespaces", g.ID} }

// Bearer returns the project as a bearer of custom attributes.
func (p Project) Bearer() Bearer { return Bearer{"projects", p.ID} }
