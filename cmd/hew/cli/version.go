package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"hew/cmd/hew/usage"
	"hew/cmd/release"
	"hew/reconcile/report"
)

// releaseDoc is what version answers to programs.
type releaseDoc struct {
	FormatVersion string `json:"format_version"`
	release.Build
}

func (a *app) versionCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Long: `Print the version; with -json also the commit that it was built from, whether that was all (dirty: false), the
version of Go, and the platform. What is built in a checkout without a release being made is called dev.`,
		Args: usage.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if asJSON {
				return report.WriteJSON(a.out, releaseDoc{report.FormatVersion, release.This(a.Version)})
			}
			_, err := fmt.Fprintf(a.out, "hew %s\n", a.Version)
			return err
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "answer in JSON")
	return cmd
}
