package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"hew/cmd/hew/view"
	"hew/reconcile"
	"hew/reconcile/ledger"
	"hew/reconcile/report"
	"hew/reconcile/report/prose"
)

// formats are the forms of an answer. What some of them write is made of the
// document alone; the others have a view of their own.
var formats = []string{"text", "json", "markdown", "html", "widget", "junit", "sarif"}

// form is how a command answers.
type form struct {
	json, compact bool
	verbose       bool
	shows         bool // what was written down before
	format, file  string
	budget        int
	markdown      bool   // is written beside the answer
	as            string // the command that the answer is like; "" for the command itself
	asked         reconcile.Options
	base          string           // the commit that stands in for the ledger
	keeps         bool             // the document is wanted after the answer, too
	kept          *report.Document // the one to fill; nil if nobody keeps it
}

func (f *form) flags(cmd *cobra.Command) {
	s := cmd.Flags()
	s.BoolVar(&f.json, "json", false, "answer with one JSON document; same as -format=json")
	s.StringVar(&f.format, "format", "text", "`FORMAT` of the answer: "+prose.Series(formats, "or"))
	s.Var((*budget)(&f.budget), "budget", "at most `BYTES` of Markdown, 1,000,000 if it is not said; what has no room is counted")
	s.StringVarP(&f.file, "o", "o", "", "write the answer to `FILE`")
	s.BoolVar(&f.compact, "compact", false, "one line an object, without attributes")
	s.BoolVar(&f.verbose, "verbose", false, "list every change by itself, where equal ones would be one entry")
	complete(cmd, "format", formats...)
}

func (f *form) forPeople() bool { return f.answer() == "text" && f.file == "" }

// detail is how much of a plan is listed one by one.
func (f *form) detail() report.Detail {
	if f.verbose {
		return report.Whole
	}
	return report.Grouped
}

// answer is the format in which the command answers.
func (f *form) answer() string {
	if f.json {
		return "json"
	}
	return f.format
}

// check refuses what no view can be made for.
func (f *form) check(a *app) error {
	switch answer := f.answer(); {
	case !slices.Contains(formats, answer):
		return fmt.Errorf("-format=%s is not known; use %s", answer, prose.Series(formats, "or"))
	case f.json && f.format != "text" && f.format != "json":
		return fmt.Errorf("-json and -format=%s do not go together: there is one answer. hew show makes others of the JSON", f.format)
	case answer == "html" && f.file == "" && a.tty(a.out):
		return errors.New("-format=html is a page for a browser, and it would go to the terminal. Write it to a file: -format=html -o=report.html")
	case f.budget != 0 && answer != "markdown" && !f.markdown:
		return errors.New("-budget is about Markdown, and none is asked for. Ask for -format=markdown, or leave it out")
	}
	return nil
}

// view makes the view that a form asks for, and what fills its document.
func (a *app) view(command string, f form) (*reporter, error) {
	if err := f.check(a); err != nil {
		return nil, err
	}
	command = cmp.Or(f.as, command)
	f.format = f.answer()
	out, done, err := a.answer(f.file)
	if err != nil {
		return nil, err
	}
	errs := view.Console{Writer: io.Discard} // the answer tells as much
	if f.file != "" {
		errs = a.console(a.err)
	}
	d := f.kept
	if d == nil {
		d = report.NewDocument(command, a.version)
	}
	d.Command, d.Options, d.Directory = command, report.OptionsOf(f.asked), a.within(a.path("."))
	d.Options.Base = f.base
	r := &reporter{document: d, kinds: a.kinds(), done: done}
	switch f.format {
	case "text":
		r.view = &view.Text{Console: a.console(out), Err: a.console(a.err), Command: command, Compact: f.compact, Detail: f.detail()}
	case "markdown":
		r.view = &view.Markdown{Out: out, Err: errs, Command: command, Budget: cmp.Or(f.budget, view.DefaultBudget), Compact: f.compact,
			Detail: f.detail(), Source: a.source(f)}
	case "html":
		r.view = view.NewHTML(out, errs, view.HTMLOptions{Command: command, Version: a.version, Compact: f.compact, Detail: f.detail(), Source: a.source(f)})
	default: // what is made of the document alone
		r.view = view.NewRecorder(out, errs, report.Writers[f.format], d)
	}
	return r, nil
}

// answer is where an answer goes, standard output if file is "", and what has
// to be done at its end.
func (a *app) answer(file string) (out io.Writer, done func() error, err error) {
	if file == "" {
		return a.out, func() error { return nil }, nil
	}
	if err := clearOf(file); err != nil {
		return nil, nil, err
	}
	f, err := os.Create(a.path(file))
	if err != nil {
		return nil, nil, fmt.Errorf("the answer cannot be written: %w", err)
	}
	to := &view.Stream{Writer: f}
	return to, func() error { return cmp.Or(to.Err, f.Close()) }, nil
}

// clearOf refuses to write an answer over what a run works from.
func clearOf(file string) error {
	name := strings.TrimSuffix(filepath.Base(file), ".json")
	switch {
	case slices.Contains([]string{".hcl", ".tf", ".hclvars", ".tfvars"}, filepath.Ext(name)):
		return fmt.Errorf("%s would overwrite a file of the configuration. Name another file for the answer", file)
	case filepath.Base(filepath.Dir(filepath.Clean(file))) == filepath.Dir(ledger.DefaultPath):
		return fmt.Errorf("%s is where the ledger and its key are. Name another file for the answer", file)
	}
	return nil
}

// budget is the value of -budget: bytes, or 0 where it is not given, which
// cannot be typed.
type budget int

func (b *budget) String() string { return strconv.Itoa(int(*b)) }
func (b *budget) Type() string   { return "budget" }
func (b *budget) Set(s string) error {
	n, err := strconv.Atoi(s)
	if err == nil && n < view.LeastBudget {
		err = errors.New("too little")
	}
	*b = budget(n)
	return err
}
