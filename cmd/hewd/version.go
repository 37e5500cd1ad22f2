package main

import (
	"encoding/json"
	"fmt"

	"github.com/spf13/cobra"

	"hew/cmd/release"
	"hew/server"
)

// version is set by the linker in a release.
var version = release.Unknown

// versionDocument is the JSON form of the version.
type versionDocument struct {
	release.Build
	API string `json:"api"` // release of the API that is implemented
}

// versionText returns what "hewd version" prints after the name of the program.
func versionText() string { return fmt.Sprintf("%s, API %s", release.Current(version), server.Version) }

// currentBuild returns what the server says of this program.
func currentBuild() server.Build {
	build := release.Current(version)
	return server.Build{Version: build.Version, Go: build.Go}
}

func versionCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print the version of hewd, its commit and the version of the API",
		Args:  noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if !asJSON {
				_, err := fmt.Fprintf(cmd.OutOrStdout(), "hewd %s\n", versionText())
				return err
			}
			e := json.NewEncoder(cmd.OutOrStdout())
			e.SetIndent("", "  ")
			return e.Encode(versionDocument{release.Current(version), server.Version})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}
