package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"hew/reconcile/didyoumean"
)

// flagError returns what is wrong with a flag of cmd, and the flag that was probably meant.
func flagError(cmd *cobra.Command, err error) error {
	var (
		unknown   *pflag.NotExistError
		valueless *pflag.ValueRequiredError
		invalid   *pflag.InvalidValueError
		text      = err.Error()
	)
	switch {
	case errors.As(err, &unknown):
		if args := cmd.Flags().Args(); !cmd.HasParent() && len(args) > 0 { // the command before the flag is unknown
			return unknownCommand(cmd, args)
		}
		name := unknown.GetSpecifiedName()
		if typed := unknown.GetSpecifiedShortnames(); typed != "" {
			name = typed // a long flag that was typed with one dash
		}
		text = "unknown flag --" + name
		var names []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
		if near := didyoumean.Nearest(name, names); near != "" {
			text += fmt.Sprintf("; did you mean --%s?", near)
		}
	case errors.As(err, &valueless):
		typed, _ := spelling(valueless.GetFlag())
		text = fmt.Sprintf("--%s needs a value: %s", valueless.GetFlag().Name, typed)
	case errors.As(err, &invalid):
		text = fmt.Sprintf("--%s %q is not valid: %v", invalid.GetFlag().Name, invalid.GetValue(), invalid.Unwrap())
	}
	return fmt.Errorf("%s\n%s", text, seeHelp(cmd))
}

// unknownCommand refuses the arguments of the root, which has commands and takes none.
func unknownCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	var names []string
	for _, sub := range cmd.Commands() {
		names = append(names, sub.Name())
	}
	text := fmt.Sprintf("unknown command %q", args[0])
	if near := didyoumean.Nearest(args[0], names); near != "" {
		text += fmt.Sprintf("; did you mean %q?", near)
	}
	return fmt.Errorf("%s\n%s", text, seeHelp(cmd))
}

// helpCommand returns the command that prints the help of another one. That of cobra prints the
// help of hewd for a command that does not exist, and succeeds.
func helpCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Print the help of a command",
		Args:  cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			about, rest, err := cmd.Root().Find(args)
			if err != nil || len(rest) > 0 && !about.HasParent() {
				return unknownCommand(cmd.Root(), args)
			}
			return about.Help()
		},
	}
}

// noArguments refuses the arguments of a command that takes flags only.
func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return fmt.Errorf("%s takes no arguments; remove %q\n%s", cmd.CommandPath(), args[0], seeHelp(cmd))
}

func seeHelp(cmd *cobra.Command) string {
	return fmt.Sprintf("Run %q for usage.", cmd.CommandPath()+" --help")
}
