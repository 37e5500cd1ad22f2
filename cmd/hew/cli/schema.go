package cli

import (
	"github.com/spf13/cobra"

	"hew/cmd/hew/docs"
	"hew/reconcile/report"
)

func (a *app) schemaCommand() *cobra.Command {
	var r bool
	cmd := &cobra.Command{
		Use:   "schema [KIND]...",
		Short: "Print what can be declared, as JSON",
		Long: "hew schema prints all kinds of resources and data sources, or those named, with their attributes, as JSON.\n" +
			"With -report it prints the JSON Schema of everything that commands answer with -json.\n" +
			"hew docs prints the same for people.",
		ValidArgsFunction: a.completeKinds,
		RunE: func(_ *cobra.Command, args []string) error {
			if r {
				_, err := a.out.Write(report.Schema)
				return err
			}
			doc, err := docs.Describe(a.Kinds, args)
			if err != nil {
				return err
			}
			return report.WriteJSON(a.out, doc)
		},
	}
	cmd.Flags().BoolVar(&r, "report", false, "the JSON Schema of what -json answers")
	return cmd
}
