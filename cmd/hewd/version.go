package main

import (
	"encoding/json"
	"fmt"

	"github.com/spf13/cobra"

	"hew/cmd/release"
	"hew/server"
)

// version is linked into a release.
var version = release.Unknown

// releaseDoc is what version answers to programs.
type releaseDoc struct {
	release.Build
	API string `json:"api"` // the release of the API that is spoken
}

// ownVersion is what version answers to people.
func ownVersion() string { return fmt.Sprintf("%s, API %s", release.This(version), server.Version) }

func versionCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print the version, the commit this was built from, and the API version that is spoken",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if !asJSON {
				_, err := fmt.Fprintf(cmd.OutOrStdout(), "hewd %s\n", ownVersion())
				return err
			}
			e := json.NewEncoder(cmd.OutOrStdout())
			e.SetIndent("", "  ")
			return e.Encode(releaseDoc{release.This(version), server.Version})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "answer in JSON")
	return cmd
}
