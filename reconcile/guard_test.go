package reconcile_test

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/require"

	"hew/reconcile"
	"hew/reconcile/config"
	"hew/reconcile/golden"
	"hew/reconcile/guard"
	"hew/reconcile/plan"
)

// lifting matches the lines of a configuration that lift a guard.
var lifting = regexp.MustCompile(`(?m)^.*# lifts$\n?`)

// onLifts are the blocks that lift guards for orphans and strays: a removed block, and the
// exclusive block.
var onLifts = map[string][]string{
	"removed": {guard.MassDelete, guard.AdoptedDelete, guard.PreventDestroy, guard.UnmarkedRename, guard.LastOwner,
		guard.RequiredOwners, guard.SelfLockout, guard.Lowered},
	"exclusive": {guard.MassDelete, guard.LastOwner, guard.RequiredOwners, guard.SelfLockout},
}

// TestEveryGuard runs testdata/guard/CODE.txtar for every guard. After the script in its comment,
// it plans each configuration except the first without the lines that end in "# lifts", when the
// guard must trip, and with them, when it must not. Each configuration is named after the lift that
// it tests, and every lift must have one.
func TestEveryGuard(t *testing.T) {
	t.Parallel()
	var codes []string
	for _, rule := range guard.Rules() {
		codes = append(codes, rule.Code)
		t.Run(rule.Code, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join("testdata/guard", rule.Code+".txtar")
			ar, err := txtar.ParseFile(file)
			require.NoError(t, err)
			s := newStory(t, ar)
			s.script()
			s.out.Reset()
			var told []string
			for _, f := range ar.Files {
				lift, isHCL := strings.CutSuffix(f.Name, ".hcl")
				if !isHCL || lift == "config" {
					continue
				}
				told = append(told, lift)
				trips := s.findings(lifting.ReplaceAll(f.Data, nil), rule.Code)
				require.NotEmpty(t, trips, "%s does not trip without %s", rule.Code, lift)
				require.Empty(t, s.findings(f.Data, rule.Code), "%s is not lifted by %s", rule.Code, lift)
				fmt.Fprintf(&s.out, "> %s\n", lift)
				for _, g := range trips {
					require.NotEmpty(t, g.Fix)
					fmt.Fprintf(&s.out, "%s %s\n%s\n", g.Text, g.Objects, g.Fix)
				}
			}
			for _, limit := range rule.Limits {
				// without the limit the guard never fires
				require.True(t, slices.Contains(told, limit) || limit == "required_owners", "%s lifts it", limit)
			}
			if rule.Lift {
				require.Contains(t, told, "allow")
				for lift, of := range onLifts {
					require.Equal(t, slices.Contains(of, rule.Code), slices.Contains(told, lift), lift)
				}
				require.Contains(t, s.out.String(), fmt.Sprintf("allow = [%q] } on ", rule.Code))
			}
			golden.Equal(t, file, string(txtar.Format(
				&txtar.Archive{Comment: ar.Comment, Files: golden.WithFile(ar.Files, "want", s.out.String())},
			)))
		})
	}
	files, err := filepath.Glob("testdata/guard/*.txtar")
	require.NoError(t, err)
	require.Len(t, files, len(codes), "a story for every guard, and for nothing else")
}

// findings returns the findings of a guard for a configuration.
func (s *story) findings(hcl []byte, code string) (list []plan.Finding) {
	ar := *s.ar
	s.ar = &txtar.Archive{Files: append(slices.Clone(ar.Files), txtar.File{Name: "tried", Data: hcl})}
	defer func() { s.ar = &ar }()
	run := s.planOf("tried")
	for _, g := range run.Plan.Guards {
		if g.Code == code {
			list = append(list, g)
		}
	}
	return list
}

// planOf plans a configuration without printing.
func (s *story) planOf(file string) *reconcile.Run {
	cfg, diags := config.Load(s.t.Context(), fsOf(s.ar, file), ".", s.host.kinds, config.Vars{})
	require.False(s.t, diags.HasErrors(), "%v", diags)
	eng := &reconcile.Engine{Provider: s.host, Backend: s.backend, Host: "https://host.test", Width: 1, Who: "story"}
	s.host.log, s.host.reads = nil, nil
	run, diags := eng.Plan(s.t.Context(), cfg, reconcile.Options{})
	require.False(s.t, diags.HasErrors(), "%v", diags)
	return run
}
