package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"hew/reconcile"
	"hew/reconcile/ledger"
)

// form is how a command answers.
type form struct {
	json, compact bool
	format, file  string
	budget        int
	as            string     // the command that the answer is like; "" for the command itself
	of            *directory // that is one of several, which answer together, or nil
	asked         reconcile.Options
}

// formats are what -format takes.
var formats = []string{"text", "json", "markdown", "html"}

func (f *form) flags(cmd *cobra.Command) {
	s := cmd.Flags()
	s.BoolVar(&f.json, "json", false, "answer with one JSON document; same as -format=json")
	s.StringVar(&f.format, "format", "text", "`FORMAT` of the answer: text, json, markdown or html")
	s.IntVar(&f.budget, "budget", defaultBudget, "at most `BYTES` of Markdown; what has no room is counted")
	s.StringVarP(&f.file, "o", "o", "", "write the answer to `FILE`")
	s.BoolVar(&f.compact, "compact", false, "one line an object, without attributes")
	complete(cmd, "format", formats...)
}

func (f *form) forPeople() bool { return !f.json && f.format == "text" && f.file == "" }

// answer is the format in which the command answers.
func (f *form) answer() string {
	if f.json {
		return "json"
	}
	return f.format
}

// view makes the view that a form asks for.
func (a *app) view(command string, f form) (view, error) {
	command = cmp.Or(f.as, command)
	if f.json {
		f.format = "json"
	}
	if err := f.check(a); err != nil {
		return nil, err
	}
	out, done, err := a.answer(f.file)
	if err != nil {
		return nil, err
	}
	errs := console{Writer: io.Discard} // the answer tells as much
	if f.file != "" {
		errs = a.console(a.err)
	}
	switch f.format {
	case "text":
		return ending{&text{console: a.console(out), err: a.console(a.err), command: command, compact: f.compact}, done}, nil
	case "markdown":
		return ending{&markdown{out: out, err: errs, command: command, budget: f.budget, compact: f.compact}, done}, nil
	case "html":
		return ending{newWeb(out, errs, command, f.compact, f.of), done}, nil
	}
	v := newPrograms(out, command)
	v.doc.Options = optionsOf(f.asked)
	v.err = errs
	return ending{v, done}, nil
}

// check refuses what no view can be made for.
func (f form) check(a *app) error {
	switch {
	case !slices.Contains(formats, f.format):
		return fmt.Errorf("-format=%s is not known; use text, json, markdown or html", f.format)
	case f.answer() == "html" && f.file == "" && a.tty(a.out):
		return errors.New("-format=html is a page for a browser, and it would go to the terminal. Write it to a file: -format=html -o=report.html")
	case f.budget < leastBudget:
		return fmt.Errorf("-budget=%d is too little for anything to be told; it takes %d bytes or more", f.budget, leastBudget)
	}
	return nil
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
	to := &stream{Writer: f}
	return to, func() error { return cmp.Or(to.err, f.Close()) }, nil
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

// ending is a view with something to be done at its end.
type ending struct {
	view
	done func() error
}

func (e ending) Close() error { return errors.Join(e.view.Close(), e.done()) }
