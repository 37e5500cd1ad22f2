package provider

import (
	"net/http"

	"github.com/zclconf/go-cty/cty"

	"hew/schema"
)

// projectApprovalSettings are the settings for approvals of a project's merge requests,
// beside its rules (spec 2 §2.5 and §4.3).
func projectApprovalSettings() Kind {
	return Kind{
		Kind: schema.Kind{
			Name: "project_approval_settings",
			Doc: "The merge request approval settings of a project. Every project has them. " +
				"Stricter settings of the group or instance take precedence.",
			Collection: "projects/{project}/approvals",
			Holds:      schema.One,
			Match:      schema.ByKey("project"),
			Need:       inProject.need,
			Gated:      true, // needs a license
			Check:      checkSelectiveRemovals,
			Strict:     &schema.Strictness{Looser: looserApprovals},
		},
		Table: []Attr{
			Reference("project", "project", "The project.", Required, ForceNew),
			Bool("reset_approvals_on_push", "Whether a push to a merge request removes its approvals.", Default(true)),
			Bool("selective_code_owner_removals",
				"Whether a push removes only the approvals of code owners whose files it changes. "+
					"Requires `reset_approvals_on_push = false`.", Default(false), SentWith("reset_approvals_on_push")),
			Bool("disable_overriding_approvers_per_merge_request",
				"Whether approvers cannot be changed in a merge request.", Default(false)),
			Bool("merge_requests_author_approval", "Whether authors may approve their own merge requests.",
				Default(false)),
			Bool("merge_requests_disable_committers_approval",
				"Whether users who committed to a merge request may not approve it.", Default(false)),
			Bool("require_password_to_approve", "Whether approvers must enter their password.", Default(false)),
			Number("approvals_before_merge", "Stored by hosts, but without effect. Use approval rules.",
				Between(0, Unbounded), Default(0)),
		},
		API: REST{Update: http.MethodPost, CreateBody: addSomeSetting},
	}
}

// addSomeSetting adds one setting with the value of a new project if none is stated:
// hosts reject a request without any.
func addSomeSetting(_ schema.Object, body map[string]any) error {
	if len(body) == 0 {
		body["reset_approvals_on_push"] = true
	}
	return nil
}

// checkSelectiveRemovals rejects removing some approvals on a push together with
// removing all of them, as hosts do.
func checkSelectiveRemovals(o schema.Object) []schema.Problem {
	some, all := o.Get("selective_code_owner_removals"), o.OrDefault("reset_approvals_on_push")
	if some.IsNull() || !some.IsKnown() || some.False() || !all.IsKnown() || all.IsNull() || all.False() {
		return nil
	}
	return []schema.Problem{{Attr: "selective_code_owner_removals",
		Text: "selective_code_owner_removals has no effect if reset_approvals_on_push is true; set " +
			"reset_approvals_on_push = false"}}
}

// strictApprovals maps each setting to its stricter value.
var strictApprovals = map[string]bool{
	"reset_approvals_on_push": true, "selective_code_owner_removals": true,
	"disable_overriding_approvers_per_merge_request": true,
	"merge_requests_author_approval":                 false, "merge_requests_disable_committers_approval": true,
	"require_password_to_approve": true,
}

// looserApprovals names the settings that are looser after than before. Removing all
// approvals on a push includes removing some.
func looserApprovals(before, after schema.Object) (looser []string) {
	all := nullIsFalse(after.OrDefault("reset_approvals_on_push"))
	for _, name := range keys(strictApprovals) {
		was, will := before.Get(name), nullIsFalse(after.OrDefault(name))
		strict := cty.BoolVal(strictApprovals[name])
		covered := name == "selective_code_owner_removals" && all.IsKnown() && all.True()
		if !was.IsNull() && was.RawEquals(strict) && will.IsKnown() && !will.RawEquals(strict) && !covered {
			looser = append(looser, name)
		}
	}
	return looser
}
