package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"hew/reconcile/plan"
	"hew/schema"
)

// planner does what a command does in one directory, and tells of the plan.
type planner func(one *app, f form, planned func(*plan.Plan)) error

// directory is one of several that a command works on, and what it answers.
type directory struct {
	name     string
	out, err heldBack
	plan     *plan.Plan
	code     exit
	page     *webPage // where one report is made of all
	alone    bool     // nothing has to be told apart from it
}

// heldBack holds back what goes to a stream until it is its turn. It is coloured
// and wrapped as the stream itself.
type heldBack struct {
	bytes.Buffer
	of io.Writer
}

// everywhere does something in the directories that are named, or in the one of
// this run where none is.
func (a *app) everywhere(cmd *cobra.Command, dirs []string, f form, do planner) error {
	if len(dirs) == 0 {
		return do(a, f, func(*plan.Plan) {})
	}
	return a.many(cmd, dirs, f, do)
}

// many does the same in several directories side by side. Each answers on its
// own, in the order given, and a line sums up.
func (a *app) many(cmd *cobra.Command, names []string, f form, do planner) (err error) {
	if err := eachOnce(names); err != nil {
		return err
	}
	if err := f.check(a); err != nil {
		return err
	}
	out, done, err := a.answer(f.file)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, done()) }()
	all := make([]*directory, len(names))
	e := newDirectories(len(names))
	began := a.now()
	progress, stop := a.progress()
	var wait sync.WaitGroup
	for i, name := range names {
		d := &directory{name: filepath.ToSlash(filepath.Clean(name)), out: heldBack{of: out}, err: heldBack{of: a.err}, alone: len(names) == 1}
		all[i] = d
		wait.Go(func() {
			d.work(a, e, f, do)
			progress.directory(len(names))
		})
	}
	wait.Wait()
	stop()
	if err := a.tell(cmd, out, all, f); err != nil {
		return err
	}
	for _, clash := range clashes(all) {
		a.console(a.err).paragraph(0, "Warning: "+clash)
	}
	if len(all) > 1 && (f.file != "" || f.answer() == "text") {
		a.console(a.err).paragraph(0, sumOf(all, found[cmd.Name()], e.requests(), a.now().Sub(began).Seconds()))
	}
	return worst(all)
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
	f.file, f.of = "", d
	err := do(&one, f, func(p *plan.Plan) { d.plan = p })
	if err != nil && !errors.As(err, &d.code) {
		d.code = failed
		one.console(&d.err).paragraph(0, "Error: "+err.Error())
	}
}

// tell writes the answers down, one after another, or as one document.
func (a *app) tell(cmd *cobra.Command, out io.Writer, all []*directory, f form) error {
	if f.answer() == "json" {
		doc := estateDoc{FormatVersion: formatVersion, Command: cmd.Name(), Directories: []directoryDoc{}}
		for _, d := range all {
			doc.Directories = append(doc.Directories, directoryDoc{d.name, int(d.code), json.RawMessage(d.out.Bytes())})
		}
		return writeJSON(out, doc)
	}
	if f.answer() == "html" {
		return a.tellWeb(cmp.Or(f.as, cmd.Name()), out, all)
	}
	for i, d := range all {
		c := a.console(out)
		if i > 0 {
			c.printf("\n")
		}
		c.printf("%s\n", c.paint.in(bold, "── "+clean(d.name)+" ──"))
		if _, err := d.out.WriteTo(out); err != nil {
			return err
		}
		d.tellAside(a.err)
	}
	return nil
}

// tellWeb writes one report of all directories. One that failed before there was
// anything to tell has its reason on standard error.
func (a *app) tellWeb(command string, out io.Writer, all []*directory) error {
	var pages []*webPage
	for _, d := range all {
		if d.tellAside(a.err); d.page != nil {
			pages = append(pages, d.page)
		}
	}
	return writeWeb(out, command, pages...)
}

// tellAside writes what is not part of the answer.
func (d *directory) tellAside(to io.Writer) {
	if d.err.Len() > 0 {
		fmt.Fprintf(to, "%s:\n%s", clean(d.name), d.err.Bytes())
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
