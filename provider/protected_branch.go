package provider

import (
	"net/http"

	"hew/schema"
)

// Protected branches of projects, and of all projects in a group (spec 2 §2.5, gaps
// §7.4). They are updated in place, as approval rules refer to them.
func protectedBranch() Kind      { return protectedBranches("protected_branch", inProject, withKeys) }
func groupProtectedBranch() Kind { return protectedBranches("group_protected_branch", inGroup, people) }

func protectedBranches(name string, in holder, pushers []party) Kind {
	push, merge, unprotect := right{"push", pushers}, right{"merge", people}, right{"unprotect", people}
	rights := []right{push, merge, unprotect}
	return Kind{
		Kind: schema.Kind{
			Name: name,
			Doc: "A protected branch of a " + in.name +
				", by name or pattern. It controls who can push, merge and unprotect. " +
				"The branch need not exist. hew changes only the access levels, users and groups whose arguments " +
				"are set.",
			Collection: in.path("protected_branches"),
			Match:      schema.ByKey("name"),
			Unique:     []schema.Unique{{Attrs: []string{"name"}}},
			Blocks:     grantBlocks(rights),
			Need:       in.need,
			Protects:   true,
			Gated:      in == inGroup, // needs a license
		},
		Table: Join([]Attr{
			in.ref(),
			String("name", "The name of the branch, or a pattern with * as a wildcard.", Required, ForceNew,
				Check(NotEmpty), MaxLength(255)),
		}, push.rows("push"), merge.rows("merge into it"), unprotect.rows("change or remove the protection",
			unprotectRole), []Attr{
			Bool("allow_force_push", "Whether users with push access can force push.", Default(false), OpensIf(true)),
			Bool("code_owner_approval_required", "Whether changes to files with code owners require their approval.",
				Default(false), OpensIf(false)),
			ID(),
		}),
		API: REST{
			Item: in.path("protected_branches/{name}"), Update: http.MethodPatch,
			Reads:  []string{"push_access_levels", "merge_access_levels", "unprotect_access_levels", "inherited"},
			Decode: decodeGrants(rights), CreateBody: grantBody(rights), UpdateBody: regrantBody(rights),
		},
	}
}
