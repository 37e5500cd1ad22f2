package reconcile_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/require"

	"hew/reconcile"
	"hew/reconcile/addr"
	"hew/reconcile/config"
	"hew/reconcile/plan"
)

// TestNarrowedPlansArePartsOfTheWhole takes each configuration of the stories, on the world that
// the first one leaves, and narrows its plan by each of its changes. A target is in its plan and an
// exclusion is not. A narrowed plan does nothing that the whole plan would not do; above all, it
// deletes nothing else.
func TestNarrowedPlansArePartsOfTheWhole(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/*.txtar")
	require.NoError(t, err)
	plans := 0
	for _, file := range files {
		ar, err := txtar.ParseFile(file)
		require.NoError(t, err)
		s := newStory(t, ar)
		if whole := s.planned(reconcile.Options{}, true); whole == nil {
			continue
		}
		for _, f := range ar.Files {
			if !strings.HasSuffix(f.Name, ".hcl") || strings.Contains(f.Name, "/") {
				continue
			}
			s.config = f.Name
			whole := s.planned(reconcile.Options{}, false)
			if whole == nil {
				continue
			}
			does := map[addr.Instance]plan.Action{}
			for _, c := range whole.Changes {
				does[c.Addr] = c.Action
			}
			stuck := map[addr.Instance]bool{}
			for _, b := range whole.Blocked {
				stuck[b.Addr] = true
			}
			for at, action := range does {
				name := fmt.Sprintf("%s %s %s", filepath.Base(file), f.Name, at)
				target := s.planned(reconcile.Options{Target: []addr.Instance{at}}, false)
				require.NotNil(t, target, name)
				there := false
				for _, c := range target.Changes {
					if c.Action == plan.NoOp {
						there = there || c.Addr == at
						continue
					}
					require.Equal(t, does[c.Addr], c.Action, "-target %s: %s", name, c.Addr)
					there = there || c.Addr == at
				}
				for _, b := range target.Blocked { // what frees its name is not in this plan
					there = there || b.Addr == at && strings.Contains(b.Reason, " belongs to ")
				}
				require.True(t, there, "-target %s: %c is missing", name, action)
				rest := s.planned(reconcile.Options{Exclude: []addr.Instance{at}}, false)
				require.NotNil(t, rest, name)
				for _, c := range rest.Changes {
					if c.Action == plan.NoOp && c.Addr != at {
						continue // an unchanged object may keep others
					}
					if stuck[c.Addr] {
						continue // blocked by a deletion of the whole plan that this plan leaves out
					}
					require.Equal(t, does[c.Addr], c.Action, "-exclude %s: %s", name, c.Addr)
					require.NotEqual(t, at, c.Addr, "-exclude %s", name)
				}
				plans += 2
			}
		}
	}
	require.Greater(t, plans, 300, "the stories hardly say anything")
}

// planned is the plan of the story's configuration, nil where there is none.
func (s *story) planned(opts reconcile.Options, apply bool) *plan.Plan {
	fsys := fstest.MapFS{}
	for _, f := range s.ar.Files {
		if f.Name == s.config {
			fsys["config.hcl"] = &fstest.MapFile{Data: f.Data}
		} else if strings.Contains(f.Name, "/") {
			fsys[f.Name] = &fstest.MapFile{Data: f.Data}
		}
	}
	cfg, diags := config.Load(s.t.Context(), fsys, ".", s.host.kinds, config.Vars{})
	if diags.HasErrors() {
		return nil
	}
	eng := &reconcile.Engine{
		Provider: s.host, Writer: s.host, Backend: s.backend, Host: "https://host.test", Width: 1, Who: "story",
	}
	run, diags := eng.Plan(s.t.Context(), cfg, opts)
	if diags.HasErrors() {
		return nil
	}
	if apply && run.Plan.Applyable {
		_, diags = run.Apply(s.t.Context())
		require.False(s.t, diags.HasErrors(), "%v", diags)
	}
	return run.Plan
}
