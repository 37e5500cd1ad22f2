package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"hew/reconcile"
)

// form is how a command answers.
type form struct {
	json, compact bool
	format, file  string
	as            string // the command that the answer is like; "" for the command itself
	asked         reconcile.Options
}

func (f *form) flags(cmd *cobra.Command) {
	s := cmd.Flags()
	s.BoolVar(&f.json, "json", false, "answer with one JSON document; same as -format=json")
	s.StringVar(&f.format, "format", "text", "`FORMAT` of the answer: text or json")
	s.StringVarP(&f.file, "o", "o", "", "write the answer to `FILE`")
	s.BoolVar(&f.compact, "compact", false, "one line an object, without attributes")
	complete(cmd, "format", "text", "json")
}

func (f *form) forPeople() bool { return !f.json && f.format == "text" && f.file == "" }

// view makes the view that a form asks for.
func (a *app) view(command string, f form) (view, error) {
	command = cmp.Or(f.as, command)
	if f.json {
		f.format = "json"
	}
	if f.format != "json" && f.format != "text" {
		return nil, fmt.Errorf("-format=%s is not known; use text or json", f.format)
	}
	out, done, err := a.answer(f.file)
	if err != nil {
		return nil, err
	}
	if f.format == "text" {
		return ending{&text{console: a.console(out), err: a.console(a.err), command: command, compact: f.compact}, done}, nil
	}
	v := newPrograms(out, command)
	v.doc.Options = optionsOf(f.asked)
	if f.file != "" {
		v.err = a.console(a.err)
	}
	return ending{v, done}, nil
}

// answer is where an answer goes, standard output if file is "", and what has
// to be done at its end.
func (a *app) answer(file string) (out io.Writer, done func() error, err error) {
	if file == "" {
		return a.out, func() error { return nil }, nil
	}
	f, err := os.Create(a.path(file))
	if err != nil {
		return nil, nil, fmt.Errorf("the answer cannot be written: %w", err)
	}
	to := &stream{Writer: f}
	return to, func() error { return cmp.Or(to.err, f.Close()) }, nil
}

// ending is a view with something to be done at its end.
type ending struct {
	view
	done func() error
}

func (e ending) Close() error { return errors.Join(e.view.Close(), e.done()) }
