package api_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A rule about coverage requires approvals until the pipeline of the head is over, and then of
// those changes alone that lower the coverage of the target branch.
func TestCoverageRule(t *testing.T) {
	t.Parallel()
	y := newYard(t)
	p := y.project("site", map[string]string{"README.md": "Hello"})
	eve := y.User(t, "eve")
	y.ok("POST", p+"/members", map[string]any{"user_id": eve.ID, "access_level": 30})
	y.ok("POST", p+"/approval_rules", map[string]any{
		"name": "Coverage-Check", "rule_type": "report_approver", "report_type": "code_coverage",
		"approvals_required": 1, "user_ids": []int64{eve.ID},
	})
	y.ok("POST", p+"/approval_rules", map[string]any{
		"name": "Licenses", "rule_type": "report_approver", "report_type": "license_scanning",
		"approvals_required": 0, "user_ids": []int64{eve.ID},
	})
	tell := func(branch, state string, coverage float64) {
		t.Helper()
		var head struct{ ID string }
		y.ok("GET", p+"/repository/commits/"+branch, nil).Into(t, &head)
		y.ok("POST", p+"/statuses/"+head.ID, map[string]any{
			"state": state, "ref": branch, "name": "tests", "coverage": coverage,
		})
		y.Drain(t)
	}
	y.commit(p, "topic", "Change", map[string]string{"x": "1"})
	y.ok("POST", p+"/merge_requests",
		map[string]any{"source_branch": "topic", "target_branch": "main", "title": "Topic"})
	y.Drain(t)
	left := func() int {
		t.Helper()
		var a struct {
			Left int `json:"approvals_left"`
		}
		y.ok("GET", p+"/merge_requests/1/approvals", nil).Into(t, &a)
		var r struct {
			Detailed string `json:"detailed_merge_status"`
		}
		y.ok("GET", p+"/merge_requests/1", nil).Into(t, &r)
		require.Equal(t, a.Left > 0, r.Detailed == "not_approved", r.Detailed)
		return a.Left
	}
	require.Equal(t, 1, left(), "there is no pipeline")
	tell("main", "success", 80)
	tell("topic", "running", 90)
	require.Equal(t, 1, left(), "the pipeline runs")
	tell("topic", "success", 80)
	require.Equal(t, 0, left(), "the coverage is the same")
	tell("main", "running", 95)
	require.Equal(t, 0, left(), "the pipeline of the target branch is not over")
	tell("main", "success", 80.5)
	require.Equal(t, 1, left(), "the coverage falls")
	y.commit(p, "topic", "Change", map[string]string{"x": "2"})
	tell("topic", "failed", 81)
	require.Equal(t, 0, left())
	y.commit(p, "topic", "Change", map[string]string{"x": "3"})
	y.Drain(t)
	require.Equal(t, 1, left(), "the pipeline is one of an earlier head")
}
