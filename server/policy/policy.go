// Package policy says who may do what, as a pure table.
//
// A caller holds a level on a thing, inherited ones included; an ability asks for one. Package api
// finds both and asks Can; nothing here reads anything. Every change to the table shows in
// testdata/matrix.txt, ability by role by visibility, which a reviewer reads against the
// specification (spec 2 §2.1 and §5, gaps §3–§5).
package policy

// Level is a role, in the numbers of the API (spec 2 §2.1).
type Level int

// The roles.
const (
	NoAccess   Level = 0
	Minimal    Level = 5
	Guest      Level = 10
	Planner    Level = 15
	Reporter   Level = 20
	Developer  Level = 30
	Maintainer Level = 40
	Owner      Level = 50

	Admins Level = 60 // administrators; above every role
	nobody Level = 70 // above even them
)

// Visibility is who may see a group or project without being a member, in the numbers that are
// stored.
type Visibility int

// The visibilities.
const (
	Private  Visibility = 0
	Internal Visibility = 10 // everyone who is signed in, except external users
	Public   Visibility = 20 // everyone
)

// Access is who may use a part of a project; the zero value is everyone who sees the project.
type Access string

// The accesses, in the words of the API.
const (
	Enabled     Access = "enabled"
	MembersOnly Access = "private"
	Disabled    Access = "disabled"
)

// Who is a caller, as seen from the thing asked about.
type Who struct {
	ID          int64 // 0 is nobody
	Level       Level // the highest role on the thing, inherited ones included
	Admin       bool
	External    bool  // sees only what it is a member of, and what is public
	Inside      Level // the highest role in anything below the group; minimal access to the group itself is one, too
	CreateGroup bool  // may create groups at the top level
}

// On is the thing asked about, as far as it decides.
type On struct {
	Visibility       Visibility
	Archived         bool
	Pending          bool               // waiting for its deletion
	ProjectCreation  string             // of a group: its project_creation_level; empty is the default, developer
	SubgroupCreation string             // of a group: its subgroup_creation_level; empty is the default, maintainer
	Features         map[Feature]Access // of a project: the parts that are not simply enabled
}

// Can reports whether the caller has the ability on the thing. An ability that the table does not
// know is nobody's.
func Can(w Who, a Ability, on On) bool {
	if a.Name == "" || a.Writes && (on.Archived || on.Pending) {
		return false
	}
	least := a.Min
	if a.Setting != nil {
		least = a.Setting(on)
	}
	access := on.Features[a.Feature]
	switch {
	case access == Disabled:
		return false
	case w.level() >= least:
		return true
	case a.Also != nil && a.Also(w):
		return true
	}
	return a.Public && access != MembersOnly && w.sees(on.Visibility)
}

// MayGrant reports whether the caller may give or take the role l: nobody raises others above
// themselves (gaps §5.1).
func MayGrant(w Who, l Level) bool { return l <= w.level() && l < Admins }

func (w Who) level() Level {
	if w.Admin {
		return Admins
	}
	return w.Level
}

func (w Who) sees(v Visibility) bool {
	return v == Public || v == Internal && w.ID != 0 && !w.External
}

// Roles are the levels that a member may have, in words.
var Roles = map[Level]string{
	Minimal: "Minimal Access", Guest: "Guest", Planner: "Planner", Reporter: "Reporter",
	Developer: "Developer", Maintainer: "Maintainer", Owner: "Owner",
}
