package tree

import "hew/server/db"

// Container is the group as what it holds sees it.
func (g Group) Container() db.Container { return db.Container{NamespaceID: &g.ID} }

// Container is the project as what it holds sees it.
func (p Project) Container() db.Container { return db.Container{ProjectID: &p.ID} }

// Bearer is what administrators hang custom attributes on. Make it with the method of a user, group
// or project.
type Bearer struct {
	Table string
	ID    int64
}

// Bearer is the user as what has custom attributes.
func (u User) Bearer() Bearer { return Bearer{"users", u.ID} }

// Bearer is the group as what has custom attributes.
func (g Group) Bearer() Bearer { return Bearer{"namespaces", g.ID} }

// Bearer is the project as what has custom attributes.
func (p Project) Bearer() Bearer { return Bearer{"projects", p.ID} }
