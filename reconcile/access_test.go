package reconcile_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"hew/reconcile"
	"hew/reconcile/config"
	"hew/reconcile/ledger"
)

// TestAccessIsReadForWhatChanges counts the reads of twenty projects with a rule each. Unchanged
// rules cost only their own lists. Changed rules cost one read of each project's members, and one
// per run of the members of the group that contains them.
func TestAccessIsReadForWhatChanges(t *testing.T) {
	t.Parallel()
	const projects = 20
	h, err := newHost([]byte(`{"lists": {
		"groups": [{"id": 1, "path": "acme", "full_path": "acme"}],
		"groups/1/members": [{"id": 5, "user": "alice", "access_level": 50}, {"id": 6, "user": "bob", "access_level": 30}]
	}, "users": {"alice": 5, "bob": 6}}`))
	require.NoError(t, err)
	for i := range projects {
		h.lists["groups/1/projects"] = append(h.lists["groups/1/projects"],
			item{"id": 10 + i, "path": fmt.Sprint("p", i), "path_with_namespace": fmt.Sprint("acme/p", i)})
	}
	var back ledger.Backend = ledger.Memory()
	run := func(approvers string) (reads []string) {
		src := fmt.Sprintf(`
			resource "group" "acme" { path = "acme" }
			resource "project" "p" {
			  count     = %d
			  path      = "p${count.index}"
			  namespace = group.acme.id
			}
			resource "approvals" "p" {
			  count     = %d
			  project   = project.p[count.index].id
			  name      = "ours"
			  approvers = %s
			}`, projects, projects, approvers)
		cfg, diags := config.Load(t.Context(),
			fstest.MapFS{"config.hcl": {Data: []byte(src)}}, ".", h.kinds, config.Vars{})
		require.False(t, diags.HasErrors(), "%v", diags)
		h.reads = nil
		eng := &reconcile.Engine{Provider: h, Writer: h, Backend: back, Host: "https://host.test", Who: "test"}
		run, diags := eng.Plan(t.Context(), cfg, reconcile.Options{})
		require.False(t, diags.HasErrors(), "%v", diags)
		require.Empty(t, run.Plan.Blocked)
		reads = append(reads, h.reads...)
		_, diags = run.Apply(t.Context())
		require.False(t, diags.HasErrors(), "%v", diags)
		return reads
	}
	of := func(reads []string, what string) (n int) {
		for _, r := range reads {
			if strings.Contains(r, what) {
				n++
			}
		}
		return n
	}
	run(`["alice"]`)
	quiet := run(`["alice"]`)
	require.Len(t, quiet, 2+projects, "the group, its projects, and the rules of each: %v", quiet)

	busy := run(`["alice", "bob"]`)
	require.Equal(t, projects, of(busy, "/members")-1, "who is in each project, and once who is in the group")
	require.Equal(t, 1, of(busy, "groups/1/members"))
	require.LessOrEqual(t, len(busy), len(quiet)+2*projects+3, "%v", busy)
}
