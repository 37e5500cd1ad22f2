package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"hew/cmd/hew/usage"
	"hew/cmd/release"
	"hew/reconcile/report"
)

// releaseDoc is the output of version -json.
type releaseDoc struct {
	FormatVersion string `json:"format_version"`
	release.Build
}

func (a *app) versionCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Long: `hew version prints the version, or "dev" for a build that is not a release.

With -json it also prints the commit, whether the checkout had uncommitted changes (dirty), the
version of Go, and the platform.`,
		Args: usage.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if asJSON {
				return report.WriteJSON(a.out, releaseDoc{report.FormatVersion, release.Current(a.Version)})
			}
			_, err := fmt.Fprintf(a.out, "hew %s\n", a.Version)
			return err
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}
