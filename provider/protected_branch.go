package provider

import (
	"net/http"

	"hew/schema"
)

// Protected branches of projects, and of all projects in a group (spec 2 §2.5,
// gaps §7.4). They are changed in place, for approval rules point to them.
var (
	protectedBranch      = protectedBranches("protected_branch", inProject, withKeys)
	groupProtectedBranch = protectedBranches("group_protected_branch", inGroup, people)
)

func protectedBranches(name string, in holder, pushers []party) kind {
	push, merge, unprotect := right{"push", pushers}, right{"merge", people}, right{"unprotect", people}
	rights := []right{push, merge, unprotect}
	return kind{
		Kind: schema.Kind{
			Name: name,
			Doc: "A protected branch of a " + in.name + ", or all branches of a pattern: who may push to it, merge into it and unprotect it. " +
				"The branch need not exist. A role and who is named beside it are one list on the host; what of it is not stated stays as it is.",
			Collection: in.path("protected_branches"),
			Match:      schema.ByKey("name"),
			Blocks:     blocks(rights),
			Need:       in.need,
		},
		Table: join([]attr{
			in.ref(),
			text("name", "The branch, or a pattern where * stands for anything.", required, fixed, check(notEmpty), atMost(255)),
		}, push.allowed("push"), merge.allowed("merge into it"), unprotect.allowed("change or end its protection", unprotecting), []attr{
			boolean("allow_force_push", "Who may push may rewrite what is there.", def(false)),
			boolean("code_owner_approval_required", "Changes to files with code owners need their approval.", def(false)),
			id(),
		}),
		API: rest{
			Item: in.path("protected_branches/{name}"), Update: http.MethodPatch,
			Reads:  []string{"push_access_levels", "merge_access_levels", "unprotect_access_levels", "inherited"},
			Decode: decodeRef(rights), New: grantRef(rights), Edit: regrantRef(rights),
		},
	}
}
