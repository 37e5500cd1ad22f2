package docs

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Operands are what follows the command's name.
func Operands(cmd *cobra.Command) string {
	words := []string{"[FLAGS]"}
	if cmd.HasAvailableSubCommands() {
		words = []string{"COMMAND", "[FLAGS]"}
	}
	if _, rest, ok := strings.Cut(cmd.Use, " "); ok {
		words = append(words, rest)
	}
	return strings.Join(words, " ")
}

// CommonFlags are those that a command shares with others.
func CommonFlags(cmd *cobra.Command) *pflag.FlagSet {
	all := pflag.NewFlagSet("", pflag.ContinueOnError)
	all.AddFlagSet(cmd.PersistentFlags())
	all.AddFlagSet(cmd.InheritedFlags())
	return all
}

// Spelling is a flag as people type it, -var=NAME=VALUE, and what it is for.
func Spelling(f *pflag.Flag) (spelled, usage string) {
	value, usage := pflag.UnquoteUsage(f)
	spelled = "-" + f.Name
	if value != "" {
		spelled += "=" + value
	}
	return spelled, usage
}
