package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"hew/cmd/hew/usage"
	"hew/cmd/hew/view"
	"hew/cmd/hew/workdir"
	"hew/reconcile"
	"hew/reconcile/ledger"
	"hew/reconcile/report"
	"hew/reconcile/report/prose"
)

// formats are the formats of a report. Some are written from the document alone, the others have a
// view.
var formats = []string{"text", "json", "markdown", "html", "widget", "junit", "sarif"}

// rendering says how a command shows its plan or outcome.
type rendering struct {
	json, compact bool
	verbose       bool
	saved         bool // the report was written earlier, by another run
	format, file  string
	budget        int
	markdown      bool   // Markdown is written elsewhere too, so -budget makes sense
	as            string // the command that the report looks like; "" for the command itself
	options       reconcile.Options
	base          string           // the commit that replaces the ledger
	keeps         bool             // the document is needed after the report
	document      *report.Document // the one to fill; nil makes a new one
}

func (f *rendering) addFlags(cmd *cobra.Command) {
	s := cmd.Flags()
	s.BoolVar(&f.json, "json", false, "print JSON; same as -format=json")
	s.StringVar(&f.format, "format", "text", "print in `FORMAT`: "+prose.Series(formats, "or")+" (default text)")
	s.Var(usage.Count{Value: &f.budget, Least: view.LeastBudget, Accept: fmt.Sprintf("a number of bytes, %d or more",
		view.LeastBudget)},
		"budget", "limit Markdown to `BYTES` (default 1000000); omitted items are counted")
	s.StringVarP(&f.file, "o", "o", "", "write the output to `FILE`")
	s.BoolVar(&f.compact, "compact", false, "print one line for each object, without attributes")
	s.BoolVar(&f.verbose, "verbose", false, "list every change by itself instead of grouping equal ones")
	usage.CompleteValues(cmd, "format", formats...)
}

// detail returns how much of a plan is listed change by change.
func (f *rendering) detail() report.Detail {
	if f.verbose {
		return report.Whole
	}
	return report.Grouped
}

// interactive reports whether people read the report as it is printed.
func (f *rendering) interactive() bool { return f.name() == "text" && f.file == "" }

// name returns the name of the format.
func (f *rendering) name() string {
	if f.json {
		return "json"
	}
	return f.format
}

// check returns an error for flags that exclude each other.
func (f *rendering) check(a *app) error {
	switch name := f.name(); {
	case !slices.Contains(formats, name):
		return fmt.Errorf("-format=%s is not a valid format. Use %s", name, prose.Series(formats, "or"))
	case f.json && f.format != "text" && f.format != "json":
		return fmt.Errorf("-json and -format=%s cannot be combined. Use one of the two; hew show converts JSON to "+
			"other formats", f.format)
	case name == "html" && f.file == "" && a.tty(a.out):
		return errors.New("-format=html writes a page for a browser, and standard output is a terminal. Write it " +
			"to a file: -format=html -o=report.html")
	case f.budget != 0 && name != "markdown" && !f.markdown:
		return errors.New("-budget limits Markdown, but no Markdown is written. Add -format=markdown, or remove " +
			"-budget")
	}
	return nil
}

// newReporter returns a reporter that shows the report of a command as f says.
func (a *app) newReporter(command string, f rendering) (*reporter, error) {
	if err := f.check(a); err != nil {
		return nil, err
	}
	command = cmp.Or(f.as, command)
	f.format = f.name()
	out, done, err := a.openOutput(f.file)
	if err != nil {
		return nil, err
	}
	errs := view.Console{Writer: io.Discard} // the report has the errors
	if f.file != "" {
		errs = a.console(a.err)
	}
	d := f.document
	if d == nil {
		d = report.NewDocument(command, a.Version)
	}
	d.Command, d.Options, d.Directory = command, report.OptionsOf(f.options), a.directory()
	d.Options.Base = f.base
	r := &reporter{document: d, kinds: a.Kinds(), done: done}
	r.file, _ = out.(*outputFile)
	switch f.format {
	case "text":
		r.view = &view.Text{Console: a.console(out), Err: a.console(a.err), Command: command, Compact: f.compact,
			Detail: f.detail()}
	case "markdown":
		r.view = &view.Markdown{Out: out, Err: errs, Command: command, Budget: cmp.Or(f.budget, view.DefaultBudget),
			Compact: f.compact, Detail: f.detail(), Source: a.source(f)}
	case "html":
		r.view = view.NewHTML(out, errs, view.HTMLOptions{Command: command, Version: a.Version, Compact: f.compact,
			Detail: f.detail(), Source: a.source(f)})
	default: // written from the document alone
		r.view = view.NewRecorder(out, errs, report.Writers[f.format], d)
	}
	return r, nil
}

// openOutput returns the writer of a report, standard output if file is "", and what closes it.
func (a *app) openOutput(file string) (out io.Writer, done func() error, err error) {
	if file == "" {
		return a.out, func() error { return nil }, nil
	}
	if err := checkOutputFile(file); err != nil {
		return nil, nil, err
	}
	f, err := a.Dir.CreateOutput(file)
	if err != nil {
		return nil, nil, fmt.Errorf("the output cannot be written: %w", err)
	}
	to := &outputFile{view.Stream{Writer: f}, f}
	return to, func() error { return cmp.Or(to.Err, f.Close()) }, nil
}

// outputFile is a file that a report is written to. It is never colored.
type outputFile struct {
	view.Stream
	file *workdir.Output
}

// toFile reports whether a writer leads to an outputFile.
func toFile(w io.Writer) bool {
	switch s := w.(type) {
	case *outputFile:
		return true
	case interface{ Unwrap() io.Writer }:
		return toFile(s.Unwrap())
	}
	return false
}

// checkOutputFile refuses an output file that would overwrite a file of the configuration or of the
// ledger.
func checkOutputFile(file string) error {
	name := strings.TrimSuffix(filepath.Base(file), ".json")
	switch {
	case slices.Contains([]string{".hcl", ".tf", ".hclvars", ".tfvars"}, filepath.Ext(name)):
		return fmt.Errorf("%s would overwrite a file of the configuration. Name another output file", file)
	case filepath.Base(filepath.Dir(filepath.Clean(file))) == filepath.Dir(ledger.DefaultPath):
		return fmt.Errorf("%s is in the directory of the ledger and its key. Name another output file", file)
	}
	return nil
}
