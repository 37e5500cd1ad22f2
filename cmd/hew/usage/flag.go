package usage

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// NormalizeArgs turns -name and -name=x, as Terraform users type them, into the --name that cobra
// reads; cobra would take -out=x for -o ut=x. The only one-letter flags of hew are -o and -h, so a
// dash and more than one letter are always a long flag. The value of a flag is left alone.
func NormalizeArgs(root *cobra.Command, args []string) []string {
	valued := map[string]bool{}
	EachFlag(root, func(f *pflag.Flag) { valued[f.Name] = valued[f.Name] || f.NoOptDefVal == "" })
	out := make([]string, 0, len(args))
	if Completing(args) && PartialFlag(args) { // pflag completes long flags after two dashes only
		args = append(slices.Clone(args[:len(args)-1]), "-"+args[len(args)-1])
	}
	for i := 0; i < len(args); i++ {
		arg := args[i]
		if arg == "--" {
			return append(out, args[i:]...)
		}
		name, _, hasValue := strings.Cut(strings.TrimLeft(arg, "-"), "=")
		dashes := len(arg) - len(strings.TrimLeft(arg, "-"))
		if dashes == 1 && len(name) > 1 && isLetter(name[0]) {
			arg = "-" + arg
		}
		out = append(out, arg)
		takesNext := dashes > 0 && !hasValue && valued[name]
		if takesNext && i+1 < len(args) {
			i++
			out = append(out, args[i])
		}
	}
	return out
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// EachFlag calls visit with the flags of a command and of all its subcommands.
func EachFlag(cmd *cobra.Command, visit func(*pflag.Flag)) {
	cmd.Flags().VisitAll(visit)
	cmd.PersistentFlags().VisitAll(visit)
	for _, sub := range cmd.Commands() {
		EachFlag(sub, visit)
	}
}

// Operands returns the part of a usage line after the command's name: "[FLAGS] FILE".
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

// CommonFlags returns the flags that a command shares with others.
func CommonFlags(cmd *cobra.Command) *pflag.FlagSet {
	all := pflag.NewFlagSet("", pflag.ContinueOnError)
	all.AddFlagSet(cmd.PersistentFlags())
	all.AddFlagSet(cmd.InheritedFlags())
	return all
}

// SpellFlag returns a flag as people type it, -var=NAME=VALUE, and its description.
func SpellFlag(f *pflag.Flag) (spelled, description string) {
	value, description := pflag.UnquoteUsage(f)
	spelled = "-" + f.Name
	if value != "" {
		spelled += "=" + value
	}
	return spelled, description
}
