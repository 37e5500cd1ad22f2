package cli

import (
	"github.com/spf13/cobra"

	"hew/cmd/hew/docs"
	"hew/reconcile/report"
)

func (a *app) schemaCommand() *cobra.Command {
	var schemaOfReports bool
	cmd := &cobra.Command{
		Use:   "schema [KIND]...",
		Short: "Print the schema of all kinds as JSON",
		Long: `hew schema prints all kinds of resources and data sources, or the named ones, with their attributes,
as JSON. hew docs prints the same for people.

With -report it prints the JSON Schema of everything that commands print with -json.`,
		ValidArgsFunction: a.completeKinds,
		RunE: func(_ *cobra.Command, args []string) error {
			if schemaOfReports {
				_, err := a.out.Write(report.Schema)
				return err
			}
			doc, err := docs.Describe(a.Kinds(), args)
			if err != nil {
				return err
			}
			return report.WriteJSON(a.out, doc)
		},
	}
	cmd.Flags().BoolVar(&schemaOfReports, "report", false, "print the JSON Schema of the output of -json")
	return cmd
}
