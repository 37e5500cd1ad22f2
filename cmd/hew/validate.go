package main

import (
	"fmt"

	"github.com/spf13/cobra"
)

func (a *app) validateCommand() *cobra.Command {
	var (
		s      = settings{partial: true}
		asJSON bool
	)
	cmd := &cobra.Command{
		Use:   "validate",
		Short: "Check the configuration without the host",
		Long: "hew validate checks the configuration as far as that goes without a host, and shows every mistake with its place.\n" +
			"Variables need no values; those that have one are checked with it.",
		Args: noArgs,
		RunE: func(*cobra.Command, []string) error {
			cfg, found := a.load(s)
			var notes []string
			if cfg != nil {
				_, diags := cfg.NewEval().Run(nil)
				found.Diagnostics = append(found.Diagnostics, diags...)
				notes = cfg.Notes()
			}
			if err := a.verdictOn(found, notes, asJSON); err != nil {
				return err
			}
			if found.HasErrors() {
				return failed
			}
			return nil
		},
	}
	s.variables(a, cmd, cmd.Flags())
	cmd.Flags().BoolVar(&asJSON, "json", false, "answer in JSON")
	return cmd
}

// verdictOn says what validate found, and what it passed over.
func (a *app) verdictOn(found report, notes []string, asJSON bool) error {
	if asJSON {
		return writeJSON(a.out, validationOf(found, notes))
	}
	found.write(a.console(a.err))
	t := text{console: a.console(a.out)}
	t.notes(notes)
	if found.HasErrors() {
		return nil
	}
	if len(notes) > 0 {
		t.gap()
	}
	_, err := fmt.Fprintln(a.out, "The configuration is valid.")
	return err
}
