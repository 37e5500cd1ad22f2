// Package policy decides who may do what, without reading anything.
//
// A caller has a level on a group or project, and an [Ability] demands one. Package scope finds
// both and calls [Can]. Every change to an ability shows in server/testdata/abilities.txt, by
// ability, role and visibility, which a reviewer reads against the specification (spec 2 §2.1 and
// §5, gaps §3–§5).
package policy

// Level is a role as a number of the API (spec 2 §2.1).
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

	Admins Level = 60 // administrators, above every role
	nobody Level = 70 // above administrators
)

// named are the roles that settings and files name.
var named = map[string]Level{"developer": Developer, "maintainer": Maintainer, "owner": Owner}

// LevelNamed returns the level of a role that a setting or file names: developer, maintainer or
// owner. It reports whether there is one.
func LevelNamed(role string) (Level, bool) {
	level, ok := named[role]
	return level, ok
}

// Visibility says who may see a group or project without being a member. The database stores these
// numbers.
type Visibility int

// The visibilities.
const (
	Private  Visibility = 0
	Internal Visibility = 10 // signed-in users, except external ones
	Public   Visibility = 20 // everyone
)

// Access says who may use a feature of a project. With the zero value everyone who sees the project
// may.
type Access string

// The values of the API.
const (
	Enabled     Access = "enabled"
	MembersOnly Access = "private"
	Disabled    Access = "disabled"
)

// Who describes a caller in relation to one group or project.
type Who struct {
	ID           int64 // 0: not signed in
	Level        Level // the highest role, inherited ones included
	Admin        bool
	External     bool  // sees only public things and those of which they are a member
	Inside       Level // the highest role below the group, or minimal access to it
	CreateGroup  bool  // may create groups at the top level
	Collaborates bool  // may push to a branch of the project because of its merge request
}

// On describes the group or project that an act concerns.
type On struct {
	Visibility       Visibility
	Archived         bool
	Pending          bool               // awaiting deletion
	ProjectCreation  string             // project_creation_level of a group; empty: developer
	SubgroupCreation string             // subgroup_creation_level of a group; empty: maintainer
	JobsReserved     bool               // guests of the project see no pipelines
	Features         map[Feature]Access // of a project or group; a feature that is missing is enabled
}

// Can reports whether the caller has the ability on the thing. Nobody has an ability without a
// name.
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

// MayGrant reports whether the caller may grant or revoke the role l: one up to their own (gaps
// §5.1).
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

// Roles maps the levels that a member may have to their names.
var Roles = map[Level]string{
	Minimal: "Minimal Access", Guest: "Guest", Planner: "Planner", Reporter: "Reporter",
	Developer: "Developer", Maintainer: "Maintainer", Owner: "Owner",
}
