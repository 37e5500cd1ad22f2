package tree

import (
	"slices"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
)

// Source is what members belong to: a group or a project. Make it with InGroup or InProject.
type Source struct {
	Namespaces []int64 // itself and its ancestors, root first; of a project: its namespace's
	Project    *int64
	Holder     *int64 // of a personal project: the owner of its namespace, who is a member of the project
}

// InGroup returns a group as a source of members.
func InGroup(g Group) Source { return Source{Namespaces: g.TraversalIDs} }

// InProject returns a project as a source of members.
func InProject(p Project) Source {
	s := Source{Namespaces: p.NamespaceIDs, Project: &p.ID}
	if p.NamespaceKind == "user" {
		s.Holder = p.NamespaceOwnerID
	}
	return s
}

// Container returns the group or project as the container of what it holds.
func (s Source) Container() db.Container {
	if s.Project != nil {
		return db.Container{ProjectID: s.Project}
	}
	return db.Container{NamespaceID: s.Direct()}
}

// Root returns the id of the top-level namespace.
func (s Source) Root() int64 { return s.Namespaces[0] }

// IsHolder reports whether the project is in the personal namespace of the user, whose membership
// can then neither end nor change.
func (s Source) IsHolder(userID int64) bool { return s.Holder != nil && *s.Holder == userID }

// InProject reports whether the source is a project.
func (s Source) InProject() bool { return s.Project != nil }

// IsGroup reports whether the source is that group.
func (s Source) IsGroup(id int64) bool {
	return s.Project == nil && s.Namespaces[len(s.Namespaces)-1] == id
}

// Around reports whether the source is a project in that group or in one below it.
func (s Source) Around(id int64) bool { return s.Project != nil && slices.Contains(s.Namespaces, id) }

// Direct returns the namespace whose members are direct members of the source, nil for a project of
// a group.
func (s Source) Direct() *int64 {
	if s.Project != nil && s.Holder == nil {
		return nil
	}
	return &s.Namespaces[len(s.Namespaces)-1]
}

// Above returns the namespaces whose members the source inherits.
func (s Source) Above() []int64 {
	if s.Direct() == nil {
		return s.Namespaces
	}
	return s.Namespaces[:len(s.Namespaces)-1]
}

// Access returns the arguments of the conditions that ask for members of the source.
func (s Source) Access() pgx.NamedArgs {
	return pgx.NamedArgs{
		"namespaces": s.Namespaces, "project": s.Project, "self": s.Namespaces[len(s.Namespaces)-1:],
	}
}
