package cli

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"hew/cmd/hew/usage"

	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"
)

// TestNormalize: what people type, and what cobra is given.
func TestNormalize(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ typed, given string }{
		{"plan", "plan"},
		{"plan -json", "plan --json"},
		{"plan --json", "plan --json"},
		{"plan -var a=b -var=c=d", "plan --var a=b --var=c=d"},
		{"plan -var -x=y", "plan --var -x=y"}, // a value may begin with a dash
		{"plan -var-file prod.hclvars", "plan --var-file prod.hclvars"},
		{"plan -detailed-exitcode -no-color", "plan --detailed-exitcode --no-color"},
		{"plan -o out.json", "plan -o out.json"},
		{"plan -o=out.json", "plan -o=out.json"},
		{"plan -o -json", "plan -o -json"},
		{"plan -out=x", "plan --out=x"}, // not -o ut=x
		{"plan -format=json", "plan --format=json"},
		{"plan -format json", "plan --format json"},
		{"plan -parallelism -1", "plan --parallelism -1"},
		{"plan -h", "plan -h"},
		{"plan -help", "plan --help"},
		{"-chdir=x plan -json", "--chdir=x plan --json"},
		{"-chdir x plan", "--chdir x plan"},
		{"plan -chdir -json -json", "plan --chdir -json --json"},
		{"fmt -", "fmt -"},
		{"fmt -check -", "fmt --check -"},
		{"fmt -- -check", "fmt -- -check"},
		{"ledger rm -1", "ledger rm -1"},
		{"plan -nonsense", "plan --nonsense"},
		{"plan ---json", "plan ---json"},
	} {
		t.Run(c.typed, func(t *testing.T) {
			t.Parallel()
			got := usage.NormalizeArgs((&app{now: time.Now}).root(), strings.Fields(c.typed))
			require.Equal(t, c.given, strings.Join(got, " "))
		})
	}
}

// TestNoShortFlags keeps normalize right: it takes a dash and two letters for
// a long flag.
func TestNoShortFlags(t *testing.T) {
	t.Parallel()
	root := (&app{}).root()
	root.InitDefaultHelpFlag()
	usage.EachFlag(root, func(f *pflag.Flag) {
		require.Contains(t, []string{"", "o", "h"}, f.Shorthand, f.Name)
		require.NotEmpty(t, f.Usage, f.Name)
	})
}

// TestChdir: the flag counts before and after the command.
func TestChdir(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{"-chdir=there", "version"}, {"-chdir", "there", "version"},
		{"version", "-chdir=there"}, {"version", "--chdir", "there"}} {
		a := &app{out: &bytes.Buffer{}, err: &bytes.Buffer{}, tty: nobody}
		require.Zero(t, a.run(t.Context(), args))
		require.Equal(t, "there/x", a.Path("x"))
		require.Equal(t, "/x", a.Path("/x"))
	}
}

func nobody(any) bool { return false }

// TestErrorLooks: an error of the command line is a sentence, colored by the same rules as errors
// of a configuration.
func TestErrorLooks(t *testing.T) {
	t.Parallel()
	const red, plain = "\x1b[31mError:\x1b[0m ", "Error: "
	for args, wants := range map[string]string{
		"plan -bogus":           "hew plan has no flag -bogus.\nSee hew plan -help.\n",
		"plan -format=xml":      "-format=xml is not a valid format. Use text, json, markdown, html, widget, junit or sarif.\n",
		"plan -bogus -no-color": "",
	} {
		for env, begins := range map[string]string{"FORCE_COLOR=1": red, "FORCE_COLOR=0": plain, "NO_COLOR=1": plain} {
			var out, errs bytes.Buffer
			code := run(t.Context(), append(strings.Fields(args), "-chdir", t.TempDir()), []string{env},
				strings.NewReader(""), &out, &errs)
			require.Equal(t, 1, code)
			if wants == "" {
				require.True(t, strings.HasPrefix(errs.String(), plain), errs.String())
				continue
			}
			require.Equal(t, begins+wants, errs.String(), env)
		}
	}
}
