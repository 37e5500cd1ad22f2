package policy

// Ability names an act and holds the rule of who may do it. A domain declares its abilities beside
// its routes; this package declares those that several domains need. Nobody has the zero value.
type Ability struct {
	Name     string         // admin_group_label; unique
	Min      Level          // callers with this role or a higher one have it
	Setting  func(On) Level // the role that the thing demands; replaces Min
	Public   bool           // callers who see the thing without a role have it, too
	Also     func(Who) bool // callers for whom it returns true have it, too
	Feature  Feature        // nobody has it while the feature is off
	Writes   bool           // nobody has it while the thing is archived or awaits deletion
	Hidden   bool           // callers who see the thing but lack the ability get 404, not 403
	Unsigned bool           // … get 401, not 403 (gaps §1.2)
}

// String returns the name of the ability.
func (a Ability) String() string { return a.Name }

// The abilities that several domains need.
var (
	AdminInstance    = Ability{Name: "admin_instance", Min: Admins}
	ReadGroup        = Ability{Name: "read_group", Min: Guest, Public: true, Also: IsInside}
	ReadProject      = Ability{Name: "read_project", Min: Guest, Public: true}
	ReadIssue        = Ability{Name: "read_issue", Min: Guest, Public: true, Feature: Issues}
	ReadMergeRequest = Ability{Name: "read_merge_request", Min: Reporter, Public: true, Feature: MergeRequests}
	ReadCode         = Ability{Name: "read_code", Min: Reporter, Public: true, Feature: Repository}
	ReadRelease      = Ability{Name: "read_release", Min: Guest, Public: true, Feature: Releases}
	ForkProject      = Ability{Name: "fork_project", Min: Reporter, Public: true, Feature: Forking}
	PushCode         = Ability{Name: "push_code", Min: Developer, Feature: Repository, Writes: true}
	// PushBranch is PushCode for what changes one branch: which one is asked beside it.
	PushBranch = Ability{
		Name: "push_branch", Min: Developer, Also: IsCollaborator, Feature: Repository, Writes: true,
	}
	ReadWiki       = Ability{Name: "read_wiki", Min: Guest, Public: true, Feature: Wiki, Hidden: true}
	CreateWiki     = Ability{Name: "create_wiki", Min: Developer, Feature: Wiki, Writes: true}
	ReadPipeline   = Ability{Name: "read_pipeline", Setting: PipelineReader, Public: true, Feature: Pipelines}
	CreatePipeline = Ability{Name: "create_pipeline", Min: Developer, Feature: Builds, Writes: true}
)

// Abilities lists the abilities of this package.
var Abilities = []Ability{
	AdminInstance, ReadGroup, ReadProject, ReadIssue, ReadMergeRequest, ReadCode, ReadRelease, ForkProject, PushCode,
	PushBranch, ReadWiki, CreateWiki, ReadPipeline, CreatePipeline,
}

// Feature names a part of a project or group that can be switched off or reserved for its members.
type Feature string

// The features that abilities depend on.
const (
	Issues        Feature = "issues"
	MergeRequests Feature = "merge_requests"
	Repository    Feature = "repository"
	Releases      Feature = "releases"
	Forking       Feature = "forking"
	Wiki          Feature = "wiki" // of groups, too
	Builds        Feature = "builds"
	Packages      Feature = "packages"
	Snippets      Feature = "snippets"
	Analytics     Feature = "analytics"
	Pipelines     Feature = "pipelines" // to look at them and their jobs, as far as Builds are on
)
