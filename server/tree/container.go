package tree

import (
	"hew/server/db"
)

// Container is the group as what it holds sees it.
func (g Group) Container() db.Container { return db.Container{NamespaceID: &g.ID} }

// Container is the project as what it holds sees it.
func (p Project) Container() db.Container { return db.Container{ProjectID: &p.ID} }
