package usage

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"hew/reconcile/didyoumean"
)

// expected holds the accepted values of pflag's own types.
var expected = map[string]string{"bool": "true or false", "duration": "a time such as 30s or 5m"}

// FlagError rewords an error of pflag: with one dash, and with the flag or value that was probably
// meant.
func FlagError(cmd *cobra.Command, err error) error {
	var (
		text      = strings.ReplaceAll(err.Error(), "--", "-")
		unknown   *pflag.NotExistError
		valueless *pflag.ValueRequiredError
		invalid   *pflag.InvalidValueError
		words     Explanation
	)
	switch {
	case errors.As(err, &words):
		text = string(words)
	case errors.As(err, &unknown):
		text = fmt.Sprintf("%s has no flag -%s.", cmd.CommandPath(), unknown.GetSpecifiedName())
		var names []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
		if near := didyoumean.Nearest(unknown.GetSpecifiedName(), names); near != "" {
			text += fmt.Sprintf(" Did you mean -%s?", near)
		}
	case errors.As(err, &valueless):
		spelled, _ := SpellFlag(valueless.GetFlag())
		text = fmt.Sprintf("-%s takes a value: %s.", valueless.GetFlag().Name, spelled)
	case errors.As(err, &invalid):
		f := invalid.GetFlag()
		accepted := expected[f.Value.Type()]
		if e, ok := f.Value.(expecter); ok {
			accepted = e.Expected()
		}
		text = fmt.Sprintf("-%s=%s is not valid. It takes %s.", f.Name, invalid.GetValue(), accepted)
	}
	return fmt.Errorf("%s\n%s", text, SeeHelp(cmd))
}

// CheckNoEmptyFlags refuses a flag with an empty value, as an unset variable of a pipeline leaves
// it: ignoring it would ignore what the user asked for.
func CheckNoEmptyFlags(cmd *cobra.Command) (err error) {
	cmd.Flags().Visit(func(f *pflag.Flag) {
		value := f.Value.String()
		if f.Shorthand != "" && value == "=" { // of -o=, as pflag reads it
			value = ""
		}
		_, word := f.Value.(Word)
		empty := (word || f.Value.Type() == "string") && value == "" ||
			f.Value.Type() == "stringSlice" && value == "[]"
		if err == nil && empty {
			name, _ := pflag.UnquoteUsage(f)
			err = fmt.Errorf("-%s has an empty value. Write -%s=%s, or omit the flag.\n%s", f.Name, f.Name,
				cmp.Or(name, "VALUE"), SeeHelp(cmd))
		}
	})
	return err
}

// NoArgs refuses arguments.
func NoArgs(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return fmt.Errorf("%s takes no arguments, but got %q.\n%s", cmd.CommandPath(), args[0], SeeHelp(cmd))
}

// NoSubcommand refuses the argument of a command that has only subcommands, and suggests the
// subcommand that was probably meant.
func NoSubcommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	var names []string
	for _, sub := range cmd.Commands() {
		names = append(names, sub.Name())
	}
	hint := ""
	if advice, ok := terraformCommands[args[0]]; ok && !cmd.HasParent() {
		hint = " " + advice
	} else if near := didyoumean.Nearest(args[0], names); near != "" {
		hint = fmt.Sprintf(" Did you mean %s?", near)
	}
	return fmt.Errorf("%s has no command %q.%s\n%s", cmd.CommandPath(), args[0], hint, SeeHelp(cmd))
}

// SeeHelp returns the sentence that points to the help of a command.
func SeeHelp(cmd *cobra.Command) string {
	return fmt.Sprintf("See %s -help.", cmd.CommandPath())
}
