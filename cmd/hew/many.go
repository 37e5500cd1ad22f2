package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"sync"

	"github.com/hashicorp/hcl/v2"
	"github.com/spf13/cobra"

	"hew/reconcile/plan"
	"hew/schema"
)

// planner does what a command does in one directory, and tells of the plan.
type planner func(one *app, f form, planned func(*plan.Plan)) error

// directory is one of several that a command works on, and what it answers: in
// text, and as a document.
type directory struct {
	name     string
	out, err heldBack
	plan     *plan.Plan
	told     *programs
	code     exit
}

// heldBack holds back what goes to a stream until it is its turn. It is coloured
// and wrapped as the stream itself.
type heldBack struct {
	bytes.Buffer
	of io.Writer
}

// everywhere does something in the directories that are named, or in the one of
// this run where none is. It returns what was told of each.
func (a *app) everywhere(cmd *cobra.Command, dirs []string, f form, do planner) ([]part, error) {
	if len(dirs) == 0 {
		f.kept = newPrograms(nil, cmd.Name())
		err := do(a, f, func(*plan.Plan) {})
		return f.kept.parts, err
	}
	return a.many(cmd, dirs, f, do)
}

// many does the same in several directories side by side. Each answers on its
// own, in the order given, and a line sums up.
func (a *app) many(cmd *cobra.Command, names []string, f form, do planner) (parts []part, err error) {
	if err := eachOnce(names); err != nil {
		return nil, err
	}
	t, err := a.teller(cmd.Name(), f)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, t.done()) }()
	all := make([]*directory, len(names))
	e := newDirectories(len(names))
	began := a.now()
	progress, stop := a.progress()
	var wait sync.WaitGroup
	for i, name := range names {
		d := &directory{name: filepath.ToSlash(filepath.Clean(name)), out: heldBack{of: t.out}, err: heldBack{of: a.err}, told: newPrograms(nil, cmd.Name())}
		all[i] = d
		wait.Go(func() {
			d.work(a, e, f, do)
			progress.directory(len(names))
		})
	}
	wait.Wait()
	stop()
	for _, d := range all {
		parts = append(parts, part{d.name, d.code, d.told.doc})
	}
	if err := t.tell(a, all, parts); err != nil {
		return parts, err
	}
	for _, clash := range clashes(all) {
		a.console(a.err).paragraph(0, "Warning: "+clash)
	}
	if len(all) > 1 && (f.file != "" || f.answer() == "text") {
		a.console(a.err).paragraph(0, sumOf(all, found[cmd.Name()], e.requests(), a.now().Sub(began).Seconds()))
	}
	return parts, worst(all)
}

// eachOnce refuses a directory that is named twice.
func eachOnce(names []string) error {
	seen := map[string]bool{}
	for _, name := range names {
		if name = filepath.Clean(name); seen[name] {
			return fmt.Errorf("the directory %s is named twice. Leave one of them out", name)
		}
		seen[name] = true
	}
	return nil
}

// clashes tells of objects that several directories declare: each would set them
// as it likes, and the one that gives them up would delete them. What is there
// once, as the settings of an instance are, may be shared out.
func clashes(all []*directory) (said []string) {
	type object struct{ host, kind, owner, title string }
	first := map[object]*directory{}
	for _, d := range all {
		if d.plan == nil {
			continue
		}
		for i := range d.plan.Changes {
			c := &d.plan.Changes[i]
			if c.Desired == nil || c.Kind.Holds != schema.Many {
				continue
			}
			o := object{d.plan.Host, c.Kind.Name, c.Owner, c.Title}
			if other := first[o]; other == nil {
				first[o] = d
			} else if other != d {
				said = append(said, fmt.Sprintf("%s is declared in %s as well as in %s, as %s.", clean(c.Title+ofOwner(c)), other.name, d.name, clean(c.Addr.String())))
			}
		}
	}
	return said
}

