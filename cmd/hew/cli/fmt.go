package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"hew/cmd/hew/view"
	"hew/reconcile/config"
	"hew/reconcile/report"
)

// formatter is a run of hew fmt.
type formatter struct {
	*app
	check, diff, recursive bool
	unformatted            bool // a file was not formatted
	failed                 bool // a file is not HCL or cannot be read
}

func (a *app) fmtCommand() *cobra.Command {
	f := formatter{app: a}
	cmd := &cobra.Command{
		Use:   "fmt [FILE | DIR | -]...",
		Short: "Rewrite configuration in the canonical layout",
		Long: `hew fmt rewrites the .hcl, .hclvars, .tf and .tfvars files of this directory, or the named ones, in
the canonical layout and prints the names of the files that it changed. With - it formats standard
input to standard output. The patch command applies the output of -diff.

Exits 0 if all files are formatted now; 1 if a file could not be formatted, or, with -check, if one
would change.`,
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				args = []string{"."}
			}
			for _, arg := range args {
				f.report(f.operand(arg))
			}
			if f.failed || f.check && f.unformatted {
				return failed
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&f.check, "check", false, "write nothing; exit 1 if a file would change")
	cmd.Flags().BoolVar(&f.diff, "diff", false, "print the differences")
	cmd.Flags().BoolVar(&f.recursive, "recursive", false, "format subdirectories too")
	return cmd
}

func (f *formatter) operand(arg string) error {
	if arg == "-" {
		src, err := io.ReadAll(f.in)
		if err != nil {
			return fmt.Errorf("standard input cannot be read: %w", err)
		}
		formatted, ok := f.format("<stdin>", src)
		if ok && !f.check && !f.diff {
			_, err = f.out.Write(formatted)
		}
		return err
	}
	info, err := os.Stat(f.Path(arg))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s: no such file or directory", arg)
	case err != nil:
		return err
	case info.IsDir():
		return f.directory(arg)
	case filepath.Ext(arg) == ".json":
		return fmt.Errorf("%s is JSON, which hew fmt does not format. Remove it from the command", arg)
	}
	return f.file(arg)
}

func (f *formatter) directory(dir string) error {
	return filepath.WalkDir(f.Path(dir), func(path string, d fs.DirEntry, err error) error {
		name, relErr := filepath.Rel(f.Path("."), path)
		if relErr != nil { // it was named by its full path
			name = path
		}
		switch {
		case err != nil:
			f.report(fmt.Errorf("%s cannot be read: %w", name, err))
			return nil
		case d.IsDir() && path != f.Path(dir) && (!f.recursive || strings.HasPrefix(d.Name(), ".")):
			return filepath.SkipDir
		case d.IsDir() || strings.HasPrefix(d.Name(), ".") || !slices.Contains([]string{".hcl", ".hclvars", ".tf",
			".tfvars"}, filepath.Ext(path)):
			return nil
		}
		f.report(f.file(name))
		return nil
	})
}

// report prints the error of one file and lets the run continue with the others.
func (f *formatter) report(err error) {
	if err != nil {
		f.failed = true
		view.WriteError(f.console(f.err), err)
	}
}

func (f *formatter) file(name string) error {
	src, err := f.Dir.ReadNamed(name)
	if err != nil {
		return fmt.Errorf("%s cannot be formatted: %w", name, err)
	}
	formatted, ok := f.format(name, src)
	if !ok || bytes.Equal(src, formatted) {
		return nil
	}
	if !f.diff {
		fmt.Fprintln(f.out, name)
	}
	if f.check {
		return nil
	}
	return f.Dir.WriteFile(name, formatted)
}

// format returns the canonical layout. It prints an error and returns false for text that is not
// HCL.
func (f *formatter) format(name string, src []byte) (formatted []byte, ok bool) {
	formatted, diags := config.Format(src, name)
	if diags.HasErrors() {
		f.failed = true
		view.WriteDiagnostics(report.Diagnostics{Diagnostics: diags, Sources: report.Sources{name: {Bytes: src}}},
			f.console(f.err))
		return nil, false
	}
	if bytes.Equal(src, formatted) {
		return formatted, true
	}
	f.unformatted = true
	if f.diff {
		c := f.console(f.out)
		c.Patch(report.Unified(name, string(src), string(formatted)), bool(c.Paint) || f.tty(f.out))
	}
	return formatted, true
}
