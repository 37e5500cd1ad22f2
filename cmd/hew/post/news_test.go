package post

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hew/provider"
	"hew/reconcile/plan"
	"hew/reconcile/report"
	"hew/reconcile/report/reporttest"
)

// drift is the document of a plan that hew drift made.
func drift(p *plan.Plan) *report.Document {
	d := report.NewDocument("drift", "dev")
	d.RecordPlan(p, provider.Kinds())
	return d
}

// TestFingerprint: a configuration has the same wherever it is checked out, and each has its own.
func TestFingerprint(t *testing.T) {
	t.Parallel()
	sample, nothing := *reporttest.Plans["sample"], *reporttest.Plans["nothing"]
	one, other := Env{Dir: "."}.newsOf(drift(&sample), "lineage"), Env{Dir: "."}.newsOf(drift(&plan.Plan{}), "another")
	require.Equal(t, one.fingerprint, Env{Dir: "/elsewhere"}.newsOf(drift(&nothing), "lineage").fingerprint)
	require.NotEqual(t, one.fingerprint, other.fingerprint)
}

// TestAlertFits: what an endpoint keeps of an alert is all that it is sent.
func TestAlertFits(t *testing.T) {
	t.Parallel()
	n := news{drift: true, sum: "Drift."}
	for i := range 500 {
		n.names = append(n.names, fmt.Sprintf("group.g%d", i))
	}
	m := n.alert(time.Unix(1_790_000_000, 0))
	require.LessOrEqual(t, len([]rune(m.Description)), maxAlertDescription)
	require.Regexp(t, `\n… \d+ more$`, m.Description)
}

// TestIssueHost: no token goes to a host that only the configuration names.
func TestIssueHost(t *testing.T) {
	t.Parallel()
	const host = "https://git.example.com"
	for variable, value := range map[string]string{"HEW_URL": host + "/api/v4/", "CI_API_V4_URL": host + "/api/v4"} {
		e := Env{Vars: map[string]string{variable: value, "HEW_ISSUE_TOKEN": "s3cret"}}
		_, err := e.tracker("acme/ops", news{host: host})
		require.NoError(t, err, variable)
		_, err = e.tracker("acme/ops", news{host: "https://evil.example.com"})
		require.ErrorContains(t, err, "the environment does not name the host https://evil.example.com")
	}
}

// TestIssueFits: a description has a limit, and the mark has room in it.
func TestIssueFits(t *testing.T) {
	t.Parallel()
	p := *reporttest.Plans["sample"]
	for i := range 5_000 {
		c := p.Changes[0]
		c.Addr = reporttest.At(reporttest.GroupKind, fmt.Sprintf("g%d", i), "", "")
		c.Paths = []plan.PathChange{reporttest.Path(
			reporttest.GroupKind, "description", reporttest.Str("was"), reporttest.Str(fmt.Sprint(i)), plan.ByDrift, "",
		)}
		p.Changes = append(p.Changes, c)
	}
	n := Env{Dir: ".", Budget: 20_000}.newsOf(drift(&p), "")
	require.LessOrEqual(t, len(n.document)+markBytes, 20_000)
	require.Contains(t, n.document, "left out")
}
