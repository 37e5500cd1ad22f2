package archive

import "time"

// ProtectedBranch is a protected branch, or a pattern of them.
type ProtectedBranch struct {
	Name                      string        `json:"name"`
	AllowForcePush            bool          `json:"allow_force_push"`
	CodeOwnerApprovalRequired bool          `json:"code_owner_approval_required"`
	CreatedAt                 *time.Time    `json:"created_at"`
	UpdatedAt                 *time.Time    `json:"updated_at"`
	MergeAccessLevels         []AccessLevel `json:"merge_access_levels"`
	PushAccessLevels          []AccessLevel `json:"push_access_levels"`
	UnprotectAccessLevels     []AccessLevel `json:"unprotect_access_levels"`
}

// ProtectedTag is a protected tag, or a pattern of them.
type ProtectedTag struct {
	Name               string        `json:"name"`
	CreatedAt          *time.Time    `json:"created_at"`
	UpdatedAt          *time.Time    `json:"updated_at"`
	CreateAccessLevels []AccessLevel `json:"create_access_levels"`
}

// AccessLevel allows something to a role, a user or a group.
type AccessLevel struct {
	AccessLevel *int       `json:"access_level"` // 0 nobody, 30, 40, 60
	UserID      *int64     `json:"user_id"`
	GroupID     *int64     `json:"group_id"`
	CreatedAt   *time.Time `json:"created_at,omitempty"`
	UpdatedAt   *time.Time `json:"updated_at,omitempty"`
}

// ProtectedEnvironment is an environment that only some may deploy to.
type ProtectedEnvironment struct {
	Name               string        `json:"name"`
	DeployAccessLevels []AccessLevel `json:"deploy_access_levels"`
}

// PushRule holds the push rules of a project.
type PushRule struct {
	CommitMessageRegex         *string `json:"commit_message_regex"`
	CommitMessageNegativeRegex *string `json:"commit_message_negative_regex"`
	BranchNameRegex            *string `json:"branch_name_regex"`
	AuthorEmailRegex           *string `json:"author_email_regex"`
	FileNameRegex              *string `json:"file_name_regex"`
	DenyDeleteTag              *bool   `json:"deny_delete_tag"`
	MemberCheck                *bool   `json:"member_check"`
	PreventSecrets             *bool   `json:"prevent_secrets"`
	CommitCommitterCheck       *bool   `json:"commit_committer_check"`
	CommitCommitterNameCheck   *bool   `json:"commit_committer_name_check"`
	RejectUnsignedCommits      *bool   `json:"reject_unsigned_commits"`
	RejectNonDCOCommits        *bool   `json:"reject_non_dco_commits"`
	MaxFileSize                *int    `json:"max_file_size"` // MB
}

// ApprovalRule is a rule of approvals of the project's merge requests.
type ApprovalRule struct {
	Name                          string               `json:"name"`
	RuleType                      Word                 `json:"rule_type"` // regular, any_approver, report_approver
	ReportType                    *Word                `json:"report_type"`
	ApprovalsRequired             int                  `json:"approvals_required"`
	AppliesToAllProtectedBranches bool                 `json:"applies_to_all_protected_branches"`
	CreatedAt                     *time.Time           `json:"created_at"`
	UpdatedAt                     *time.Time           `json:"updated_at"`
	ProtectedBranches             []ApprovalRuleBranch `json:"approval_project_rules_protected_branches"`
	Users                         []UserLink           `json:"approval_project_rules_users"`
}

// ApprovalRuleBranch is a protected branch that a rule is for.
type ApprovalRuleBranch struct {
	BranchName string `json:"branch_name"`
}
