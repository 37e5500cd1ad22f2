package view

import (
	"hew/server/rest"
	"hew/server/setting"
	"hew/server/tree"
)

// GroupProtection changes the parts of a branch protection that it names.
type GroupProtection struct {
	groupProtectionFlags
	AllowedToPush  rest.Opt[[]groupAccess] `param:"allowed_to_push"`
	AllowedToMerge rest.Opt[[]groupAccess] `param:"allowed_to_merge"`
}

// groupProtectionFlags are called as in store.BranchProtection.
type groupProtectionFlags struct {
	rest.Into[setting.BranchProtection]
	AllowForcePush            rest.Opt[bool] `param:"allow_force_push"`
	CodeOwnerApprovalRequired rest.Opt[bool] `param:"code_owner_approval_required"`
	DeveloperCanInitialPush   rest.Opt[bool] `param:"developer_can_initial_push"`
}

type groupAccess struct {
	AccessLevel int `param:"access_level,required" oneof:"0 30 40 60"`
}

// Into changes the protection and updates the older level to match it, if a level stands for the
// protection.
func (in GroupProtection) Into(g *tree.GroupFlags) {
	p := &g.DefaultBranchProtectionDefaults
	rest.Merge(p, in.groupProtectionFlags, setting.BranchProtection{})
	levelsInto(in.AllowedToPush, &p.AllowedToPush)
	levelsInto(in.AllowedToMerge, &p.AllowedToMerge)
	if level, ok := setting.ProtectionLevel(*p); ok {
		g.DefaultBranchProtection = level
	}
}

func levelsInto(o rest.Opt[[]groupAccess], dst *[]setting.AccessLevel) {
	if !o.Given() {
		return
	}
	*dst = []setting.AccessLevel{}
	for _, l := range o.Or(nil) {
		*dst = append(*dst, setting.AccessLevel(l))
	}
}
