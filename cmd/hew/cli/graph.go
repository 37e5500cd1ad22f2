package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"hew/cmd/hew/session"
	"hew/cmd/hew/usage"
	"hew/cmd/hew/view"
	"hew/reconcile"
)

func (a *app) graphCommand() *cobra.Command {
	var (
		s            = settings{Options: session.Options{Partial: true}}
		format, file string
	)
	cmd := &cobra.Command{
		Use:   "graph",
		Short: "Print the dependency graph, for Graphviz or Mermaid",
		Long: `hew graph prints the blocks of the configuration with an arrow from each block to its dependencies,
which are applied first. It does not contact the host.

Resources are boxes, data sources are ellipses, and exclusive blocks are hexagons. The blocks of a
module are drawn together.`,
		Example: "  hew graph | dot -Tsvg > graph.svg\n" +
			"  hew graph -format=mermaid -o graph.mmd",
		Args: usage.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			drawing, ok := view.Drawings[format]
			if !ok {
				return fmt.Errorf("-format=%s is not a valid format. Use dot or mermaid", format)
			}
			cfg, found := a.Load(cmd.Context(), s.Options)
			view.WriteDiagnostics(found, a.console(a.err))
			if cfg == nil {
				return failed
			}
			out, done, err := a.openOutput(file)
			if err != nil {
				return err
			}
			view.Draw(out, drawing, reconcile.Dependencies(cmd.Context(), cfg, a.Kinds()))
			return done()
		},
	}
	s.addVariables(a, cmd, cmd.Flags())
	cmd.Flags().StringVar(&format, "format", "dot", "print in `FORMAT`: dot or mermaid (default dot)")
	cmd.Flags().StringVarP(&file, "o", "o", "", "write the graph to `FILE`")
	usage.CompleteValues(cmd, "format", "dot", "mermaid")
	return cmd
}
