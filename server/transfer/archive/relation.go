package archive

import "slices"

// Relation is a file of documents, tree/project/<Name>.ndjson.
type Relation struct {
	Name  string     // "issues"
	ToOne bool       // it has one document, or the word null
	New   func() any // returns a pointer to an empty document
}

// Relations lists the relations that this package has documents for, in an order in which they can
// be stored: what others refer to comes first.
var Relations = []Relation{
	toMany[UserContribution]("user_contributions"),
	toMany[Member]("project_members"),
	toOne[ProjectFeature]("project_feature"),
	toOne[CICDSettings]("ci_cd_settings"),
	toOne[AutoDevops]("auto_devops"),
	toOne[ContainerExpirationPolicy]("container_expiration_policy"),
	toOne[ServiceDeskSetting]("service_desk_setting"),
	toOne[ErrorTrackingSetting]("error_tracking_setting"),
	toMany[CustomAttribute]("custom_attributes"),
	toMany[Badge]("project_badges"),
	toMany[Label]("labels"),
	toMany[Milestone]("milestones"),
	toMany[Issue]("issues"),
	toMany[Snippet]("snippets"),
	toMany[Release]("releases"),
	toMany[MergeRequest]("merge_requests"),
	toMany[CommitNote]("commit_notes"),
	toMany[Pipeline]("ci_pipelines"),
	toMany[Schedule]("pipeline_schedules"),
	toMany[ProtectedBranch]("protected_branches"),
	toMany[ProtectedTag]("protected_tags"),
	toMany[ProtectedEnvironment]("protected_environments"),
	toOne[PushRule]("push_rule"),
	toMany[ApprovalRule]("approval_rules"),
	toMany[Board]("boards"),
}

func toMany[T any](name string) Relation {
	return Relation{Name: name, New: func() any { return new(T) }}
}

func toOne[T any](name string) Relation {
	return Relation{Name: name, ToOne: true, New: func() any { return new(T) }}
}

// FindRelation returns the relation of that name, and whether there is one.
func FindRelation(name string) (Relation, bool) {
	i := slices.IndexFunc(Relations, func(r Relation) bool { return r.Name == name })
	if i < 0 {
		return Relation{}, false
	}
	return Relations[i], true
}

// Board is a board of issues.
type Board struct {
	Name           string      `json:"name"`
	Weight         *int        `json:"weight"`
	HideBacklog    bool        `json:"hide_backlog_list"`
	HideClosedList bool        `json:"hide_closed_list"`
	Lists          []BoardList `json:"lists"`
}

// BoardList is a list of a board.
type BoardList struct {
	ListType Word   `json:"list_type"` // label, closed, backlog …
	Position *int   `json:"position"`
	Label    *Label `json:"label"`
}
