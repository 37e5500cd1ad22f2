package provider

import (
	"net/http"

	"github.com/zclconf/go-cty/cty"

	"hew/schema"
)

// projectApprovalSettings is what approvals of a project's merge requests are
// held to beside the rules (spec 2 §2.5 and §4.3).
var projectApprovalSettings = Kind{
	Kind: schema.Kind{
		Name: "project_approval_settings",
		Doc: "What approvals of a project's merge requests are held to beside its rules. Every project has these settings. " +
			"What a group or the instance demands counts whatever is stated here.",
		Collection: "projects/{project}/approvals",
		Holds:      schema.One,
		Match:      schema.ByKey("project"),
		Need:       inProject.need,
		Gated:      true, // by a licence
		Check:      selective,
		Strict:     &schema.Strictness{Looser: looserApprovals},
	},
	Table: []Attr{
		Reference("project", "project", "The project.", Required, ForceNew),
		Bool("reset_approvals_on_push", "A push to a merge request takes back the approvals that it has.", Default(true)),
		Bool("selective_code_owner_removals", "A push takes back only the approvals of those who own the files in it. "+
			"It takes `reset_approvals_on_push = false`.", Default(false), SentWith("reset_approvals_on_push")),
		Bool("disable_overriding_approvers_per_merge_request", "Merge requests cannot change who has to approve them.", Default(false)),
		Bool("merge_requests_author_approval", "Authors may approve their own merge requests.", Default(false)),
		Bool("merge_requests_disable_committers_approval", "Who has commits in a merge request may not approve it.", Default(false)),
		Bool("require_password_to_approve", "Whoever approves has to sign in once more.", Default(false)),
		Number("approvals_before_merge", "Kept by hosts and without effect: approvals are asked for by rules.", Between(0, Unbounded), Default(0)),
	},
	API: REST{Update: http.MethodPost, CreateBody: someSetting},
}

// someSetting states the first of what a new project has where nothing is stated:
// hosts insist on that.
func someSetting(_ schema.Object, body map[string]any) {
	if len(body) == 0 {
		body["reset_approvals_on_push"] = true
	}
}

// selective refuses what hosts do: to take back some approvals where all go.
func selective(o schema.Object) []schema.Problem {
	some, all := o.Get("selective_code_owner_removals"), o.OrDefault("reset_approvals_on_push")
	if some.IsNull() || !some.IsKnown() || some.False() || !all.IsKnown() || all.IsNull() || all.False() {
		return nil
	}
	return []schema.Problem{{Attr: "selective_code_owner_removals", Text: "selective_code_owner_removals has no effect while reset_approvals_on_push is true, for a push takes back all approvals then: state reset_approvals_on_push = false"}}
}

// strictApprovals are the values that ask more.
var strictApprovals = map[string]bool{
	"reset_approvals_on_push": true, "selective_code_owner_removals": true, "disable_overriding_approvers_per_merge_request": true,
	"merge_requests_author_approval": false, "merge_requests_disable_committers_approval": true, "require_password_to_approve": true,
}

// looserApprovals: where a push takes back all approvals, it takes back some.
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
