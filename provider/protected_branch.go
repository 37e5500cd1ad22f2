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

func protectedBranches(name string, in holder, pushers []party) Kind {
	push, merge, unprotect := right{"push", pushers}, right{"merge", people}, right{"unprotect", people}
	rights := []right{push, merge, unprotect}
	return Kind{
		Kind: schema.Kind{
			Name: name,
			Doc: "A protected branch of a " + in.name + ", or all branches of a pattern: who may push to it, merge into it and unprotect it. " +
				"The branch need not exist. A role and who is named beside it are one list on the host; what of it is not stated stays as it is.",
			Collection: in.path("protected_branches"),
			Match:      schema.ByKey("name"),
			Blocks:     blocks(rights),
			Need:       in.need,
			Gated:      in == inGroup, // by a licence
		},
		Table: Join([]Attr{
			in.ref(),
			String("name", "The branch, or a pattern where * stands for anything.", Required, ForceNew, Check(NotEmpty), MaxLength(255)),
		}, push.allowed("push"), merge.allowed("merge into it"), unprotect.allowed("change or end its protection", unprotecting), []Attr{
			Bool("allow_force_push", "Who may push may rewrite what is there.", Default(false)),
			Bool("code_owner_approval_required", "Changes to files with code owners need their approval.", Default(false)),
			ID(),
		}),
		API: REST{
			Item: in.path("protected_branches/{name}"), Update: http.MethodPatch,
			Reads:  []string{"push_access_levels", "merge_access_levels", "unprotect_access_levels", "inherited"},
			Decode: decodeRef(rights), CreateBody: grantRef(rights), UpdateBody: regrantRef(rights),
		},
	}
}
