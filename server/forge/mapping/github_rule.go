package mapping

import (
	"fmt"

	"hew/server/fault"
	"hew/server/forge/github"
	"hew/server/transfer/archive"
)

// roles maps the roles of collaborators to access levels.
var roles = map[string]int{"read": 10, "triage": 20, "write": 30, "maintain": 40, "admin": 50}

// Member returns the document of a collaborator. It reports false for one who is not a user here. A
// role of the host's own is an error.
func (g GitHub) Member(c github.Collaborator) (archive.Member, bool, error) {
	level, ok := roles[c.RoleName]
	if !ok {
		text := fmt.Sprintf("%s has the custom role %q, which has no access level", c.Login, c.RoleName)
		return archive.Member{}, false, fault.BadRequest(text)
	}
	id := g.People.find(c.Login)
	if id == nil {
		return archive.Member{}, false, nil
	}
	return archive.Member{AccessLevel: level, UserID: id}, true, nil
}

// The levels that protected branches allow things to.
const (
	noOne      = 0
	developer  = 30
	maintainer = 40
)

// ProtectedBranch returns the document of a protected branch. Where the host requires reviews,
// nobody pushes, and developers merge. Status checks are dropped.
func (g GitHub) ProtectedBranch(name string, p github.Protection) archive.ProtectedBranch {
	push, merge := maintainer, maintainer
	owners := false
	if p.RequiredReviews != nil {
		push, merge, owners = noOne, developer, p.RequiredReviews.RequireCodeOwners
	}
	return archive.ProtectedBranch{
		Name: name, AllowForcePush: bool(p.AllowForcePushes), CodeOwnerApprovalRequired: owners,
		PushAccessLevels:      []archive.AccessLevel{{AccessLevel: &push}},
		MergeAccessLevels:     []archive.AccessLevel{{AccessLevel: &merge}},
		UnprotectAccessLevels: []archive.AccessLevel{},
	}
}
