package main

import (
	"fmt"
	"runtime"

	"github.com/spf13/cobra"
)

// release is what version answers to programs.
type release struct {
	FormatVersion string `json:"format_version"`
	Version       string `json:"version"`
	Go            string `json:"go"`
	Platform      string `json:"platform"`
}

func (a *app) versionCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  noArgs,
		RunE: func(*cobra.Command, []string) error {
			if asJSON {
				return writeJSON(a.out, release{formatVersion, version, runtime.Version(), runtime.GOOS + "/" + runtime.GOARCH})
			}
			_, err := fmt.Fprintf(a.out, "hew %s\n", version)
			return err
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "answer in JSON")
	return cmd
}
