package cli

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"hew/cmd/hew/docs"
	"hew/reconcile/didyoumean"
)

// normalize turns the flags that Terraform users type, -name and -name=x, into
// the --name that cobra reads; by itself it takes -out=x for -o ut=x. hew has
// no one-letter flags but -o and -h, so a dash and more than one letter are
// always a long flag. What follows a flag that takes a value is left alone.
func normalize(root *cobra.Command, args []string) []string {
	valued := map[string]bool{}
	eachFlag(root, func(f *pflag.Flag) { valued[f.Name] = valued[f.Name] || f.NoOptDefVal == "" })
	out := make([]string, 0, len(args))
	if completing(args) && halfFlag(args) { // what is half typed is not known for a long flag yet
		args = append(slices.Clone(args[:len(args)-1]), "-"+args[len(args)-1])
	}
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

// takes is what the values of a type of flag look like.
var takes = map[string]string{
	"bool":     "true or false",
	"duration": "a time such as 30s or 5m",
	"budget":   "the number of bytes that Markdown may have, 2000 or more",
	"breadth":  "the number of changes at once, 1 or more; leave it out and hew adapts to the host",
}

// flagError words what is wrong with a flag in hew's own spelling, one dash,
// and names the flag or the value that was meant.
func flagError(cmd *cobra.Command, err error) error {
	var (
		text      = strings.ReplaceAll(err.Error(), "--", "-")
		stranger  *pflag.NotExistError
		valueless *pflag.ValueRequiredError
		invalid   *pflag.InvalidValueError
		words     explained
	)
	switch {
	case errors.As(err, &words):
		text = string(words)
	case errors.As(err, &stranger):
		text = fmt.Sprintf("%s has no flag -%s.", cmd.CommandPath(), stranger.GetSpecifiedName())
		var names []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
		if near := didyoumean.Nearest(stranger.GetSpecifiedName(), names); near != "" {
			text += fmt.Sprintf(" Did you mean -%s?", near)
		}
	case errors.As(err, &valueless):
		spelled, _ := docs.Spelling(valueless.GetFlag())
		text = fmt.Sprintf("-%s takes a value: %s.", valueless.GetFlag().Name, spelled)
	case errors.As(err, &invalid):
		f := invalid.GetFlag()
		text = fmt.Sprintf("-%s=%s is not understood. It takes %s.", f.Name, invalid.GetValue(), takes[f.Value.Type()])
	}
	return fmt.Errorf("%s\n%s", text, seeHelp(cmd))
}

// noEmptyFlags refuses a flag that is given without a value, as a variable of a
// pipeline that is not set leaves it: what it would have asked for must not be
// passed over.
func noEmptyFlags(cmd *cobra.Command) (err error) {
	cmd.Flags().Visit(func(f *pflag.Flag) {
		value := f.Value.String()
		if f.Shorthand != "" && value == "=" { // of -o=, as pflag reads it
			value = ""
		}
		none := f.Value.Type() == "string" && value == "" || f.Value.Type() == "stringSlice" && value == "[]"
		if _, list := f.Value.(assignments); err == nil && !list && none {
			what, _ := pflag.UnquoteUsage(f)
			err = fmt.Errorf("-%s is given and empty. It takes a value, -%s=%s; leave it out if none is meant.\n%s", f.Name, f.Name, cmp.Or(what, "VALUE"), seeHelp(cmd))
		}
	})
	return err
}

// noArgs refuses arguments where flags say everything.
func noArgs(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return fmt.Errorf("%s takes no arguments, and %q was given.\n%s", cmd.CommandPath(), args[0], seeHelp(cmd))
}

// planArgs takes a saved plan, or none.
func planArgs(cmd *cobra.Command, args []string) error {
	if len(args) <= 1 {
		return nil
	}
	return fmt.Errorf("%s takes one plan, as hew plan -out=FILE saves it, and %d arguments were given.\n%s", cmd.CommandPath(), len(args), seeHelp(cmd))
}

// planAlone refuses flags that ask for what a saved plan has been asked for.
func planAlone(cmd *cobra.Command, file string) error {
	for _, name := range []string{"target", "exclude", "replace", "destroy", "plan-digest"} {
		if cmd.Flags().Changed(name) {
			return fmt.Errorf("-%s does not go with a saved plan: what is in %s was decided when it was made. Leave it out, or plan anew", name, file)
		}
	}
	return nil
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
	if habit, ok := commandHabits[args[0]]; ok && !cmd.HasParent() {
		hint = " " + habit
	} else if near := didyoumean.Nearest(args[0], names); near != "" {
		hint = fmt.Sprintf(" Did you mean %s?", near)
	}
	return fmt.Errorf("%s has no command %q.%s\n%s", cmd.CommandPath(), args[0], hint, seeHelp(cmd))
}

func seeHelp(cmd *cobra.Command) string {
	return fmt.Sprintf("See %s -help.", cmd.CommandPath())
}
