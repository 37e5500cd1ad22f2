package cli

import (
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/require"
	"github.com/zclconf/go-cty/cty"

	"hew/reconcile/config"
	"hew/reconcile/plan"
	"hew/reconcile/report"
	"hew/reconcile/report/reporttest"
)

var someOutputs = &plan.Plan{Applyable: true, Outputs: []config.Output{
	{Name: "url", Value: reporttest.Str("https://host/acme")},
	{Name: "id", Value: cty.UnknownVal(cty.Number)},
	{Name: "count", Value: reporttest.Num(3)},
	{Name: "on", Value: cty.True},
	{Name: "none", Value: cty.NullVal(cty.String)},
	{Name: "secret", Value: reporttest.Token, Sensitive: true},
	{Name: "bare", Value: reporttest.Str(reporttest.Leak), Sensitive: true},
	{Name: "long", Value: reporttest.LongList("x")},
	{Name: "map", Value: cty.ObjectVal(map[string]cty.Value{
		"a b": reporttest.Num(1), "c": cty.ListVal([]cty.Value{reporttest.Str("${x}")}), "s": reporttest.Token,
	})},
	{Name: "part",
		Value: cty.ObjectVal(map[string]cty.Value{"known": reporttest.Num(1), "not": cty.UnknownVal(cty.String)})},
}}

// TestOutput: outputs for people, for programs and for shells.
func TestOutput(t *testing.T) {
	t.Parallel()
	var files []txtar.File
	for _, args := range []string{"", "-json", "url", "url -json", "url -raw", "count -raw", "on -raw", "long",
		"long -json", "map", "id", "secret", "part"} {
		code, out, errs := with(
			t.Context(), &fake{plan: someOutputs}, false, "", append([]string{"output"}, strings.Fields(args)...)...,
		)
		require.Zero(t, code, errs)
		require.NotContains(t, out+errs, reporttest.Leak)
		if args == "-json" {
			reporttest.Conforms(t, report.Schema, "outputs", []byte(out))
		}
		files = append(files, txtar.File{Name: strings.TrimSpace("hew output " + args), Data: []byte(out)})
	}
	reporttest.Wanted(t, "output", files...)
}

// TestOutputOfSecrets: who names a sensitive output for a program has asked for
// it; nobody else gets it.
func TestOutputOfSecrets(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ args, out string }{
		{"secret -raw", reporttest.Leak}, {"bare -raw", reporttest.Leak},
		{"secret -json", `"` + reporttest.Leak + `"` + "\n"}, {"secret", report.Secret + "\n"},
		{"bare", report.Secret + "\n"},
	} {
		code, out, errs := with(
			t.Context(), &fake{plan: someOutputs}, false, "", append([]string{"output"}, strings.Fields(c.args)...)...,
		)
		require.Zero(t, code, errs)
		require.Equal(t, c.out, out, c.args)
	}
}

func TestOutputErrors(t *testing.T) {
	t.Parallel()
	none, blocked := &plan.Plan{},
		&plan.Plan{Outputs: someOutputs.Outputs, Blocked: reporttest.Plans["trouble"].Blocked}
	for _, c := range []struct {
		args string
		plan *plan.Plan
		code int
		says string
	}{
		{"", none, 0, "declares no outputs"},
		{"-json", none, 0, "{}"},
		{"url", none, 1, `no output "url": it declares no outputs`},
		{"ulr", someOutputs, 1, "Did you mean url?"},
		{"nothing", someOutputs, 1, "Run hew output to list all outputs"},
		{"url id", someOutputs, 1, "the name of one output"},
		{"-raw", someOutputs, 1, "Name it"},
		{"url -raw -json", someOutputs, 1, "cannot be combined"},
		{"id -raw", someOutputs, 1, "output id is not known until apply"},
		{"part -json", someOutputs, 1, "output part is not known until apply"},
		{"long -raw", someOutputs, 1, "output long is a list of string. Use -json"},
		{"none -raw", someOutputs, 1, "output none is null"},
		{"", blocked, 1, "403 Forbidden"},
		{"url", blocked, 0, "https://host/acme"},
		{"-ledger=x", someOutputs, 1, "It accepts only none"},
	} {
		code, out, errs := with(
			t.Context(), &fake{plan: c.plan}, false, "", append([]string{"output"}, strings.Fields(c.args)...)...,
		)
		require.Equal(t, c.code, code, c.args+": "+out+errs)
		require.Contains(t, out+errs, c.says)
	}
}
