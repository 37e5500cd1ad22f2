package policy

// Ability is something that a caller may do, and the rule of who may. A domain declares its own
// beside its routes; here are those that several domains ask for. The zero value is nobody's.
type Ability struct {
	Name     string         // admin_group_label; unique
	Min      Level          // whoever has this role, or a higher one
	Setting  func(On) Level // in place of Min: what the thing itself asks for
	Public   bool           // whoever sees the thing without a role
	Also     func(Who) bool // whoever this holds for
	Feature  Feature        // nobody while the feature is off
	Writes   bool           // nobody while the thing is archived or waits for its deletion
	Hidden   bool           // callers who see the thing but lack the ability get 404, not 403
	Unsigned bool           // … or 401 (gaps §1.2)
}

// String returns the name.
func (a Ability) String() string { return a.Name }

// The abilities of several domains.
var (
	AdminInstance    = Ability{Name: "admin_instance", Min: Admins}
	ReadGroup        = Ability{Name: "read_group", Min: Guest, Public: true, Also: IsInside}
	ReadProject      = Ability{Name: "read_project", Min: Guest, Public: true}
	ReadIssue        = Ability{Name: "read_issue", Min: Guest, Public: true, Feature: Issues}
	ReadMergeRequest = Ability{Name: "read_merge_request", Min: Reporter, Public: true, Feature: MergeRequests}
	ReadCode         = Ability{Name: "read_code", Min: Reporter, Public: true, Feature: Repository}
	PushCode         = Ability{Name: "push_code", Min: Developer, Feature: Repository, Writes: true}
)

// Abilities are the abilities of this package.
var Abilities = []Ability{AdminInstance, ReadGroup, ReadProject, ReadIssue, ReadMergeRequest, ReadCode, PushCode}

// Feature is a part of a project that can be switched off or kept for its members.
type Feature string

// The features that abilities depend on.
const (
	Issues        Feature = "issues"
	MergeRequests Feature = "merge_requests"
	Repository    Feature = "repository"
)
