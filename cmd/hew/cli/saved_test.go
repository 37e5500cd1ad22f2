package cli

import (
	"path/filepath"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/stretchr/testify/require"

	"hew/reconcile/report/reporttest"
)

// TestSavedPlanHasItsWarnings: what was said when a plan was made is told by every
// report of it, of a plan that -out saved as well.
func TestSavedPlanHasItsWarnings(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	odd := hcl.Diagnostics{{Severity: hcl.DiagWarning, Summary: "Unused lift", Detail: "Nothing would trip.",
		Subject: reporttest.Declared(3)}}
	code, _, errs := with(t.Context(), &fake{plan: reporttest.Plans["sample"], diags: odd}, false, "", "plan",
		"-out=plan.json", "-chdir="+dir)
	require.Zero(t, code, errs)
	code, out, errs := with(t.Context(), nil, false, "", "show", "-format=sarif", filepath.Join(dir, "plan.json"))
	require.Zero(t, code, errs)
	require.Contains(t, out, `"ruleId": "unused-lift"`)
	code, out, errs = with(t.Context(), nil, false, "", "show", filepath.Join(dir, "plan.json"))
	require.Zero(t, code, errs)
	require.Contains(t, errs, "Warning: Unused lift")
	require.Contains(t, out, "Plan: 1 to create")
}
