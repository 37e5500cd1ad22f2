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
		Long: `hew validate checks as much of the configuration as it can without a host, and prints every error
with its place. Variables may be unset; hew checks the values of those that are set.

Exits 0 if the configuration is valid; 1 if it is not.`,
		Args: usage.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if format := f.name(); !slices.Contains(validationFormats, format) {
				return fmt.Errorf("-format=%s is not a valid format. Use %s", format, prose.Series(validationFormats,
					"or"))
			}
			cfg, found := a.Load(cmd.Context(), s.Options)
			var notes []string
			if cfg != nil {
				_, diags := cfg.NewEval().Run(cmd.Context(), nil)
				found.Diagnostics = append(found.Diagnostics, diags...)
				notes = cfg.Notes()
			}
			if err := a.printValidation(found, notes, f.name()); err != nil {
				return err
			}
			if found.HasErrors() {
				return failed
			}
			return nil
		},
	}
	s.addVariables(a, cmd, cmd.Flags())
	cmd.Flags().BoolVar(&f.json, "json", false, "print JSON; same as -format=json")
	cmd.Flags().StringVar(&f.format, "format", "text", "print in `FORMAT`: "+prose.Series(validationFormats,
		"or")+" (default text)")
	usage.CompleteValues(cmd, "format", validationFormats...)
	return cmd
}

// validationFormats are the formats of validate.
var validationFormats = []string{"text", "json", "junit", "sarif"}

// printValidation prints the errors that validate found, and notes on what it skipped.
func (a *app) printValidation(found report.Diagnostics, notes []string, format string) error {
	switch format {
	case "json":
		return report.WriteJSON(a.out, report.ValidationOf(found, notes))
	case "junit", "sarif":
		d := report.NewDocument("validate", a.Version)
		d.Directory, d.Diagnostics = a.directory(), report.DiagnosticsOf(found)
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
