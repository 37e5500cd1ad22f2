package cli

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"hew/cmd/hew/session"
	"hew/cmd/hew/usage"
	"hew/cmd/hew/view"
	"hew/reconcile/report"
	"hew/reconcile/report/prose"
)

func (a *app) validateCommand() *cobra.Command {
	var (
		s = settings{Options: session.Options{Partial: true}}
		f = rendering{format: "text"}
	)
	cmd := &cobra.Command{
		Use:   "validate",
		Short: "Check the configuration without the host",
		Long: "hew validate checks the configuration as far as that goes without a host, and shows every mistake with its place.\n" +
			"Variables need no values; those that have one are checked with it.",
		Args: usage.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if format := f.name(); !slices.Contains(verdicts, format) {
				return fmt.Errorf("-format=%s is not known; use %s", format, prose.Series(verdicts, "or"))
			}
			cfg, found := a.Load(s.Options)
			var notes []string
			if cfg != nil {
				_, diags := cfg.NewEval().Run(nil)
				found.Diagnostics = append(found.Diagnostics, diags...)
				notes = cfg.Notes()
			}
			if err := a.verdictOn(found, notes, f.name()); err != nil {
				return err
			}
			if found.HasErrors() {
				return failed
			}
			return nil
		},
	}
	s.addVariables(a, cmd, cmd.Flags())
	cmd.Flags().BoolVar(&f.json, "json", false, "answer in JSON; same as -format=json")
	cmd.Flags().StringVar(&f.format, "format", "text", "`FORMAT` of the answer: "+prose.Series(verdicts, "or"))
	usage.CompleteValues(cmd, "format", verdicts...)
	return cmd
}

// verdicts are the forms in which validate answers.
var verdicts = []string{"text", "json", "junit", "sarif"}

// verdictOn says what validate found, and what it passed over.
func (a *app) verdictOn(found report.Diagnostics, notes []string, format string) error {
	switch format {
	case "json":
		return report.WriteJSON(a.out, report.ValidationOf(found, notes))
	case "junit", "sarif":
		d := report.NewDocument("validate", a.Version)
		d.Directory, d.Diagnostics = a.Dir.InRepository(a.Environ["CI_PROJECT_DIR"]), report.DiagnosticsOf(found)
		return report.Writers[format](a.out, []report.Part{{Document: d}})
	}
	view.WriteDiagnostics(found, a.console(a.err))
	t := view.Text{Console: a.console(a.out)}
	t.Notes(notes)
	if found.HasErrors() {
		return nil
	}
	if len(notes) > 0 {
		t.Gap()
	}
	_, err := fmt.Fprintln(a.out, "The configuration is valid.")
	return err
}
