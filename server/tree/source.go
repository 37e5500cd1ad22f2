package tree

import (
	"slices"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
)

// Source is a group or a project that has members. InGroup and InProject return one.
type Source struct {
	Namespaces []int64 // itself and its ancestors, root first; of a project: its namespace's
	Project    *int64
	Holder     *int64 // user whose personal namespace the project is in, and so a member of it
}

// InGroup returns a group as a source of members.
func InGroup(g Group) Source { return Source{Namespaces: g.TraversalIDs} }

// InProject is a project as a source of members.
func InProject(p Project) Source {
	s := Source{Namespaces: p.NamespaceIDs, Project: &p.ID}
	if p.NamespaceKind == "user" {
		s.Holder = p.NamespaceOwnerID
	}
	return s
}

// Container is the source as what it holds sees it.
func (s Source) Container() db.Container {
	if s.Project != nil {
		return db.Container{ProjectID: s.Project}
	}
	return db.Container{NamespaceID: s.Direct()}
}

// Root returns the id of the top-level namespace, whose group members may sign in with.
func (s Source) Root() int64 { return s.Namespaces[0] }

// IsHolder reports whether the project is in the personal namespace of the user. That user cannot
// leave the project, and the level is fixed.
func (s Source) IsHolder(userID int64) bool { return s.Holder != nil && *s.Holder == userID }

// InProject reports whether the source is a project.
func (s Source) InProject() bool { return s.Project != nil }

// IsGroup reports whether the source is the group with that id.
func (s Source) IsGroup(id int64) bool {
	return s.Project == nil && s.Namespaces[len(s.Namespaces)-1] == id
}

// Around says whether a project is in that group, directly or not.
func (s Source) Around(id int64) bool { return s.Project != nil && slices.Contains(s.Namespaces, id) }

// Direct is the namespace whose members are direct ones; nil for a project of a group.
func (s Source) Direct() *int64 {
	if s.Project != nil && s.Holder == nil {
		return nil
	}
	return &s.Namespaces[len(s.Namespaces)-1]
}

// Above are the namespaces whose members are inherited.
func (s Source) Above() []int64 {
	if s.Direct() == nil {
		return s.Namespaces
	}
	return s.Namespaces[:len(s.Namespaces)-1]
}

// Access are the arguments of approves and admitted.
func (s Source) Access() pgx.NamedArgs {
	return pgx.NamedArgs{
		"namespaces": s.Namespaces, "project": s.Project, "self": s.Namespaces[len(s.Namespaces)-1:],
	}
}
