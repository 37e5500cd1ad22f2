package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/agext/levenshtein"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// normalize turns the flags that Terraform users type, -name and -name=x, into
// the --name that cobra reads; by itself it takes -out=x for -o ut=x. hew has
// no one-letter flags but -o and -h, so a dash and more than one letter are
// always a long flag. What follows a flag that takes a value is left alone.
func normalize(root *cobra.Command, args []string) []string {
	valued := map[string]bool{}
	eachFlag(root, func(f *pflag.Flag) { valued[f.Name] = valued[f.Name] || f.NoOptDefVal == "" })
	out := make([]string, 0, len(args))
	for i := 0; i < len(args); i++ {
		arg := args[i]
		if arg == "--" {
			return append(out, args[i:]...)
		}
		name, _, hasValue := strings.Cut(strings.TrimLeft(arg, "-"), "=")
		dashes := len(arg) - len(strings.TrimLeft(arg, "-"))
		if dashes == 1 && len(name) > 1 && letter(name[0]) {
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

func letter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// eachFlag visits the flags of a command and of all below it.
func eachFlag(cmd *cobra.Command, visit func(*pflag.Flag)) {
	cmd.Flags().VisitAll(visit)
	cmd.PersistentFlags().VisitAll(visit)
	for _, sub := range cmd.Commands() {
		eachFlag(sub, visit)
	}
}

// flagError words what is wrong with a flag in hew's own spelling, one dash,
// and names the flag that was meant.
func flagError(cmd *cobra.Command, err error) error {
	var unknownFlag *pflag.NotExistError
	if !errors.As(err, &unknownFlag) {
		return fmt.Errorf("%s\n%s", strings.ReplaceAll(err.Error(), "--", "-"), seeHelp(cmd))
	}
	name := unknownFlag.GetSpecifiedName()
	hint := ""
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	if near := nearest(name, names); near != "" {
		hint = fmt.Sprintf(" Did you mean -%s?", near)
	}
	return fmt.Errorf("%s has no flag -%s.%s\n%s", cmd.CommandPath(), name, hint, seeHelp(cmd))
}

// noArgs refuses arguments where flags say everything.
func noArgs(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return fmt.Errorf("%s takes no arguments, and %q was given.\n%s", cmd.CommandPath(), args[0], seeHelp(cmd))
}

// addressArgs wants an address at least.
func addressArgs(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return nil
	}
	return fmt.Errorf("%s takes the address of an object, or several; hew ledger list prints them.\n%s", cmd.CommandPath(), seeHelp(cmd))
}

// subcommand refuses the argument of a command that only has commands below
// it: there is none of that name.
func subcommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	var names []string
	for _, sub := range cmd.Commands() {
		names = append(names, sub.Name())
	}
	hint := ""
	if near := nearest(args[0], names); near != "" {
		hint = fmt.Sprintf(" Did you mean %s?", near)
	}
	return fmt.Errorf("%s has no command %q.%s\n%s", cmd.CommandPath(), args[0], hint, seeHelp(cmd))
}

func seeHelp(cmd *cobra.Command) string {
	return fmt.Sprintf("See %s -help.", cmd.CommandPath())
}

// nearest returns the candidate that a mistyped name was likely meant to be,
// or "".
func nearest(given string, candidates []string) string {
	for _, c := range candidates {
		if levenshtein.Distance(given, c, nil) < 3 {
			return c
		}
	}
	return ""
}
