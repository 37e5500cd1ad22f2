package view

import (
	"bytes"
	"flag"
	"image/png"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/reconcile/plan"
	"hew/reconcile/report/reporttest"
)

var pictures = flag.Bool("pictures", false, "take the picture of the report again")

// showcase is a plan with something of everything.
func showcase() *plan.Plan {
	p, o := *reporttest.Plans["sample"], reporttest.Opened()
	p.Host, p.User, p.Digest, p.Applyable, p.Guards = "https://git.example.com", "alice", "", false, o.Guards[2:]
	docs := plan.Change{Addr: reporttest.At(reporttest.GroupKind, "docs", "", ""), Action: plan.Update,
		Kind: reporttest.GroupKind, Title: "acme/platform/docs", Cause: plan.ByConfig, Decl: reporttest.Declared(12),
		Paths: []plan.PathChange{
			reporttest.Path(reporttest.GroupKind, "description",
				reporttest.Str("Everything about the platform and its many services, in one place for all of us"),
				reporttest.Str("Everything about the platform and its services, in one place for everybody"),
				plan.ByConfig, ""),
		}}
	p.Changes = append(append([]plan.Change{}, p.Changes...), o.Changes[2], docs)
	return &p
}

// TestReportPicture: the README shows a report as a browser does. Fonts differ from one machine to
// the next, so that only make pictures takes it again.
func TestReportPicture(t *testing.T) {
	t.Parallel()
	const file = "../pictures/report.png"
	if *pictures {
		page := chromium(t).open(
			t, writtenAs(t, showcase(), HTMLOptions{Source: ci}), "", look{width: 1200, height: 940},
		)
		eval[bool](t, page, drawn)
		require.NoError(t, os.WriteFile(file, page.picture(t), 0o644))
	}
	raw, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Less(t, len(raw), 150<<10)
	size, err := png.DecodeConfig(bytes.NewReader(raw))
	require.NoError(t, err)
	require.Equal(t, 1200, size.Width)
}
