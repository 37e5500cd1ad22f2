package provider

import (
	"github.com/zclconf/go-cty/cty"

	"hew/schema"
)

// Approval rules: who must approve the merge requests of a project, or of all projects
// in a group (spec 2 §2.5 and §4.3, gaps §7.3).
func groupApprovalRule() Kind {
	return approvalRule(inGroup, "of all projects in a group, on protected branches")
}
func projectApprovalRule() Kind {
	return approvalRule(inProject, "of a project",
		References("protected_branches", "protected_branch",
			"The protected branches that the rule applies to, by name. Empty applies it to all branches.",
			Parameter("protected_branch_ids"), Field("protected_branches"), SkipMissing("skip_missing_branches"),
			OpensNarrowing),
		Bool("skip_missing_branches",
			"Whether to skip names in `protected_branches` that the project does not have instead of failing. At "+
				"least one must exist.", Local, Default(false)),
		Bool("applies_to_all_protected_branches", "Whether the rule applies to all protected branches of the project.",
			Default(false), OpensIf(false)))
}

const anyApprover = "any_approver"

func approvalRule(in holder, of string, more ...Attr) Kind {
	return Kind{
		Kind: schema.Kind{
			Name: in.name + "_approval_rule",
			Doc: "An approval rule for merge requests " + of + ". " +
				"It is identified by its name. The rule for everybody (`any_approver`) is identified by its type; " +
				"there is at most one.",
			Collection: in.path("approval_rules"),
			Match:      schema.ByKey("name").OrSole("rule_type", cty.StringVal(anyApprover)),
			Unique:     []schema.Unique{{Attrs: []string{"rule_type", "name"}}},
			Need:       in.need,
			Gated:      true, // needs a license
			Check:      checkApprovers,
			Protects:   true,
			Strict:     &schema.Strictness{Looser: looserIfLower("approvals_required"), Under: "group_approval_rule"},
		},
		Table: Join([]Attr{
			in.ref(),
			String("name", "The name of the rule.", Required, Check(NotEmpty), MaxLength(255)),
			Number("approvals_required", "The number of required approvals. 0 makes the rule optional.", Required,
				Between(0, 100)),
			String("rule_type", "The type of the rule: `regular` for the named users and groups, `any_approver` "+
				"for everybody who may approve.", ForceNew, OneOf("regular", anyApprover), Default("regular")),
			References("users", "user",
				"The users who may approve, by name or id. Those who are not members of the "+in.name+" or of a "+
					"parent group are left out with a note, as hosts do.",
				Outsiders(schema.OmitOutsiders), Parameter("user_ids"), Field("users"), OpensGrowing),
			References("groups", "group",
				"The groups whose direct members may approve, as far as they have access to the "+in.name+".",
				Outsiders(schema.KeepOutsiders), Parameter("group_ids"), Field("groups"), OpensGrowing),
		}, more, []Attr{
			ID(),
			Bool("contains_hidden_groups", "Whether the rule has groups that the token cannot see. They are kept.",
				Computed),
		}),
		API: REST{
			ListOnly: in.name == inGroup.name,
			CreateBody: func(_ schema.Object, body map[string]any) error {
				if body["rule_type"] == nil { // without it hosts may read a rule without approvers as one for everybody
					body["rule_type"] = "regular"
				}
				return nil
			},
			Reads: []string{"rule_type"},
			Decode: func(_ *Decoder, r Record, o *schema.Object) error {
				if t := r.Text("rule_type"); t == "report_approver" || t == "code_owner" {
					o.State = schema.Absent // made by a policy or a file
				}
				return nil
			},
		},
	}
}

// checkApprovers rejects named approvers in a rule that applies to everybody or to
// everything.
func checkApprovers(o schema.Object) (out []schema.Problem) {
	if isTrue(o.Get("applies_to_all_protected_branches")) && hasElements(o, "protected_branches") {
		out = append(out, schema.Problem{Attr: "protected_branches", Moot: true,
			Text: "protected_branches has no effect if applies_to_all_protected_branches is true; remove one of " +
				"the two"})
	}
	if t := o.OrDefault("rule_type"); !t.IsKnown() || t.IsNull() || t.AsString() != anyApprover {
		return out
	}
	for _, name := range []string{"users", "groups"} {
		if hasElements(o, name) {
			out = append(out, schema.Problem{Attr: name, Moot: true, Text: name +
				" has no effect if rule_type is any_approver; remove it, or set rule_type to regular"})
		}
	}
	return out
}

// hasElements reports whether a list of the object has elements.
func hasElements(o schema.Object, name string) bool {
	v, _ := o.Get(name).Unmark()
	return v.CanIterateElements() && v.LengthInt() > 0
}

// looserIfLower returns a Looser of [schema.Strictness] for a number that asks less the
// lower it is. A missing number is 0.
func looserIfLower(name string) func(before, after schema.Object) []string {
	return func(before, after schema.Object) []string {
		was, will := before.Get(name), after.OrDefault(name)
		switch {
		case was.IsNull() || !was.IsKnown() || !will.IsKnown():
			return nil
		case will.IsNull() && was.AsBigFloat().Sign() > 0,
			!will.IsNull() && will.AsBigFloat().Cmp(was.AsBigFloat()) < 0:
			return []string{name}
		}
		return nil
	}
}