// work runs the command in the directory.
func (d *directory) work(a *app, e *directories, f form, do planner) {
	one := *a
	one.dir, one.in, one.out, one.err, one.lines, one.together = a.path(d.name), strings.NewReader(""), &d.out, &d.err, nil, e
	loaded := sync.OnceFunc(e.loaded)
	defer loaded() // also where it fails before it is opened
	one.open = func(ctx context.Context, one *app, s settings) (session, report) {
		ses, found := a.open(ctx, one, s)
		e.keep(d.name, ses)
		loaded()
		if said := e.twin(d.name); said != nil {
			found.Diagnostics = append(found.Diagnostics, said)
			return nil, found
		}
		return ses, found
	}
	f.file, f.kept = "", d.told
	if f.answer() != "text" { // what is told of all is told at the end
		f.json, f.format, f.budget, one.out = false, "text", 0, io.Discard
	}
	err := do(&one, f, func(p *plan.Plan) { d.plan = p })
	if err != nil && !errors.As(err, &d.code) {
		d.code = failed
		d.told.doc.Diagnostics = append(d.told.doc.Diagnostics, diagnosticsOf(report{Diagnostics: hcl.Diagnostics{problem("Directory failed", "%s", err)}})...)
		one.console(&d.err).paragraph(0, "Error: "+err.Error())
	}
}

// teller tells of several directories: in text, which each has written already,
// or in a view that is made of their documents.
type teller struct {
	out  io.Writer // of text
	view view
	file bool // it is written to one, and people see the rest
	done func() error
}

func (a *app) teller(command string, f form) (t teller, err error) {
	if err := f.check(a); err != nil {
		return t, err
	}
	t.file = f.file != ""
	if f.answer() == "text" {
		t.out, t.done, err = a.answer(f.file)
		return t, err
	}
	t.view, err = a.view(command, f)
	if err == nil {
		t.done = t.view.Close
	}
	return t, err
}

func (t teller) tell(a *app, all []*directory, parts []part) error {
	if t.view != nil {
		for i, p := range parts {
			if t.file {
				all[i].complain(a)
			}
			p, err := p.written()
			if err != nil {
				return err
			}
			if err := p.show(t.view, p.name); err != nil && p.Planned {
				return err
			}
		}
		return nil
	}
	for i, d := range all {
		c := a.console(t.out)
		if i > 0 {
			c.printf("\n")
		}
		c.printf("%s\n", c.paint.in(bold, "── "+clean(d.name)+" ──"))
		if _, err := d.out.WriteTo(t.out); err != nil {
			return err
		}
		d.complain(a)
	}
	return nil
}

// complain prints what is wrong in the directory.
func (d *directory) complain(a *app) {
	if d.err.Len() > 0 {
		fmt.Fprintf(a.err, "%s:\n%s", clean(d.name), d.err.Bytes())
	}
}

// worst is the gravest end of any directory.
func worst(all []*directory) error {
	var code exit
	for _, d := range all {
		if d.code == failed || code == 0 {
			code = d.code
		}
	}
	if code == 0 {
		return nil
	}
	return code
}

// found is what a command looks for in each directory.
var found = map[string]string{"plan": "changes", "drift": "drift"}

// sumOf sums up all directories, with and without what was looked for.
func sumOf(all []*directory, what string, requests int, seconds float64) string {
	var whole plan.Plan
	var changing, quiet, stuck int
	for _, d := range all {
		switch {
		case d.plan == nil || d.code == failed:
			stuck++
		case d.code == differs || !d.plan.Empty():
			changing++
		default:
			quiet++
		}
		if d.plan != nil {
			whole.Changes = append(whole.Changes, d.plan.Changes...)
		}
	}
	left := ""
	if stuck > 0 {
		left = fmt.Sprintf(", %d that failed in whole or in part", stuck)
	}
	return fmt.Sprintf("%s: %d with %s, %d without%s. Together %s.  %s.",
		counted(len(all), "directory", "directories"), changing, what, quiet, left, tallied(&whole), cost(requests, seconds))
}
