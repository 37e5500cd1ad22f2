package setting

import (
	"reflect"
)

// BranchProtection is the protection of the default branch of a new project.
type BranchProtection struct {
	AllowedToPush             []AccessLevel `json:"allowed_to_push"`
	AllowedToMerge            []AccessLevel `json:"allowed_to_merge"`
	AllowForcePush            bool          `json:"allow_force_push"`
	CodeOwnerApprovalRequired bool          `json:"code_owner_approval_required"`
	DeveloperCanInitialPush   bool          `json:"developer_can_initial_push"`
}

// AccessLevel is a role in a protection.
type AccessLevel struct {
	AccessLevel int `json:"access_level"`
}

// ProtectionOf returns the protection that a default_branch_protection level stands for: 0 none, 1
// partial, 2 full, 3 against pushes, 4 full after the first push (gaps §3.1).
func ProtectionOf(level int) BranchProtection {
	const developer, maintainer = 30, 40
	p := BranchProtection{AllowedToPush: []AccessLevel{{maintainer}}, AllowedToMerge: []AccessLevel{{maintainer}}}
	switch level {
	case 0:
		return BranchProtection{
			AllowedToPush: []AccessLevel{{developer}}, AllowedToMerge: []AccessLevel{{developer}}, AllowForcePush: true,
		}
	case 1:
		p.AllowedToPush = []AccessLevel{{developer}}
	case 3:
		p.AllowedToMerge = []AccessLevel{{developer}}
	case 4:
		p.DeveloperCanInitialPush = true
	}
	return p
}

// ProtectionLevel returns the level that stands for a protection; ok is false if none does.
func ProtectionLevel(p BranchProtection) (level int, ok bool) {
	for level := range 5 {
		if reflect.DeepEqual(ProtectionOf(level), p) {
			return level, true
		}
	}
	return 0, false
}
