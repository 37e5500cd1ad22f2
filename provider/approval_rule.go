package provider

import (
	"github.com/zclconf/go-cty/cty"

	"hew/schema"
)

// Who has to approve the merge requests of a project, or of all projects in a
// group (spec 2 §2.5 and §4.3, gaps §7.3).
var (
	groupApprovalRule   = approvalRule(inGroup, "of all projects in a group, for their protected branches")
	projectApprovalRule = approvalRule(inProject, "of a project",
		References("protected_branches", "protected_branch", "The protected branches that the rule is for, by name; none is all branches.", Parameter("protected_branch_ids"), Field("protected_branches"), SkipMissing("skip_missing_branches")),
		Bool("skip_missing_branches", "Names in `protected_branches` that the project does not have are left out; without it they are an error. At least one has to be there.", Local, Default(false)),
		Bool("applies_to_all_protected_branches", "The rule is for all protected branches of the project.", Default(false)))
)

const anyApprover = "any_approver"

func approvalRule(in holder, of string, more ...Attr) Kind {
	return Kind{
		Kind: schema.Kind{
			Name: in.name + "_approval_rule",
			Doc: "How many of whom have to approve the merge requests " + of + ". " +
				"A rule is known by its name; that for everybody (`any_approver`) by its type, for there is one at most.",
			Collection: in.path("approval_rules"),
			Match:      schema.ByKey("name").OrSole("rule_type", cty.StringVal(anyApprover)),
			Need:       in.need,
			Gated:      true, // by a licence
			Check:      approvesItself,
			Strict:     &schema.Strictness{Looser: fewer("approvals_required"), Under: "group_approval_rule"},
		},
		Table: Join([]Attr{
			in.ref(),
			String("name", "The name of the rule.", Required, Check(NotEmpty), MaxLength(255)),
			Number("approvals_required", "How many have to approve; 0 makes the rule a mere suggestion.", Required, Between(0, 100)),
			String("rule_type", "`regular` is a rule for those whom it names, `any_approver` one for everybody who may approve.", ForceNew, OneOf("regular", anyApprover), Default("regular")),
			References("users", "user", "Who may approve: users, by name or id, that are members of the "+in.name+" or of a group around it.", NeedsAccess, Parameter("user_ids"), Field("users")),
			References("groups", "group", "Groups whose direct members may approve: one that the "+in.name+" is in, or is shared with.", NeedsAccess, Parameter("group_ids"), Field("groups")),
		}, more, []Attr{
			ID(),
			Bool("contains_hidden_groups", "It names groups, too, that hew's token does not see. They stay.", Computed),
		}),
		API: REST{
			ListOnly: in.name == inGroup.name,
			CreateBody: func(_ schema.Object, body map[string]any) {
				if body["rule_type"] == nil { // without it hosts may take a rule that names nobody for one for everybody
					body["rule_type"] = "regular"
				}
			},
			Reads: []string{"rule_type"},
			Decode: func(_ *Decoder, r Record, o *schema.Object) error {
				if t := r.Text("rule_type"); t == "report_approver" || t == "code_owner" {
					o.State = schema.Absent // made by policies and files, and theirs to keep
				}
				return nil
			},
		},
	}
}

// approvesItself refuses names in a rule that is for everybody or everything.
func approvesItself(o schema.Object) (out []schema.Problem) {
	if isTrue(o.Get("applies_to_all_protected_branches")) && lists(o, "protected_branches") {
		out = append(out, schema.Problem{Attr: "protected_branches", Moot: true, Text: "protected_branches has no effect where applies_to_all_protected_branches is true; state one of the two"})
	}
	if t := o.OrDefault("rule_type"); !t.IsKnown() || t.IsNull() || t.AsString() != anyApprover {
		return out
	}
	for _, name := range []string{"users", "groups"} {
		if lists(o, name) {
			out = append(out, schema.Problem{Attr: name, Moot: true, Text: name + " has no effect where rule_type is any_approver, which is for everybody; take it out, or make the rule a regular one"})
		}
	}
	return out
}

// lists tells whether something is in a list.
func lists(o schema.Object, name string) bool {
	v, _ := o.Get(name).Unmark()
	return v.CanIterateElements() && v.LengthInt() > 0
}

// fewer is what asks less the lower a number is; without one it is 0.
func fewer(name string) func(before, after schema.Object) []string {
	return func(before, after schema.Object) []string {
		was, will := before.Get(name), after.OrDefault(name)
		switch {
		case was.IsNull() || !was.IsKnown() || !will.IsKnown():
			return nil
		case will.IsNull() && was.AsBigFloat().Sign() > 0, !will.IsNull() && will.AsBigFloat().Cmp(was.AsBigFloat()) < 0:
			return []string{name}
		}
		return nil
	}
}
