package reconcile_test

import (
	"fmt"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/stretchr/testify/require"
	"github.com/zclconf/go-cty/cty"

	"hew/reconcile/apply"
	"hew/reconcile/config"
	"hew/reconcile/plan"
	"hew/schema"
)

// complete makes sure that an outcome tells of each change once.
func (s *story) complete(p *plan.Plan, out *apply.Outcome) {
	var planned, told []string
	for _, c := range p.Changes {
		if c.Action != plan.NoOp {
			planned = append(planned, c.Addr.String())
		}
	}
	for _, c := range slices.Concat(out.Done, out.Recorded) {
		told = append(told, c.Addr.String())
	}
	for _, f := range slices.Concat(out.Failed, out.Skipped) {
		told = append(told, f.Change.Addr.String())
	}
	require.ElementsMatch(s.t, planned, told)
	for _, c := range out.Recorded {
		require.False(s.t, c.Changes(), "%s is more than recorded", c.Addr)
	}
}

func (s *story) checks(checks []config.Check) {
	for _, c := range checks {
		fmt.Fprintf(&s.out, "  check %s: %s %s\n", c.Name, c.Verdict, c.Text)
	}
}
func (s *story) diags(diags hcl.Diagnostics) {
	for _, d := range diags {
		at := ""
		if d.Subject != nil {
			at = fmt.Sprintf("%s:%d: ", d.Subject.Filename, d.Subject.Start.Line)
		}
		severity := map[hcl.DiagnosticSeverity]string{hcl.DiagError: "error", hcl.DiagWarning: "warning"}[d.Severity]
		fmt.Fprintf(&s.out, "  %s: %s%s: %s\n", severity, at, d.Summary, d.Detail)
	}
}

// plan prints a plan tersely: one line a change, one a difference.
func (s *story) plan(p *plan.Plan) {
	quiet := true
	for i := range p.Changes {
		c := &p.Changes[i]
		if c.Action == plan.NoOp {
			continue
		}
		quiet = false
		line := fmt.Sprintf("  %c %s", c.Action, c.Addr)
		if c.From.Kind != "" {
			line += " from " + c.From.String()
		}
		for _, more := range []string{c.Title, string(c.Cause), c.Why} {
			if more != "" {
				line += " | " + more
			}
		}
		if c.AdoptsIfFound {
			line += " | adopted if it exists"
		}
		fmt.Fprintln(&s.out, line)
		for _, pc := range c.Paths {
			note := ""
			if pc.Note != "" {
				note = " (" + pc.Note + ")"
			}
			fmt.Fprintf(&s.out, "      %s %s -> %s %s%s\n", pc.Attr.Name, show(pc.Attr, pc.Before),
				show(pc.Attr, pc.After), pc.Cause, note)
		}
	}
	if quiet {
		fmt.Fprintln(&s.out, "  no changes")
	}
	for _, b := range p.Blocked {
		fmt.Fprintf(&s.out, "  blocked: %s: %s\n", b.Addr, b.Reason)
	}
	for _, g := range p.Guards {
		fmt.Fprintf(&s.out, "  guard %s: %s %s\n", g.Code, g.Text, g.Objects)
	}
	for _, u := range p.Undeclared {
		fmt.Fprintf(&s.out, "  ? %s %s | %s | %s\n", u.Object.Kind.Name, u.Object.ID, u.Title, u.Owner)
	}
	for _, n := range p.Notes {
		fmt.Fprintf(&s.out, "  note: %s\n", n)
	}
	s.checks(p.Checks)
}

func show(a *schema.Attr, v cty.Value) string {
	if a.IsSecret() || schema.IsSecret(v) {
		return "(secret)"
	}
	if r := schema.AsRef(v); r != nil {
		return r.String()
	}
	if v.IsKnown() && v.IsNull() {
		return "null"
	}
	return schema.Encode(v)
}
